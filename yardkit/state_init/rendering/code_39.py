"""Code 39 as printers draw it. Source: ISO/IEC 16388."""

from typing import Any

from yardkit.state_init.rendering.ink import Color
from yardkit.world import Problem

_SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. *"
# Five bars and four gaps of each sign, beginning with a bar: w is wide.
_WIDTHS = (
    *("nnnwwnwnn", "wnnwnnnnw", "nnwwnnnnw", "wnwwnnnnn", "nnnwwnnnw", "wnnwwnnnn", "nnwwwnnnn", "nnnwnnwnw"),
    *("wnnwnnwnn", "nnwwnnwnn", "wnnnnwnnw", "nnwnnwnnw", "wnwnnwnnn", "nnnnwwnnw", "wnnnwwnnn", "nnwnwwnnn"),
    *("nnnnnwwnw", "wnnnnwwnn", "nnwnnwwnn", "nnnnwwwnn", "wnnnnnnww", "nnwnnnnww", "wnwnnnnwn", "nnnnwnnww"),
    *("wnnnwnnwn", "nnwnwnnwn", "nnnnnnwww", "wnnnnnwwn", "nnwnnnwwn", "nnnnwnwwn", "wwnnnnnnw", "nwwnnnnnw"),
    *("wwwnnnnnn", "nwnnwnnnw", "wwnnwnnnn", "nwwnwnnnn", "nwnnnnwnw", "wwnnnnwnn", "nwwnnnwnn", "nwnnwnwnn"),
)


def draw_code_39(
    draw: Any,
    place: tuple[float, float],
    text: str,
    *,
    module_px: int = 3,
    height_px: int = 90,
    ink: Color = (16, 16, 18),
) -> float:
    """Draw bars from a left upper corner on; the number below them is not written. The right end in pixels.

    Args:
        draw: Pillow's ``ImageDraw``.
        place: left upper corner.
        text: capitals, digits, ``-``, ``.`` and blanks.
        module_px: width of a narrow bar; a wide one is three times as wide.
        height_px: of the bars.
        ink: their colour.

    Raises:
        Problem: there is a sign that the code does not have.
    """
    x, top = place
    for sign in f"*{text}*":
        if sign not in _SIGNS or (sign == "*" and "*" in text):
            raise Problem(f"Code 39 has no {sign!r}; give capitals, digits, '-', '.' and blanks")
        for number, width in enumerate(_WIDTHS[_SIGNS.index(sign)]):
            right = x + module_px * (3 if width == "w" else 1)
            if number % 2 == 0:
                draw.rectangle([x, top, right - 1, top + height_px], fill=ink)
            x = right
        x += module_px
    return x
