"""Tables that grow: room above their totals, and what shows their whole columns grows along, as in Excel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolyard.servers.sheets.engine.graph import Place
from toolyard.servers.sheets.engine.grid import Grid
from toolyard.servers.sheets.engine.refs import Area
from toolyard.servers.sheets.engine.rewriting import Ref, Shift, rewritten
from toolyard.servers.sheets.engine.ruleareas import change_rule_areas
from toolyard.servers.sheets.engine.shifting import shift
from toolyard.servers.sheets.engine.shiftparts import rewrite_shown
from toolyard.servers.sheets.engine.tables import Table, grow, tables
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.world import Problem


def grow_with_readers(book: Workbook, grids: dict[str, Grid], table: Table, rows: int) -> set[Place]:
    """Let a table have `rows` more rows, above its totals where it has them; the cells that read differently then.

    Names, charts, rules and validations that show the whole height of its columns reach further down, too.

    Raises:
        Problem: a table beside it would be torn.
    """
    data = Area(table.area.top + 1, table.area.left, table.area.bottom - table.totals, table.area.right)
    touched: set[Place] = set()
    if table.totals:
        touched = _make_room(book, grids, table, rows)
    else:
        grow(book, table, rows)
    if data.rows > 1:  # a single cell or row may be meant as that
        _extend_readers(book, grids[table.sheet], data, rows)
    return touched


def _make_room(book: Workbook, grids: dict[str, Grid], table: Table, rows: int) -> set[Place]:
    at = table.area.bottom - table.totals + 1
    for other in tables(book, grids[table.sheet].info):
        if other.name != table.name and other.area.top < at <= other.area.bottom:
            raise Problem(
                f"the table {table.name!r} ends in a totals row, and rows above it would tear the table {other.name!r} "
                "beside it; take the totals out first (set_table totals={}), or move one of the tables"
            )
    return shift(book, grids, Shift(table.sheet, rows=True, at=at, count=rows))


def _extend_readers(book: Workbook, grid: Grid, data: Area, rows: int) -> None:
    def longer(area: Area) -> Area:
        columns = data.left <= area.left and area.right <= data.right
        whole = columns and area.bottom == data.bottom and area.top in (data.top - 1, data.top)
        return Area(area.top, area.left, area.bottom + rows, area.right) if whole else area

    rewrite_shown(book, _formulas_with(grid.info.name, longer))
    change_rule_areas(grid, lambda areas: [longer(area) for area in areas])


def _formulas_with(sheet: str, longer: Callable[[Area], Area]) -> Callable[[str, str], str]:
    def change(formula: str, own: str) -> str:
        def one(ref: Ref) -> Ref:
            here = (ref.sheet or own).casefold() == sheet.casefold()
            return replace(ref, area=longer(ref.area)) if here and not ref.single else ref

        return rewritten(formula, one)

    return change
