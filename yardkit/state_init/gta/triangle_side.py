"""The world of gta/triangle_side: a sketch of two triangles, each with two sides and the angle between them."""

import math
import random
from typing import Any

from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Face, get_pen, make_paper, write_line
from yardkit.world import World

INK = (34, 40, 70)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw both; `others` are the side of the other one, that of a right angle, and that of the angle beside it."""
    names = [f"Plot {number}" for number in rng.sample(range(11, 99), 2)]
    own, other = [(rng.randint(210, 480) / 10, rng.randint(210, 480) / 10, rng.randint(38, 76)) for _ in names]
    right = _compute_third_side(*own)
    others = {
        "other_plot": _compute_third_side(*other),
        "right_angle": _compute_third_side(own[0], own[1], 90),
        "outer_angle": _compute_third_side(own[0], own[1], 180 - own[2]),
        "radians": round(math.sqrt(own[0] ** 2 + own[1] ** 2 - 2 * own[0] * own[1] * math.cos(own[2])), 1),
    }
    if right in others.values():
        return seed(world, rng)
    sheet = make_paper(1200, 640, (250, 249, 244), rng)
    named_triangles = list(zip(names, (own, other), strict=True))
    rng.shuffle(named_triangles)
    for column, (name, triangle) in enumerate(named_triangles):
        _draw_triangle(sheet, 80 + 580 * column, name, triangle)
    save_image(sheet, world.files / "sketch.png")
    return {
        "prompt": {"plot": names[0]},
        "gt_answer": {"whitelist": [[f"{right:.1f}"]], "blacklist": None},
        "others": {mistake: f"{value:.1f}" for mistake, value in others.items()},
    }


def _compute_third_side(first_side: float, other: float, degrees: float) -> float:
    """The third side, by the law of cosines."""
    return round(math.sqrt(first_side**2 + other**2 - 2 * first_side * other * math.cos(math.radians(degrees))), 1)


def _draw_triangle(sheet: Any, left: int, name: str, triangle: tuple[float, float, int]) -> None:
    """A triangle with its name above, one side below, one on its left, the angle between them in its corner."""
    draw, face = get_pen(sheet), Face("Liberation Sans", 34)
    corners = [(left + 130, 500), (left + 450, 500), (left + 180, 150)]
    draw.polygon(corners, fill=(232, 240, 224), outline=INK, width=5)
    draw.arc([left + 50, 420, left + 210, 580], 279, 360, fill=INK, width=4)
    write_line(draw, (left + 290, 50), name, face.scale(1.2).make_bold(), INK, "center")
    write_line(draw, (left + 290, 520), f"{triangle[0]:.1f} m", face, INK, "center")
    write_line(draw, (left + 130, 290), f"{triangle[1]:.1f} m", face, INK, "right")
    write_line(draw, (left + 228, 430), f"{triangle[2]}°", face, INK)
