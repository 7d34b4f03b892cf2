"""A flyer and a poster with the same photograph, at sizes of their own."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, new_image, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

SUBJECTS = {"horse": "jockey", "cat": "cat"}
"""What is looked for, and the photograph that shows one."""
TITLES = {"horse": "Day at the races", "cat": "Cats of our town"}
DAYS = ("Saturday, 6 June", "Sunday, 7 June", "Saturday, 13 June")
COLORS: tuple[Color, ...] = ((246, 240, 226), (226, 236, 244), (232, 242, 232))


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Two pictures; `others` are how many times as wide the whole poster is, and areas instead of widths."""
    from PIL.Image import Transpose

    subject = rng.choice(list(SUBJECTS))
    times, sheets = rng.choice([(2, 3), (3, 2), (3, 4), (4, 2)])
    photograph = load_photograph(SUBJECTS[subject])
    if rng.random() < 0.5:
        photograph = photograph.transpose(Transpose.FLIP_LEFT_RIGHT)
    width = rng.randrange(320, 380, 4)
    small = photograph.resize((width, round(width * photograph.height / photograph.width)))
    large = photograph.resize((small.width * times, small.height * times))
    sheet = (round(width * max(1.4, times / sheets * 1.15)), round(width * max(1.5, times / sheets * 1.25)))
    color, words = rng.choice(COLORS), (TITLES[subject], f"{rng.choice(DAYS)}, {rng.randint(1, 5)} p.m.")
    poster = (sheet[0] * sheets, sheet[1] * sheets)
    save_image(_draw_page(small, sheet, words, color, rng), world.files / "flyer.jpg", 92)
    save_image(_draw_page(large, poster, words, color, rng), world.files / "poster.jpg", 92)
    return {
        "prompt": {"subject": subject},
        "gt_answer": {"whitelist": [[str(times)]], "blacklist": None},
        "others": {"whole_sheets": str(sheets), "areas": str(times**2)},
    }


def _draw_page(
    photograph: "Image", size: tuple[int, int], words: tuple[str, str], color: Color, rng: random.Random
) -> "Image":
    """A sheet with the photograph somewhere between its title and the day."""
    sheet = new_image(*size, color)
    title, day = Face("Liberation Sans", size[1] // 14, bold=True), Face("Liberation Sans", size[1] // 22)
    write_line(get_pen(sheet), (size[0] / 2, size[1] // 30), words[0], title, (40, 44, 60), "center")
    write_line(get_pen(sheet), (size[0] / 2, size[1] - 2 * day.size), words[1], day, (40, 44, 60), "center")
    top, bottom = size[1] // 7, size[1] - 3 * day.size - photograph.height
    sheet.paste(photograph, (rng.randint(0, size[0] - photograph.width), rng.randint(top, bottom)))
    return sheet
