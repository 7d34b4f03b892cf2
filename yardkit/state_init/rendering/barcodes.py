"""Barcodes as they are printed on packs: EAN-13."""

from typing import Any

from yardkit.state_init.rendering.ink import Color, Face, write_line

_LEFT = ("0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011")
_PARITY = ("LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL")
MODULES = 95
"""Bars and gaps of the code, in units of its narrowest bar."""
QUIET = 9
"""Units that must stay free on both sides."""


def add_check_digit(twelve: str) -> str:
    """The number with its check digit (GS1 General Specifications, 7.9)."""
    first_sum, even = (sum(map(int, twelve[start::2])) for start in (0, 1))
    return twelve + str(-(first_sum + 3 * even) % 10)


def draw_ean13(
    draw: Any,
    place: tuple[int, int],
    code: str,
    *,
    unit: int = 2,
    height: int = 70,
    digits: str = "",
    ink: Color = (16, 16, 18),
) -> None:
    """Bars on a white ground with the digits below, by default those of the code; `place` is its left top in pixels."""
    (left, top), digits, face = place, digits or code, Face("Liberation Sans", 9 * unit)
    width, tall = (MODULES + 2 * QUIET) * unit, height + face.size + 4 * unit
    draw.rectangle([left, top, left + width - 1, top + tall - 1], fill=(255, 255, 255))
    for number, bar in enumerate(_encode_bars(code)):
        if bar == "1":
            x = left + (QUIET + number) * unit
            long = number < 3 or number > MODULES - 4 or 45 <= number < 50
            draw.rectangle([x, top + unit, x + unit - 1, top + height + (4 * unit if long else 0)], fill=ink)
    for text, start, wide in ((digits[0], 1, 6), (digits[1:7], QUIET + 3, 42), (digits[7:], QUIET + 50, 42)):
        step = wide / len(text)
        for number, digit in enumerate(text):
            middle = left + (start + (number + 0.5) * step) * unit
            write_line(draw, (middle, top + height + unit), digit, face, ink, "center")


def _encode_bars(code: str) -> str:
    first, left, right = int(code[0]), code[1:7], code[7:]
    bars = "101"
    for digit, parity in zip(left, _PARITY[first], strict=True):
        bars += _LEFT[int(digit)] if parity == "L" else _reverse_bars(_invert_digit(digit))
    return bars + "01010" + "".join(map(_invert_digit, right)) + "101"


def _invert_digit(digit: str) -> str:
    return _LEFT[int(digit)].translate(str.maketrans("01", "10"))


def _reverse_bars(bars: str) -> str:
    return bars[::-1]
