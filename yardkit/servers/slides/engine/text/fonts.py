"""Fonts to measure with: the font itself, or one of the same widths; bundled ones first, then what fontconfig finds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from yardkit.world.fontconfig import match_file
from yardkit.world.fonts import CJK_FAMILY, FAMILIES, font_file

_SUBSTITUTE_FONTS = {
    **dict.fromkeys(("arial", "helvetica", "helvetica neue", "liberation sans"), "Liberation Sans"),
    **dict.fromkeys(("times new roman", "times", "liberation serif"), "Liberation Serif"),
    **dict.fromkeys(("courier new", "courier", "liberation mono", "consolas"), "Liberation Mono"),
    **dict.fromkeys(("verdana", "dejavu sans", "tahoma"), "DejaVu Sans"),
}
_SCALE = 100
_WIDE = ("\u1100", "\u2e80", "\uac00", "\uff00")


@lru_cache(maxsize=64)
def load_face(family: str, bold: bool, italic: bool) -> Any:
    """A font of 100 pixels per em to measure with."""
    from PIL import ImageFont

    return ImageFont.truetype(_find_font_file(family, bold, italic), _SCALE)


@lru_cache(maxsize=1)
def _load_cjk_font() -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_file(CJK_FAMILY)), _SCALE)


def _find_font_file(family: str, bold: bool, italic: bool) -> str:
    name = _SUBSTITUTE_FONTS.get(family.lower()) or next(
        (text for text in FAMILIES if text.lower() == family.lower()), None
    )
    if name and not (bold and italic):
        return str(font_file(name, bold, italic))
    return match_file(family, bold, italic) or str(font_file(name or "Liberation Sans", bold, italic))


@lru_cache(maxsize=20_000)
def width_pt(text: str, family: str, size_pt: float, bold: bool, italic: bool) -> float:
    """The width of a piece of text on one line."""
    font = load_face(family, bold, italic)
    if any(letter >= _WIDE[0] for letter in text):
        wide = "".join(letter for letter in text if letter >= _WIDE[0])
        narrow = "".join(letter for letter in text if letter < _WIDE[0])
        return float(font.getlength(narrow) + _load_cjk_font().getlength(wide)) * size_pt / _SCALE
    return float(font.getlength(text)) * size_pt / _SCALE


@lru_cache(maxsize=64)
def line_pt(family: str, bold: bool = False, italic: bool = False) -> float:
    """The height of a line at 1 pt."""
    ascent, descent = load_face(family, bold, italic).getmetrics()
    return float(ascent + descent) / _SCALE
