"""Text as it stands on paper: runs of one direction from left to right, their letters joined and marked by HarfBuzz."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby
from typing import Any

from yardkit.kit.markdown.directions import runs_backward
from yardkit.world import Problem

_PANGO = ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll")
_BY_TEXT = 5
"""The direction that Pango finds by the first letter that has one (PANGO_DIRECTION_NEUTRAL)."""
_BACKWARD = ("R", "AL", "AN")
_RIGHT_TO_LEFT_MARK = "\u200f"
_MARKS_OF_DIRECTION = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")

Run = tuple[str, Any]
"""The name of a registered font, and what is drawn with it: a text, or one that ReportLab has as shaped."""


def is_shaped(text: str) -> bool:
    """Whether a text needs more than its characters side by side: it runs from right to left, or has marks."""
    return any(unicodedata.bidirectional(char) in _BACKWARD or unicodedata.category(char)[0] == "M" for char in text)


def is_private(char: str) -> bool:
    """Whether a character stands for a glyph that has none, such as a joined form."""
    return unicodedata.category(char) == "Co"


def mark_direction(line: str, backward: bool) -> str:
    """A line of a paragraph, so that it has the direction of the paragraph whatever it begins with."""
    return _RIGHT_TO_LEFT_MARK + line if backward and not runs_backward(line) else line


def visual_runs(text: str, in_fonts: Callable[[str], list[tuple[str, str]]]) -> list[Run]:
    """What is drawn of a line, from left to right (UAX #9).

    Args:
        text: one line in the order in which it is read.
        in_fonts: divides a text into pieces of one font.

    Raises:
        Problem: Pango is not installed.
    """
    runs: list[Run] = []
    for part, backward in _order_directions(text):
        pieces = in_fonts(_MARKS_OF_DIRECTION.sub("", part))
        ordered = reversed(pieces) if backward else pieces
        runs += [(name, _shape_text(piece, name, backward)) for name, piece in ordered]
    return runs


def visual_order(text: str) -> str:
    """The characters of a line from left to right, for those that each stand in a cell."""
    if not is_shaped(text):
        return text
    return "".join(part[::-1] if backward else part for part, backward in _order_directions(text))


def _order_directions(text: str) -> list[tuple[str, bool]]:
    """The parts of a line from left to right, and which of them run from right to left (rule L2)."""
    levels = _compute_levels(text)
    parts: list[tuple[int, str]] = []
    for level, chars in groupby(zip(levels, text, strict=True), lambda pair: pair[0]):
        parts.append((level, "".join(char for _, char in chars)))
    for least in range(max(levels, default=0), 0, -1):
        parts = _turn_parts(parts, least)
    return [(part, level % 2 == 1) for level, part in parts]


def _turn_parts(parts: list[tuple[int, str]], least: int) -> list[tuple[int, str]]:
    turned: list[tuple[int, str]] = []
    for inside, group in groupby(parts, lambda part: part[0] >= least):
        grouped_parts = list(group)
        turned += reversed(grouped_parts) if inside else grouped_parts
    return turned


def _compute_levels(text: str) -> list[int]:
    data = text.encode()
    base = ctypes.c_int(_BY_TEXT)
    pango = _load_pango()
    embedding_levels = pango.pango_log2vis_get_embedding_levels(data, len(data), ctypes.byref(base))
    try:
        return list(embedding_levels[: len(text)])
    finally:
        pango.g_free(embedding_levels)


@cache
def _load_pango() -> Any:
    for name in _PANGO:
        try:
            pango = ctypes.CDLL(name)
        except OSError:
            continue
        pango.pango_log2vis_get_embedding_levels.restype = ctypes.POINTER(ctypes.c_uint8)
        pango.pango_log2vis_get_embedding_levels.argtypes = [
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_int),
        ]
        pango.g_free.argtypes = [ctypes.c_void_p]
        return pango
    raise Problem("right-to-left text needs Pango, which is not installed; run apt-get install libpango-1.0-0")


def _shape_text(text: str, name: str, backward: bool) -> Any:
    """The glyphs of a text from left to right, each as the character that stands for it in the font."""
    import uharfbuzz  # type: ignore[import-untyped]
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import ShapeData, ShapedStr

    font = pdfmetrics.getFont(name)
    letters = font.hbFont()
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if backward else "ltr"
    uharfbuzz.shape(letters, buffer)
    chars, data = [], []
    for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        char = _char_of(font, letters, info.codepoint)
        placed = (font.pdfScale(value) for value in (at.x_advance, at.y_advance, at.x_offset, at.y_offset))
        chars.append(chr(char))
        data.append(ShapeData(info.cluster, *placed, font.face.charWidths[char]))
    return ShapedStr("".join(chars), data)


def _char_of(font: Any, letters: Any, glyph: int) -> int:
    """The character of a glyph; one for private use where the font has none."""
    known = font.face.glyphToChar.get(glyph)
    if known:
        return int(known[0])
    char = font.hbAddPrivate(letters.glyph_to_string(glyph), glyph, 0)
    font.face.charWidths[char] = font.pdfScale(letters.get_glyph_h_advance(glyph))
    return int(char)
