"""Pictures of tables: printed, on a web page, in a spreadsheet."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import (
    Align,
    Box,
    Color,
    Face,
    get_pen,
    make_paper,
    text_width,
    wrap_words,
    write_line,
)

if TYPE_CHECKING:
    from PIL.Image import Image

TableStyle = Literal["ruled", "zebra", "web", "dark", "spreadsheet", "booktabs"]


@dataclass(frozen=True)
class _Look:
    face: Face
    paper: Color
    ink: Color
    head: Color
    head_ink: Color
    band: Color | None
    grid: Literal["all", "rows", "none", "top"]
    line: Color


_WHITE: Color = (255, 255, 255)
_LOOKS: dict[TableStyle, _Look] = {
    "ruled": _Look(
        *(Face("Liberation Serif", 26), (253, 252, 248), (30, 30, 30), (236, 232, 222), (30, 30, 30), None),
        *("all", (90, 90, 90)),
    ),
    "zebra": _Look(
        *(Face("Liberation Sans", 25), _WHITE, (36, 40, 46), (44, 82, 130), _WHITE, (236, 242, 250)),
        *("none", (200, 208, 220)),
    ),
    "web": _Look(
        *(Face("DejaVu Sans", 22), _WHITE, (32, 33, 36), (248, 249, 250), (95, 99, 104), None),
        *("rows", (218, 220, 224)),
    ),
    "dark": _Look(
        *(Face("Liberation Sans", 25), (24, 27, 34), (226, 230, 238), (38, 43, 54), (130, 196, 255), (30, 34, 43)),
        *("rows", (52, 58, 70)),
    ),
    "spreadsheet": _Look(
        *(Face("Liberation Sans", 23), _WHITE, (20, 20, 20), (226, 239, 218), (20, 20, 20), None),
        *("all", (208, 208, 208)),
    ),
    "booktabs": _Look(
        *(Face("Liberation Serif", 27), _WHITE, (10, 10, 10), _WHITE, (10, 10, 10), None),
        *("top", (10, 10, 10)),
    ),
}


def draw_table(
    header: list[str],
    rows: list[list[str]],
    style: TableStyle,
    rng: random.Random,
    title: str = "",
    align: list[Align] | None = None,
    max_column: int = 420,
) -> "Image":
    """A table of texts; each row has as many cells as the header.

    Columns are as wide as their texts, at most `max_column` pixels, and wrap then. Without `align`, numbers stand
    to the right and texts to the left. `rng` gives the padding of the cells and, in print, the grain of the paper.
    """
    look = _LOOKS[style]
    padding = rng.randint(16, 24)
    align = align or [_choose_alignment(rows, column) for column in range(len(header))]
    widths = [
        _column_width([header, *rows], column, look.face, max_column) + 2 * padding for column in range(len(header))
    ]
    lines = [[wrap_words(cell, look.face, max_column) or [""] for cell in row] for row in [header, *rows]]
    heights = [round(max(map(len, row)) * look.face.size * 1.3 + padding * 1.1) for row in lines]
    top, margin = (40 + round(look.face.size * 2.4) if title else 40), 40
    size = (sum(widths) + 2 * margin, sum(heights) + top + margin)
    image = make_paper(*size, look.paper, rng, grain=1.2 if style in ("ruled", "booktabs") else 0.0)
    draw = get_pen(image)
    if title:
        write_line(draw, (margin, 34), title, look.face.scale(1.3).make_bold(), look.ink)
    y = top
    for number, (row, height) in enumerate(zip(lines, heights, strict=True)):
        _draw_row(draw, look, row, (margin, y, widths, height), (number, padding), align)
        y += height
    _draw_grid(draw, look, (margin, top, margin + sum(widths), y), widths, heights)
    return image


def _choose_alignment(rows: list[list[str]], column: int) -> Align:
    cells = [row[column] for row in rows]
    numeric = all(any(sign.isdigit() for sign in cell[:3]) and len(cell.split()) <= 2 for cell in cells)
    return "right" if numeric else "left"


def _column_width(rows: list[list[str]], column: int, face: Face, limit: int) -> int:
    widths = [text_width(row[column], face.make_bold() if number == 0 else face) for number, row in enumerate(rows)]
    return min(limit, max(widths)) + 4


def _draw_row(
    draw: Any,
    look: _Look,
    row: list[list[str]],
    place: tuple[int, int, list[int], int],
    kind: tuple[int, int],
    align: list[Align],
) -> None:
    x, y, widths, height = place
    number, padding = kind
    fill = look.head if number == 0 else look.band if number % 2 == 0 else None
    if fill:
        draw.rectangle([x, y, x + sum(widths), y + height - 1], fill=fill)
    face, ink = (look.face.make_bold(), look.head_ink) if number == 0 else (look.face, look.ink)
    for cell, width, side in zip(row, widths, align, strict=True):
        anchor = {"left": x + padding, "center": x + width / 2, "right": x + width - padding}[side]
        for place_in_cell, line in enumerate(cell):
            write_line(draw, (anchor, y + padding * 0.4 + place_in_cell * face.size * 1.3), line, face, ink, side)
        x += width


def _draw_grid(draw: Any, look: _Look, box: Box, widths: list[int], heights: list[int]) -> None:
    left, top, right, bottom = box
    if look.grid == "top":
        for y, width in ((top, 4), (top + heights[0], 2), (bottom, 4)):
            draw.line([(left, y), (right, y)], fill=look.line, width=width)
    if look.grid in ("all", "rows"):
        y = top
        for height in [*heights, 0]:
            draw.line([(left, y), (right, y)], fill=look.line, width=2)
            y += height
    if look.grid == "all":
        x = left
        for width in [*widths, 0]:
            draw.line([(x, top), (x, bottom)], fill=look.line, width=2)
            x += width
