"""Meters as they hang in a cellar: a water meter with number rollers, an electricity meter with a display."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_noise_generator, new_image, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

MeterKind = Literal["rollers", "display"]
_SCALE = 2  # drawn twice as large and scaled down, for smooth edges
_WIDTH, _HEIGHT = 1000, 760
_SEGMENTS = {"0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
             "8": "abcdefg", "9": "abcdfg"}  # fmt: skip


@dataclass(frozen=True)
class Meter:
    """A meter: what is printed on it, and how many digits it counts before and behind the decimal point.

    `register` is what its display says that it shows, such as ``1.8.0``, what was taken from the grid.
    """

    kind: MeterKind
    number: str
    unit: str
    maker: str
    integer_digits: int
    decimals: int
    register: str = ""

    def format_digits(self, reading: float) -> str:
        """The signs that it shows, without a point."""
        return f"{round(reading * 10**self.decimals):0{self.integer_digits + self.decimals}d}"


def meter_photo(meter: Meter, reading: float, stamp: str, rng: random.Random) -> "Image":
    """A meter on its wall with a lamp's glare beside the digits; `stamp` is the camera's. About 900 x 700 pixels."""
    from PIL import Image

    image = _draw_wall(rng)
    (_water_meter if meter.kind == "rollers" else _electricity_meter)(image, meter, reading, rng)
    image = _add_glare(image, meter, rng)
    angle = rng.uniform(-3.5, 3.5)
    image = image.rotate(angle, Image.Resampling.BICUBIC).resize((_WIDTH, _HEIGHT), Image.Resampling.LANCZOS)
    image = image.crop((40, 30, _WIDTH - 40, _HEIGHT - 30))
    draw = get_pen(image)
    face = Face("DejaVu Sans Mono", 30, bold=True)
    place = (image.width - 30, image.height - 52)
    for shift in ((2, 2), (0, 0)):
        write_line(
            draw,
            (place[0] + shift[0], place[1] + shift[1]),
            stamp,
            face,
            (40, 20, 0) if shift[0] else (255, 168, 40),
            "right",
        )
    return image


def _draw_wall(rng: random.Random) -> "Image":
    """Plaster with a grain, two pipes or cables up and down."""
    import cv2
    import numpy as np
    from PIL import Image

    width, height = _WIDTH * _SCALE, _HEIGHT * _SCALE
    color = np.array(rng.choice([(178, 174, 166), (160, 166, 168), (186, 178, 160)]), dtype=float)
    rough = cv2.resize(make_noise_generator(rng).normal(0, 1, (height // 6, width // 6)), (width, height))
    light = np.linspace(1.05, 0.78, height)[:, None] + np.zeros((height, width))
    return Image.fromarray(np.clip(color * light[..., None] + 5 * rough[..., None], 0, 255).astype(np.uint8))


def _water_meter(image: "Image", meter: Meter, reading: float, rng: random.Random) -> None:
    draw, x, y = get_pen(image), _WIDTH, 740
    brass = _of_its_own(meter, ((166, 128, 62), (150, 108, 66), (120, 124, 128)))
    for shade, half in ((0.7, 92), (0.95, 74), (1.2, 34)):
        draw.rectangle([0, y - half, image.width, y + half], fill=_scale_color(brass, shade))
    for shade, radius in ((0.55, 590), (0.9, 570), (1.1, 530)):
        draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=_scale_color(brass, shade))
    draw.ellipse([x - 490, y - 490, x + 490, y + 490], fill=(244, 244, 240), outline=(60, 60, 60), width=6)
    write_line(draw, (x, y - 380), meter.maker, Face("Liberation Sans", 70, bold=True), (30, 60, 120), "center")
    _draw_rollers(draw, meter, meter.format_digits(reading), (x - 30, y - 190))
    end = x - 30 + (meter.integer_digits + meter.decimals) * 88 / 2 + 34
    write_line(draw, (end, y - 150), meter.unit, Face("Liberation Sans", 64, bold=True), (30, 30, 30))
    write_line(draw, (x, y + 20), f"No. {meter.number}", Face("Liberation Sans", 62), (30, 30, 30), "center")
    for number, label in enumerate(("x0.0001", "Q3 4")):
        write_line(draw, (x - 210 + number * 420, y + 300), label, Face("Liberation Sans", 36), (90, 90, 90), "center")
    _draw_pointer(draw, (x - 210, y + 210), rng)
    _draw_star_wheel(draw, (x + 210, y + 210))


def _draw_rollers(draw: Any, meter: Meter, digits: str, place: tuple[float, float]) -> None:
    """The window of the counter: white digits on black, behind the point on red."""
    wide, high, face = 88, 132, Face("DejaVu Sans", 92, bold=True)
    left, top = place[0] - len(digits) * wide / 2, place[1]
    draw.rectangle([left - 16, top - 14, left + len(digits) * wide + 16, top + high + 14], fill=(70, 74, 78))
    for number, digit in enumerate(digits):
        x, color = left + number * wide, (24, 24, 26) if number < meter.integer_digits else (176, 24, 28)
        draw.rectangle([x + 2, top, x + wide - 2, top + high], fill=color)
        draw.rectangle([x + 2, top, x + wide - 2, top + 10], fill=_scale_color(color, 0.5))
        draw.rectangle([x + 2, top + high - 10, x + wide - 2, top + high], fill=_scale_color(color, 0.5))
        write_line(draw, (x + wide / 2, top + 6), digit, face, (242, 240, 232), "center")


def _draw_pointer(draw: Any, place: tuple[float, float], rng: random.Random) -> None:
    import math

    x, y = place
    draw.ellipse([x - 84, y - 84, x + 84, y + 84], fill=(252, 252, 250), outline=(40, 40, 40), width=5)
    for tick in range(10):
        turn = tick * math.pi / 5
        inner, outer = 62, 78
        ends = [(x + math.sin(turn) * reach, y - math.cos(turn) * reach) for reach in (inner, outer)]
        draw.line(ends, fill=(40, 40, 40), width=5)
    turn = rng.uniform(0, 6.28)
    draw.line([(x, y), (x + math.sin(turn) * 66, y - math.cos(turn) * 66)], fill=(190, 20, 24), width=11)
    draw.ellipse([x - 13, y - 13, x + 13, y + 13], fill=(190, 20, 24))


def _draw_star_wheel(draw: Any, place: tuple[float, float]) -> None:
    """The wheel that turns while water runs."""
    import math

    x, y = place
    draw.ellipse([x - 70, y - 70, x + 70, y + 70], fill=(230, 230, 226), outline=(40, 40, 40), width=5)
    points = [
        (x + math.sin(step * math.pi / 8) * reach, y - math.cos(step * math.pi / 8) * reach)
        for step in range(16)
        for reach in [58 if step % 2 == 0 else 30]
    ]
    draw.polygon(points, fill=(30, 60, 120))


def _electricity_meter(image: "Image", meter: Meter, reading: float, rng: random.Random) -> None:
    draw, x, top = get_pen(image), _WIDTH, 130
    case = _of_its_own(meter, ((226, 228, 226), (210, 214, 218), (232, 226, 212)))
    for side in (-300, 300):
        draw.rectangle([x + side - 40, 0, x + side + 40, image.height], fill=(58, 60, 64))
        draw.rectangle([x + side - 12, 0, x + side + 4, image.height], fill=(96, 98, 102))
    draw.rounded_rectangle([x - 560, top + 16, x + 580, top + 1256], 46, fill=_scale_color(case, 0.45))
    draw.rounded_rectangle([x - 570, top, x + 570, top + 1240], 46, fill=case, outline=_scale_color(case, 0.7), width=6)
    write_line(draw, (x - 490, top + 60), meter.maker, Face("Liberation Sans", 74, bold=True), (20, 70, 90))
    write_line(draw, (x + 490, top + 74), "3x230/400 V  50 Hz", Face("Liberation Sans", 44), (70, 70, 70), "right")
    draw.rounded_rectangle([x - 490, top + 190, x + 490, top + 560], 20, fill=(52, 56, 58))
    draw.rectangle([x - 460, top + 220, x + 460, top + 530], fill=(172, 188, 160))
    write_line(draw, (x - 430, top + 236), meter.register, Face("DejaVu Sans Mono", 52, bold=True), (34, 42, 34))
    write_line(draw, (x + 430, top + 236), meter.unit, Face("DejaVu Sans", 56, bold=True), (34, 42, 34), "right")
    _draw_display(draw, meter, meter.format_digits(reading), (x, top + 330))
    write_line(draw, (x - 490, top + 640), "Meter No.", Face("Liberation Sans", 50), (60, 60, 60))
    write_line(draw, (x - 490, top + 710), meter.number, Face("Liberation Sans", 78, bold=True), (20, 20, 20))
    draw.ellipse([x + 380, top + 690, x + 430, top + 740], fill=rng.choice([(220, 30, 30), (120, 30, 30)]))
    write_line(draw, (x + 405, top + 760), "1000 imp/kWh", Face("Liberation Sans", 36), (90, 90, 90), "center")
    draw.rectangle([x - 570, top + 900, x + 570, top + 910], fill=_scale_color(case, 0.7))
    for side in (-470, 470):
        draw.ellipse(
            [x + side - 34, top + 1080, x + side + 34, top + 1148], fill=(150, 150, 146), outline=(70, 70, 70), width=5
        )
        draw.line([(x + side - 20, top + 1114), (x + side + 20, top + 1114)], fill=(60, 60, 60), width=9)


def _draw_display(draw: Any, meter: Meter, digits: str, place: tuple[float, float]) -> None:
    """Digits of a liquid crystal: seven strokes, those that are off hardly seen."""
    wide, high, gap = 74, 150, 34
    left = place[0] - (len(digits) * (wide + gap) - gap) / 2
    for number, digit in enumerate(digits):
        x = left + number * (wide + gap)
        for stroke in "abcdefg":
            color = (34, 42, 34) if stroke in _SEGMENTS[digit] else (164, 180, 152)
            draw.polygon(_outline_stroke(stroke, (x, place[1]), wide, high), fill=color)
        if meter.decimals and number == meter.integer_digits - 1:
            draw.rectangle([x + wide + 9, place[1] + high - 18, x + wide + 27, place[1] + high], fill=(34, 42, 34))


def _outline_stroke(name: str, place: tuple[float, float], wide: int, high: int) -> list[tuple[float, float]]:
    """One of the strokes a (top), b, c (right), d (bottom), e, f (left), g (middle)."""
    x, y, thick = *place, 20
    middle = y + high / 2
    flat = {"a": y, "g": middle - thick / 2, "d": y + high - thick}
    if name in flat:
        top = flat[name]
        return [(x + 8, top), (x + wide - 8, top), (x + wide - 18, top + thick), (x + 18, top + thick)]
    left = x if name in "ef" else x + wide - thick
    start, end = (y + 6, middle - 4) if name in "bf" else (middle + 4, y + high - 6)
    return [(left, start), (left + thick, start), (left + thick, end), (left, end)]


def _add_glare(image: "Image", meter: Meter, rng: random.Random) -> "Image":
    """The reflection of a lamp: bright beside the counter, faint above it."""
    from PIL import Image, ImageFilter

    mask = Image.new("L", image.size, 0)
    draw = get_pen(mask)
    x, y = rng.choice(
        [(640, 1010), (1390, 1020), (620, 480), (1400, 470)]
        if meter.kind == "rollers"
        else [(600, 1180), (1400, 1190), (1000, 1150)]
    )
    for reach, bright in ((230, 40), (130, 110), (64, 210)):
        draw.ellipse([x - reach, y - reach * 0.6, x + reach, y + reach * 0.6], fill=bright)
    start = rng.randint(200, 1500)
    draw.polygon([(start, 0), (start + 120, 0), (start - 300, image.height), (start - 420, image.height)], fill=34)
    mask = mask.filter(ImageFilter.GaussianBlur(26))
    image.paste(new_image(*image.size, (255, 255, 250)), (0, 0), mask)
    return image


def _of_its_own(meter: Meter, colors: tuple[Color, ...]) -> Color:
    """The same colour in each photo of a meter."""
    return colors[sum(map(ord, meter.number)) % len(colors)]


def _scale_color(color: Color, factor: float) -> Color:
    red, green, blue = (min(255, round(side * factor)) for side in color)
    return red, green, blue
