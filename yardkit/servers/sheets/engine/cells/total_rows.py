"""Rows of totals below the data of a plain sheet."""

from __future__ import annotations

from collections import Counter

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.references import Area, Cell

_TOTAL_FUNCTIONS = {
    "AGGREGATE",
    "AVERAGE",
    "COUNT",
    "COUNTA",
    "MAX",
    "MEDIAN",
    "MIN",
    "PRODUCT",
    "STDEV",
    "SUBTOTAL",
    "SUM",
}
_DEEP = 6
"""How many rows at the end of a sheet may be its foot: totals, tax, a note, who made it."""


def data_above_totals(grid: Grid) -> Area | None:
    """The rows of data that totals in the sheet's last rows sum up, as wide as the sheet; None without such a foot.

    A total sums up what stands above it in its own column; a sum that runs on from row to row is none. Below it the
    column holds formulas or nothing, and rows without formulas hold one cell at most: more may be other data.
    """
    used = grid.get_used_area()
    if used is None:
        return None
    for row in range(max(used.top, used.bottom - _DEEP + 1), used.bottom + 1):
        for cell in grid.formulas_of(row) if grid.has_row(row) else ():
            summed = _find_summed_area(grid, cell)
            runs_on = _find_summed_area(grid, Cell(row - 1, cell.column))
            if summed and summed.rows > 1 and not runs_on and _ends_data(grid, cell, used):
                bottom = _last_filled(grid, Area(summed.top, used.left, summed.bottom, used.right))
                return Area(summed.top, used.left, bottom, used.right) if bottom > summed.top else None
    return None


def _find_summed_area(grid: Grid, cell: Cell) -> Area | None:
    """The rows that the formula of `cell` sums up above it, in its own column, if it is a total."""
    if not grid.has_row(cell.row) or cell not in (row := grid.formulas_of(cell.row)):
        return None
    text = row[cell].text
    if not _TOTAL_FUNCTIONS.intersection(formulas.list_functions(text)):
        return None
    for reference in formulas.iter_references(text):
        area = reference.area
        own = reference.sheet.casefold() in ("", grid.info.name.casefold()) and area.left == area.right == cell.column
        if own and cell.row - _DEEP <= area.bottom < cell.row:
            return area
    return None


def _ends_data(grid: Grid, total: Cell, used: Area) -> bool:
    below = grid.contents(Area(total.row + 1, used.left, used.bottom, used.right))
    filled = [(cell, content) for cell, content in below if content.formula or content.value is not None]
    computed = {cell.row for cell, content in filled if content.formula}
    alone = Counter(cell.row for cell, _ in filled if cell.row not in computed)
    given = any(cell.column == total.column and not content.formula for cell, content in filled)
    return not given and all(count == 1 for count in alone.values())


def _last_filled(grid: Grid, data: Area) -> int:
    """The last row of `data` that holds something: totals may take in empty rows above them."""
    last = Area(max(data.top, data.bottom - _DEEP), data.left, data.bottom, data.right)
    filled = [cell.row for cell, content in grid.contents(last) if content.formula or content.value is not None]
    return max(filled, default=0)
