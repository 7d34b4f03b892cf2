"""Bold Chinese, Japanese and Korean: the bundled family has one weight, so letters that a PDF embeds are thickened."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from typing import Any

from yardkit.world.fonts import CJK_FAMILY

_BOLD = re.compile(rf"/[A-Z]{{6}}\+{CJK_FAMILY.replace(' ', '-')}-.*(?:Bold|Heavy)")
_GROWTH = 1 / 80
"""How far each edge moves out, in sizes of the letters; strokes get twice as much thicker, as in other programs."""
_SHARPEST = -0.9
"""The cosine of a turn that is nearly back to where the outline came from: its tip would shoot far out."""

Point = tuple[float, float]


def thicken_letters(pdf: Any) -> None:
    """Thicken the letters of the CJK family wherever text asks for it in bold; their widths stay."""
    import pikepdf

    for pdf_object in pdf.objects:
        if isinstance(pdf_object, pikepdf.Dictionary) and _BOLD.match(str(pdf_object.get("/FontName", ""))):
            program = pdf_object.get("/FontFile2")
            if program is not None:
                data = _thicken_font(program.read_bytes())
                program.write(data)
                program["/Length1"] = len(data)


def _thicken_font(data: bytes) -> bytes:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(io.BytesIO(data), recalcTimestamp=False)
    glyphs, widths = font["glyf"], font["hmtx"].metrics
    names = [name for name in font.getGlyphOrder() if glyphs[name].numberOfContours]
    distance = font["head"].unitsPerEm * _GROWTH
    for name in names:
        if glyphs[name].numberOfContours > 0:  # the others are made of these
            _grow_glyph(glyphs[name], distance)
    for name in names:
        glyphs[name].recalcBounds(glyphs)
        widths[name] = (widths[name][0], glyphs[name].xMin)
    font_file = io.BytesIO()
    font.save(font_file)
    return font_file.getvalue()


def _grow_glyph(glyph: Any, distance: float) -> None:
    start = 0
    for end in glyph.endPtsOfContours:
        points = list(glyph.coordinates[start : end + 1])
        for index, point in enumerate(_moved_out(points, distance), start=start):
            glyph.coordinates[index] = point
        start = end + 1
    glyph.coordinates.toInt()


def _moved_out(points: Sequence[Point], distance: float) -> list[Point]:
    """A closed outline with each point moved away from the ink, which lies to its right (as TrueType has it)."""
    moved_points = []
    for before, point, after in zip([points[-1], *points], points, [*points[1:], points[0]], strict=False):
        arriving, leaving = _get_direction(before, point), _get_direction(point, after)
        (ax, ay), (bx, by) = arriving or leaving or (0.0, 0.0), leaving or arriving or (0.0, 0.0)
        cosine = ax * bx + ay * by
        if cosine < _SHARPEST:
            ax, ay, cosine = bx, by, 1.0
        length = distance / (1 + cosine)
        moved_points.append((point[0] - (ay + by) * length, point[1] + (ax + bx) * length))
    return moved_points


def _get_direction(start: Point, end: Point) -> Point | None:
    """The direction from one point to another, of length 1; None where they are the same."""
    across, up = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, up)
    return (across / length, up / length) if length else None
