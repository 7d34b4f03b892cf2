"""Flat illustrations, as a newsletter has them: a sky, a ground, and a few plain shapes of one subject."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.ink import Color, Face, get_pen, new_image, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

_SKIES = (((196, 224, 243), (238, 246, 250)), ((250, 226, 190), (252, 244, 228)), ((205, 232, 214), (240, 248, 240)))
_TONES = ((38, 84, 124), (201, 92, 60), (64, 128, 92), (226, 174, 60), (110, 84, 130), (52, 62, 78))


def draw_illustration(subject: str, rng: random.Random, width: int = 960, height: int = 480) -> "Image":
    """A picture of a subject, one of `SUBJECTS`, or of hills; colours and places are chosen by chance."""
    image = new_image(width, height, (255, 255, 255))
    draw = get_pen(image)
    top, bottom = rng.choice(_SKIES)
    for y in range(height):
        part = y / height
        draw.line((0, y, width, y), tuple(round(a + (b - a) * part) for a, b in zip(top, bottom, strict=True)))
    sun = rng.randint(width // 8, width - width // 8)
    draw.ellipse((sun - 40, 30, sun + 40, 110), (250, 214, 110))
    draw.rectangle((0, height * 3 // 4, width, height), (186, 196, 178))
    tones = rng.sample(_TONES, 4)
    SUBJECTS.get(subject, _draw_hills)(draw, tones, rng, width, height)
    return image


def draw_letter_logo(letter: str, accent: Color) -> "Image":
    """A letter in a disc."""
    image = new_image(256, 256, accent)
    draw = get_pen(image)
    draw.ellipse((14, 14, 242, 242), (255, 255, 255))
    write_line(draw, (128, 44), letter, Face("Liberation Sans", 140, bold=True), accent, "center")
    return image


def _draw_hills(draw: Any, tones: list[Color], rng: random.Random, width: int, height: int) -> None:
    for tone in tones[:3]:
        middle, wide = rng.randint(0, width), rng.randint(width // 3, width)
        high = rng.randint(height // 4, height * 3 // 5)
        draw.ellipse((middle - wide, height - high, middle + wide, height + high), tone)


def _draw_tray(draw: Any, tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    draw.rounded_rectangle((width * 0.15, height * 0.35, width * 0.85, height * 0.9), 24, tones[0])
    for number, tone in enumerate(tones[1:]):
        x, y = width * (0.29 + 0.21 * number), height * 0.62
        draw.ellipse((x - 85, y - 85, x + 85, y + 85), (255, 255, 255))
        draw.ellipse((x - 60, y - 60, x + 60, y + 60), tone)


def _draw_bicycles(draw: Any, tones: list[Color], rng: random.Random, width: int, height: int) -> None:
    draw.rectangle((width * 0.05, height * 0.15, width * 0.3, height * 0.75), tones[2])
    for number in range(2):
        x, y = width * (0.36 + 0.3 * number) + rng.randint(-15, 15), height * 0.74
        for wheel in (x - 60, x + 90):
            draw.ellipse((wheel - 58, y - 58, wheel + 58, y + 58), outline=(40, 44, 52), width=8)
        frame = [(x - 60, y), (x - 20, y - 90), (x + 65, y - 90), (x + 20, y), (x - 60, y)]
        draw.line([*frame, (x + 20, y), (x - 26, y - 104)], tones[number], 10)
        draw.line([(x + 90, y), (x + 62, y - 115), (x + 92, y - 122)], tones[number], 10)
        draw.line([(x - 46, y - 106), (x - 6, y - 106)], (40, 44, 52), 10)


def _draw_panels(draw: Any, tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    draw.rectangle((width * 0.1, height * 0.55, width * 0.9, height), tones[3])
    for number in range(5):
        x, y = width * (0.13 + 0.155 * number), height * 0.28
        draw.polygon([(x + 30, y), (x + 140, y), (x + 110, y + 140), (x, y + 140)], (28, 52, 92))
        for step in (1, 2):
            draw.line((x + 30 - step * 10, y + step * 47, x + 140 - step * 10, y + step * 47), (170, 190, 220), 3)
        draw.line((x + 85, y, x + 55, y + 140), (170, 190, 220), 3)


def _draw_stall(draw: Any, tones: list[Color], rng: random.Random, width: int, height: int) -> None:
    for number in range(8):
        x = width * 0.2 + number * width * 0.075
        draw.rectangle(
            (x, height * 0.16, x + width * 0.075, height * 0.34), tones[0] if number % 2 else (255, 255, 255)
        )
    draw.rectangle((width * 0.22, height * 0.34, width * 0.235, height * 0.9), (120, 90, 60))
    draw.rectangle((width * 0.765, height * 0.34, width * 0.78, height * 0.9), (120, 90, 60))
    draw.rectangle((width * 0.18, height * 0.66, width * 0.82, height * 0.92), (168, 128, 84))
    for number in range(6):
        x, high = width * (0.25 + 0.095 * number), rng.randint(30, 90)
        draw.rectangle((x, height * 0.66 - high, x + 46, height * 0.66), rng.choice(tones))


def _draw_shelves(draw: Any, tones: list[Color], rng: random.Random, width: int, height: int) -> None:
    draw.rectangle((width * 0.08, height * 0.08, width * 0.92, height * 0.95), (150, 112, 74))
    for row in range(3):
        floor, x = height * (0.34 + 0.28 * row), width * 0.1
        draw.rectangle((width * 0.1, floor - height * 0.23, width * 0.9, floor), (92, 68, 46))
        while x < width * 0.87:
            wide, high = rng.randint(14, 34), rng.randint(60, 100)
            draw.rectangle((x, floor - high, x + wide, floor), rng.choice(tones))
            x += wide + 3


def _draw_runners(draw: Any, tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    draw.rectangle((0, height * 0.55, width, height * 0.75), (120, 170, 205))
    for number, tone in enumerate(tones):
        x, y = width * (0.2 + 0.2 * number), height * 0.45
        draw.ellipse((x - 22, y - 60, x + 22, y - 16), (222, 180, 150))
        draw.line([(x, y - 14), (x - 12, y + 80)], tone, 34)
        draw.line([(x - 12, y + 80), (x + 40, y + 120), (x + 24, y + 180)], (50, 56, 66), 16)
        draw.line([(x - 12, y + 80), (x - 40, y + 130), (x - 90, y + 130)], (50, 56, 66), 16)
        draw.line([(x - 50, y + 40), (x, y + 10), (x + 48, y + 40)], tone, 14)


def _draw_bus(draw: Any, tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    draw.rounded_rectangle((width * 0.12, height * 0.25, width * 0.8, height * 0.78), 26, tones[0])
    for number in range(5):
        x = width * (0.16 + 0.12 * number)
        draw.rounded_rectangle((x, height * 0.33, x + width * 0.095, height * 0.53), 8, (222, 236, 246))
    for x in (width * 0.26, width * 0.66):
        draw.ellipse((x - 46, height * 0.78 - 46, x + 46, height * 0.78 + 46), (40, 44, 52))
    draw.rectangle((width * 0.9, height * 0.3, width * 0.912, height * 0.85), (90, 96, 104))
    draw.ellipse((width * 0.87, height * 0.18, width * 0.94, height * 0.32), tones[1])


def _draw_garden_beds(draw: Any, tones: list[Color], rng: random.Random, width: int, height: int) -> None:
    for number in range(3):
        x = width * (0.08 + 0.3 * number)
        for _ in range(14):
            at, high = x + rng.randint(10, int(width * 0.24) - 10), rng.randint(40, 120)
            draw.ellipse((at - 22, height * 0.6 - high, at + 22, height * 0.6 - high + 60), (72, 140, 84))
            draw.ellipse((at - 9, height * 0.6 - high + 5, at + 9, height * 0.6 - high + 23), rng.choice(tones))
        draw.rectangle((x, height * 0.58, x + width * 0.25, height * 0.86), (146, 104, 66))


def _first_aid(draw: Any, _tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    draw.rectangle((0, 0, width, height), (222, 226, 230))
    draw.rounded_rectangle((width * 0.3, height * 0.2, width * 0.7, height * 0.85), 22, (36, 132, 84))
    draw.rectangle((width * 0.47, height * 0.34, width * 0.53, height * 0.72), (255, 255, 255))
    draw.rectangle((width * 0.405, height * 0.475, width * 0.595, height * 0.585), (255, 255, 255))


def _draw_cups(draw: Any, tones: list[Color], _rng: random.Random, width: int, height: int) -> None:
    for number, tone in enumerate(tones[:3]):
        x, y = width * (0.25 + 0.25 * number), height * 0.3
        draw.polygon([(x - 70, y), (x + 70, y), (x + 50, y + 230), (x - 50, y + 230)], tone)
        draw.rounded_rectangle((x - 80, y - 26, x + 80, y + 8), 12, (60, 66, 76))


SUBJECTS: dict[str, Callable[[Any, list[Color], random.Random, int, int], None]] = {
    "canteen": _draw_tray,
    "bikes": _draw_bicycles,
    "solar": _draw_panels,
    "apprentices": _draw_stall,
    "library": _draw_shelves,
    "run": _draw_runners,
    "shuttle": _draw_bus,
    "garden": _draw_garden_beds,
    "firstaid": _first_aid,
    "cups": _draw_cups,
}
