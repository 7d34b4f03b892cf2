"""What the columns of a sheet hold: kinds, gaps, extremes, outliers, duplicates."""

from __future__ import annotations

import statistics
from collections import Counter

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.edits.text_operations import looks_typed
from yardkit.servers.sheets.engine.notation.references import Area, Cell, column_name
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.results import ColumnProfile, Profile
from yardkit.world import Problem

MAX_COLUMNS = 100
MAX_CELLS = 2_000_000
_MOST = 10
_RARE = 0.05


def profile_sheet(book: Workbook, sheet: str | None) -> Profile:
    """The profile of a sheet's used cells; its first row is the header, and totals of tables are no data.

    Raises:
        Problem: the sheet is empty or too large.
    """
    grid = Grid(book, book.sheet(sheet))
    used = grid.get_used_area()
    if used is None:
        raise Problem(f"the sheet {grid.info.name!r} is empty; there is nothing to profile")
    if used.size > MAX_CELLS:
        raise Problem(f"{used} has {used.size:,} cells; the limit for a profile is {MAX_CELLS:,}")
    columns: dict[int, dict[int, Content]] = {column: {} for column in range(used.left, used.right + 1)}
    totals = _find_total_rows(grid, used)
    for cell, content in grid.contents(used):
        if content.value is not None and cell.row not in totals.get(cell.column, ()):
            columns[cell.column][cell.row] = content
    bare = {row for rows in totals.values() for row in rows if not any(row in record for record in columns.values())}
    column_profiles = [
        _profile_column(used, column, cells, used.rows - 1 - len(bare | totals.get(column, set())))
        for column, cells in list(columns.items())[:MAX_COLUMNS]
    ]
    return Profile(
        grid.info.name, str(used), used.rows - 1 - len(bare), column_profiles, _find_duplicates(used, columns)
    )


def _find_total_rows(grid: Grid, used: Area) -> dict[int, set[int]]:
    """The rows of totals of the tables below the header, by column."""
    total_rows: dict[int, set[int]] = {}
    for table in list_tables(grid.book, grid.info):
        last = min(table.area.bottom, used.bottom)
        rows = range(max(table.area.bottom - table.totals, used.top) + 1, last + 1)
        for column in range(table.area.left, table.area.right + 1):
            total_rows.setdefault(column, set()).update(rows)
    return total_rows


def _profile_column(used: Area, column: int, cells: dict[int, Content], rows: int) -> ColumnProfile:
    header = cells.get(used.top)
    body = {row: content for row, content in cells.items() if row > used.top}
    kinds = Counter(content.kind for content in body.values())
    numbers = {
        row: float(c.value) for row, c in body.items() if c.kind == "number" and isinstance(c.value, int | float)
    }
    values = [content.value for content in body.values()]
    counts = Counter(map(str, values))
    texts = kinds.get("text", 0) > len(body) / 2 and len(counts) <= max(_MOST, len(body) / 2)
    low, high = _find_extremes(body, kinds)
    return ColumnProfile(
        column_name(column),
        str(header.value) if header else "",
        dict(kinds),
        rows - len(body),
        len(counts),
        low,
        high,
        statistics.fmean(numbers.values()) if numbers else None,
        statistics.median(numbers.values()) if numbers else None,
        _find_outliers(column, numbers),
        _find_unusual(column, body, kinds),
        dict(counts.most_common(_MOST)) if texts else {},
    )


def _find_extremes(body: dict[int, Content], kinds: Counter[str]) -> tuple[Scalar, Scalar]:
    kind = "date" if kinds["date"] > kinds["number"] else "number"
    values = [content.value for content in body.values() if content.kind == kind]
    if kind == "date":
        dates = [value for value in values if isinstance(value, str)]
        return (min(dates), max(dates)) if dates else (None, None)
    numbers = [value for value in values if isinstance(value, int | float)]
    return (min(numbers), max(numbers)) if numbers else (None, None)


def _find_outliers(column: int, numbers: dict[int, float]) -> list[str]:
    if len(numbers) < 8:
        return []
    first, _, third = statistics.quantiles(numbers.values(), n=4)
    margin = 1.5 * (third - first)
    far = [row for row, value in numbers.items() if not first - margin <= value <= third + margin]
    return [str(Cell(row, column)) for row in far[:_MOST]] if margin else []


def _find_unusual(column: int, body: dict[int, Content], kinds: Counter[str]) -> list[str]:
    rare = {kind for kind, count in kinds.items() if count <= _RARE * len(body)}
    unusual_cells = [
        Cell(row, column)
        for row, content in body.items()
        if content.kind in rare or content.kind == "error" or (content.kind == "text" and looks_typed(content.value))
    ]
    return [str(cell) for cell in unusual_cells[:_MOST]]


def _find_duplicates(used: Area, columns: dict[int, dict[int, Content]]) -> list[int]:
    seen: set[tuple[Scalar, ...]] = set()
    duplicate_rows = []
    for row in range(used.top + 1, used.bottom + 1):
        key = tuple(cells[row].value if row in cells else None for cells in columns.values())
        if any(part is not None for part in key):
            if key in seen:
                duplicate_rows.append(row)
            seen.add(key)
    return duplicate_rows[:_MOST]
