"""Columns and rows that grow with what is written into them, as they do in Excel."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.layout.columns import PADDING, STANDARD, measure_length, set_fitted
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.package.xml import qualify_tag

_WIDEST_TEXT = 40
_HIGHEST = 409.0
_NARROW = 1.1  # Letters of running text are narrower than digits, in which widths are counted.
_MOST_CELLS = 3_000
_DIGIT = 7  # Pixels of a digit of the standard font, in which widths are counted.
_MARGIN = 0.75  # Characters that a cell keeps free beside a number.
_LINE = 15 / 11  # The height of a line, to the size of its font.
_TOLERANCE = 1.1  # A row that is so little too low cuts no letter.


def fit_area(grid: Grid, area: Area, *, fresh: bool = False, flowing: bool = True) -> None:
    """Let the columns and rows of `area` grow until they show what is in them; nothing shrinks.

    Columns: those of a `fresh` sheet, which was empty before, and those that were fitted before; where a date or a
    formatted number would show as ###, also those that never got a width. A width that somebody chose stays. Rows:
    those without a chosen height, where text is wrapped or large. A text may flow over an empty cell if `flowing`.
    """
    _widen_columns(grid, area, _Sizes(grid), fresh=fresh, flowing=flowing)
    if grid.book.styles.list_wrapping() or grid.book.styles.large():
        _heighten_rows(grid, area, _Sizes(grid))


def fit_for(grid: Grid, area: Area, styles: dict[int, int]) -> None:
    """Let columns of numbers grow as if they had other styles, which some programs show them in."""
    sizes = _Sizes(grid)
    longest: dict[int, float] = {}
    for cell, content in grid.contents(area):
        if content.kind == "number" and cell.column in styles and sizes.can_grow(cell.column, fresh=True):
            length = measure_length(grid, content._replace(style=styles[cell.column]))
            longest[cell.column] = max(longest.get(cell.column, 0.0), length)
    _set_widths(grid, sizes, longest)


def measure_span(grid: Grid, at: str) -> tuple[int, int] | None:
    """Width and height in pixels of a range of several cells; None for a single one."""
    if ":" not in at:
        return None
    area, sizes = area_of(at), _Sizes(grid)
    rows = {row: grid.row(row) for row in range(area.top, area.bottom + 1)}
    heights = [sizes.row if row is None else float(row.get("ht", sizes.row)) for row in rows.values()]
    wide = sum(int(sizes.width(column) * _DIGIT + 0.5) for column in range(area.left, area.right + 1))
    return wide, round(sum(heights) * 96 / 72)


class _Sizes:
    """What a sheet says of its columns and rows."""

    def __init__(self, grid: Grid) -> None:
        format_properties = grid.root.find(qualify_tag("sheetFormatPr"))
        standard = {} if format_properties is None else format_properties.attrib
        self.column = float(standard.get("defaultColWidth", STANDARD))
        self.row = float(standard.get("defaultRowHeight", "15"))
        self.spans = [
            (range(int(entry.get("min", "1")), int(entry.get("max", "1")) + 1), entry)
            for entry in grid.root.iterfind(f"{qualify_tag('cols')}/{qualify_tag('col')}")
        ]

    def find_entry(self, column: int) -> Any | None:
        return next((entry for span, entry in self.spans if column in span), None)

    def width(self, column: int) -> float:
        entry = self.find_entry(column)
        return self.column if entry is None else float(entry.get("width", self.column))

    def can_grow(self, column: int, *, fresh: bool) -> bool:
        entry = self.find_entry(column)
        return fresh if entry is None else _is_set(entry, "bestFit") or (fresh and not _is_set(entry, "customWidth"))


def _is_set(element: Any, name: str) -> bool:
    return element.get(name) in ("1", "true")


def _widen_columns(grid: Grid, area: Area, sizes: _Sizes, *, fresh: bool, flowing: bool) -> None:
    wrapping = grid.book.styles.list_wrapping()
    longest: dict[int, float] = {}
    for cell, content, alone in _iter_visible(grid, area):
        text = content.kind == "text"
        if content.style in wrapping or (text and alone and flowing):
            continue
        length = measure_length(grid, content)
        if not sizes.can_grow(cell.column, fresh=fresh) and not _is_overflowing(
            grid, content, length, cell.column, sizes
        ):
            continue
        longest[cell.column] = max(longest.get(cell.column, 0.0), min(length, _WIDEST_TEXT) if text else length)
    _set_widths(grid, sizes, longest)


def _set_widths(grid: Grid, sizes: _Sizes, longest: dict[int, float]) -> None:
    for column, length in longest.items():
        if length + PADDING > sizes.width(column):
            set_fitted(grid, column, length)


def _is_overflowing(grid: Grid, content: Content, length: float, column: int, sizes: _Sizes) -> bool:
    """Whether a date or a formatted number shows as ### in a column whose width nobody chose."""
    is_unformatted = content.kind == "text" or grid.book.styles.number_format(content.style) == "General"
    return not is_unformatted and sizes.can_grow(column, fresh=True) and length + _MARGIN > sizes.width(column)


def _iter_visible(grid: Grid, area: Area) -> Iterator[tuple[Cell, Content, bool]]:
    """The filled cells outside merged areas, and whether the next one is empty, so that a text flows over it.

    Of very many rows the first ones and the last, where totals stand.
    """
    merged = grid.list_merged()
    top = area.top + max(_MOST_CELLS // area.columns, 1) - 1
    last = Area(area.bottom, area.left, area.bottom, area.right)
    parts = [area] if top >= area.bottom else [Area(area.top, area.left, top, area.right), last]
    for part in parts:
        covered = {cell for merged_area in merged if merged_area.meets(part) for cell in merged_area.clip(part).cells()}
        cells = [
            (cell, content)
            for cell, content in grid.contents(part)
            if content.value is not None and cell not in covered
        ]
        for (cell, content), following in zip_longest(cells, (cell for cell, _ in cells[1:])):
            yield cell, content, following != Cell(cell.row, cell.column + 1)


def _heighten_rows(grid: Grid, area: Area, sizes: _Sizes) -> None:
    styles, wrapping, large = grid.book.styles, grid.book.styles.list_wrapping(), grid.book.styles.large()
    needed: dict[int, float] = {}
    for cell, content, _ in _iter_visible(grid, area):
        if content.style in large:
            needed[cell.row] = max(needed.get(cell.row, 0.0), styles.font_size(content.style) * _LINE)
        if content.kind == "text" and content.style in wrapping:
            scale = styles.font_scale(content.style)
            room = max(int(sizes.width(cell.column) * _NARROW / scale), 1)
            lines = sum(len(textwrap.wrap(line, room)) or 1 for line in str(content.value).splitlines())
            needed[cell.row] = max(needed.get(cell.row, 0.0), min(lines * sizes.row * max(scale, 1.0), _HIGHEST))
    for number, height in needed.items():
        row = grid.ensure_row(number)
        if not _is_set(row, "customHeight") and height > float(row.get("ht", sizes.row)) * _TOLERANCE:
            row.set("ht", f"{height:g}")
