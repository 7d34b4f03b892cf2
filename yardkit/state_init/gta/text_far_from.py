"""The world of gta/text_far_from: a photograph with its thing near one corner, and a note with two slogans."""

import math
import random
from typing import Any

from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import handwritten_note, save_image
from yardkit.world import World

THINGS = {"soccer": ("sports ball", (478, 356, 532, 398)), "jockey": ("horse", (165, 56, 457, 378))}
"""By photograph what it shows, and the box of that, in pixels."""
CUTS = {"soccer": (460, 380, 45), "jockey": (480, 400, 30)}
"""How much of a photograph is shown, and how far its thing is from an edge at least, in pixels."""
SLOGANS = (
    "Greetings from the green",
    "Wish you were here",
    "Off we go again",
    "The fast way home",
    "See you on Sunday",
)
COLORS = {
    "soccer": {"cyan": "#00FFFF", "magenta": "#FF00FF"},
    "jockey": {"yellow": "#FFFF00", "cyan": "#00FFFF"},
}
"""By photograph the colours that are read all over it, and of whose hue it has nothing in its corners."""
WIDE_PX = 1100


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Cut the photograph so that one corner is clearly the farthest; the facts hold where all stands."""
    name = rng.choice(sorted(THINGS))
    image, box = _crop_photograph(name, rng)
    save_image(image, world.files / "photo.jpg", 90)
    old, new = rng.sample(SLOGANS, 2)
    lines = ["Postcard", f"Old: {old}", f"We take: {new}", f"{rng.choice(('Mara', 'Jon', 'Ines'))}"]
    save_image(handwritten_note(lines, rng.choice(("lined", "sticky")), rng), world.files / "note.jpg")
    color, corners = rng.choice(sorted(COLORS[name])), _find_corners(image.size)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    right, *others = sorted(corners, key=lambda place: -math.dist(corners[place][0], middle))
    return {
        "slogan": new,
        "old": old,
        "color": COLORS[name][color],
        "thing": box,
        "place": corners[right][1],
        "other": corners[others[0]][1],
        "gt_answer": None,
        "prompt": {"color": color, "thing": THINGS[name][0], "size": f"{image.width} x {image.height}"},
    }


def _crop_photograph(name: str, rng: random.Random) -> tuple[Any, list[float]]:
    """A part of a photograph in which the thing is off the middle, 1100 pixels wide, and the box of the thing."""
    from PIL import ImageOps

    image, (left, top, right, bottom), (wide, high, edge) = load_photograph(name), THINGS[name][1], CUTS[name]
    x = rng.choice((left - edge, right + edge - wide))
    y = min(max(0, rng.choice((top - edge, bottom + edge - high))), image.height - high)
    x = min(max(0, x), image.width - wide)
    scale = WIDE_PX / wide
    cropped_image = image.crop((x, y, x + wide, y + high)).resize((WIDE_PX, round(high * scale)))
    box = [(side - start) * scale for side, start in zip((left, top, right, bottom), (x, y, x, y), strict=True)]
    if rng.random() < 0.5:
        cropped_image, box = ImageOps.mirror(cropped_image), [WIDE_PX - box[2], box[1], WIDE_PX - box[0], box[3]]
    return cropped_image, [round(side) for side in box]


def _find_corners(size: tuple[int, int]) -> dict[str, tuple[tuple[float, float], list[float]]]:
    """Each corner, and the part of the picture around it."""
    wide, high = size
    return {
        f"{y}{x}": (
            (x * wide, y * high),
            [x * 0.4 * wide, y * 0.8 * high, (0.6 + x * 0.4) * wide, (0.2 + y * 0.8) * high],
        )
        for x in (0, 1)
        for y in (0, 1)
    }
