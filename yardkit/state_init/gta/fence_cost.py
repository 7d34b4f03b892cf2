"""A sketch of a garden by hand whose sides hang on x, and pages of a shop for fences."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Face, get_pen, make_paper, write_line
from yardkit.state_init.websites import save_page
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

WOODS = ("Oak", "Pine", "Larch", "Cedar")
Side = tuple[int, int]
"""So many times x, and metres beside it."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """A picture and pages; `others` come of all four sides, one long side, another wood, and x for the length."""
    x, long_side, short_side = rng.randint(4, 8), (rng.randint(3, 5), rng.randint(1, 6)), (2, rng.randint(1, 4))
    long_m, short_m = (times * x + more for times, more in (long_side, short_side))
    woods, prices = rng.sample(WOODS, 3), rng.sample(range(2150, 4950, 50), 3)
    cents = {
        "right": (2 * long_m + short_m) * prices[0],
        "all_sides": 2 * (long_m + short_m) * prices[0],
        "short_sides_fenced": (long_m + 2 * short_m) * prices[0],
        "another_wood": (2 * long_m + short_m) * prices[1],
        "x_for_the_length": 3 * x * prices[0],
    }
    if len(set(cents.values())) < len(cents):
        return seed(world, rng)
    for wood, price in zip(woods, prices, strict=True):
        text = f"{wood} fence, 1.20 m high: {price / 100:.2f} dollars per metre."
        save_page(world, f"garden-fences.example/{wood.lower()}", f"Garden Fences: {wood} fence", [text])
    sketch = _draw_sketch(long_side, short_side, 2 * (long_m + short_m), rng)
    save_image(photograph_picture(sketch, rng, strength=0.2), world.files / "sketch.jpg")
    amounts = {mistake: f"{value / 100:.2f}" for mistake, value in cents.items()}
    return {
        "prompt": {"wood": woods[0].lower()},
        "gt_answer": {"whitelist": [[amounts.pop("right")]], "blacklist": None},
        "others": amounts,
    }


def _draw_sketch(long_side: Side, short_side: Side, around: int, rng: random.Random) -> "Image":
    sheet = make_paper(1000, 700, (250, 249, 242), rng)
    draw, ink, face = get_pen(sheet), (30, 46, 120), Face("Comic Neue", 46, bold=True)
    draw.rectangle([130, 200, 660, 500], outline=ink, width=5)
    write_line(draw, (395, 130), _format_sum(long_side), face, ink, "center")
    write_line(draw, (685, 320), _format_sum(short_side), face, ink)
    write_line(draw, (395, 320), "garden", face.scale(0.9), ink, "center")
    write_line(draw, (130, 560), f"once around: {around} m", face, ink)
    write_line(draw, (130, 40), "all lengths in m", face.scale(0.8), ink)
    return sheet


def _format_sum(side: Side) -> str:
    return f"{side[0]}x + {side[1]}"
