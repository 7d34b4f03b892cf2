"""Rows of a sheet: heights, hiding, outline."""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.layout.columns import apply_marks, note_level
from yardkit.servers.sheets.engine.notation.references import Area, area_of
from yardkit.world import Problem

MAX_ROWS = 10_000
_LEVEL = re.compile(rb'outlineLevel="([0-9])"')


def set_height(grid: Grid, rows: str, height: float) -> None:
    """Set the height of ``3`` or ``3:9`` in points.

    Raises:
        Problem: no such rows, too many, or a height outside 0 to 409.
    """
    if not 0 <= height <= 409:
        raise Problem(f"{height:g} points is not a valid height; use 0 to 409")
    for row in rows_of(grid, area_of(rows if ":" in rows else f"{rows}:{rows}")):
        row.set("ht", f"{height:g}")
        row.set("customHeight", "1")


def mark_rows(grid: Grid, span: Area, marks: dict[str, str | int]) -> None:
    """Set attributes of rows; an empty text takes one away, a number counts on a level of the outline."""
    for row in rows_of(grid, span):
        apply_marks(row, marks)
    levels = [int(level) for _, row in grid.rows_now() for level in _LEVEL.findall(row.partition(b">")[0])]
    note_level(grid, "outlineLevelRow", max(levels, default=0))


def rows_of(grid: Grid, span: Area) -> list[Any]:
    """The elements of rows, made where they are missing.

    Raises:
        Problem: too many rows at once.
    """
    if span.rows > MAX_ROWS:
        raise Problem(f"{span.rows:,} rows are too many at once; change at most {MAX_ROWS:,}")
    return [grid.ensure_row(number) for number in range(span.top, span.bottom + 1)]
