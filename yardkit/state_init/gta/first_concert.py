"""Photographs of three posters; the concert that was to be the first is moved behind the others."""

import datetime
import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, new_image, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

BANDS = ("Kestrel", "Lumen", "Marlow", "Driftwood", "Northbound", "Saffron", "Paperboat", "Tamarind")
PLACES = ("Town Hall", "Old Brewery", "Harbour Stage", "Concert Cellar")
COLORS: tuple[tuple[Color, Color], ...] = (
    ((28, 34, 66), (250, 214, 120)),
    ((246, 238, 220), (150, 36, 36)),
    ((18, 78, 74), (246, 246, 240)),
    ((238, 240, 246), (40, 60, 130)),
)
FORMS = ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d %b %Y")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Three pictures; `others` are the band whose concert was moved, and the one that comes later."""
    first = datetime.date(2026, 5, 1) + datetime.timedelta(rng.randrange(40))
    days = [first + datetime.timedelta(days) for days in (0, rng.randint(3, 25), rng.randint(30, 60))]
    moved_from = first - datetime.timedelta(rng.randint(4, 20))
    bands = rng.sample(BANDS, 3)
    posters = [(bands[0], days[0], None), (bands[1], days[1], None), (bands[2], days[2], moved_from)]
    forms, colors = rng.sample(FORMS, 3), rng.sample(COLORS, 3)
    names = rng.sample(["poster_1.jpg", "poster_2.jpg", "poster_3.jpg"], 3)
    for (band, day, was), form, color, name in zip(posters, forms, colors, names, strict=True):
        sheet = _draw_poster(
            band, [f"moved from {was:{form}} to", f"{day:{form}}"] if was else [f"{day:{form}}"], color, rng
        )
        save_image(photograph_picture(sheet, rng, strength=0.25), world.files / name)
    return {
        "gt_answer": {"whitelist": [[bands[0]]], "blacklist": None},
        "others": {"later": bands[1], "moved": bands[2]},
    }


def _draw_poster(band: str, when: list[str], colors: tuple[Color, Color], rng: random.Random) -> "Image":
    sheet = new_image(620, 800, colors[0])
    draw, middle, face = get_pen(sheet), 310, Face("Liberation Sans", 34)
    for _ in range(16):
        x, y, size = rng.randint(40, 540), rng.choice([118, 128, 310, 325]), rng.randint(10, 44)
        draw.ellipse([x, y, x + size, y + size], outline=colors[1], width=4)
    write_line(draw, (middle, 60), "live in concert", face, colors[1], "center")
    write_line(draw, (middle, 190), band, Face("Liberation Sans", 84, bold=True), colors[1], "center")
    for row, line in enumerate(when):
        last = row == len(when) - 1
        write_line(
            draw, (middle, 400 + 70 * row), line, Face("Liberation Sans", 46 if last else 30, last), colors[1], "center"
        )
    write_line(draw, (middle, 600), rng.choice(PLACES), face, colors[1], "center")
    write_line(
        draw, (middle, 680), f"doors open at {rng.choice([18, 19, 20])}:00", face.scale(0.8), colors[1], "center"
    )
    return sheet
