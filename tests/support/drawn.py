"""Images drawn for tests of reading text, and the error rate of a reading."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import yardkit.world

FONT = Path(yardkit.world.__file__).parent / "fonts" / "DejaVuSans.ttf"
LETTER = [
    "Dear colleague, the meeting starts at 9:30.",
    "Please bring the signed contract with you.",
    "The room has changed to B-214 on floor two.",
    "Kind regards, Anna Berger",
]
TABLE = [
    ["Item", "Qty", "Unit price", "Total"],
    ["Blue pen", "12", "1.20", "14.40"],
    ["Desk lamp, LED", "2", "34.50", "69.00"],
    ["Paper A4", "", "5.10", "25.50"],
    ["Chair", "10", "120.00", "1200.00"],
]


def make_blank(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (width, height), "white")
    return image, ImageDraw.Draw(image)


def load_lettering(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)


def draw_letter(size: int = 24, texts: list[str] = LETTER, wide: int = 28) -> Image.Image:
    """Lines of text on a page of `wide` times their size."""
    image, draw = make_blank(int(size * wide), int(size * 10))
    for index, line in enumerate(texts):
        draw.text((size, size + index * size * 2), line, font=load_lettering(size), fill="black")
    return image


def add_noise(image: Image.Image, spread: float) -> Image.Image:
    """Blurred, with noise of a standard deviation of `spread` levels of grey."""
    grey = np.asarray(image.convert("L").filter(ImageFilter.GaussianBlur(0.8)), float)
    noise = np.random.default_rng(9).normal(0, spread, grey.shape)
    return Image.fromarray((grey + noise).clip(0, 255).astype(np.uint8)).convert("RGB")


def draw_table(*, ruled: bool) -> Image.Image:
    image, draw = make_blank(760, 300)
    edges = [20, 260, 360, 540, 740]
    draw.text((20, 5), "Order 4711 of 3 March with all of the positions", font=load_lettering(18), fill="black")
    for down, row in enumerate(TABLE):
        for across, text in enumerate(row):
            draw.text((edges[across] + 10, 42 + down * 45), text, font=load_lettering(22), fill="black")
    if ruled:
        for down in range(6):
            draw.line((20, 35 + down * 45, 740, 35 + down * 45), fill="black", width=2)
        for edge in edges:
            draw.line((edge, 35, edge, 260), fill="black", width=2)
    return image


def error_rate(expected: str, recognized: str) -> float:
    """Character error rate: edit distance by the length of what is expected."""
    previous = list(range(len(recognized) + 1))
    for row, expected_character in enumerate(expected, start=1):
        current = [row]
        for column, letter_ in enumerate(recognized, start=1):
            replaced = previous[column - 1] + (expected_character != letter_)
            current.append(min(replaced, previous[column] + 1, current[-1] + 1))
        previous = current
    return previous[-1] / len(expected)
