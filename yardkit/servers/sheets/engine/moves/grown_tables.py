"""Tables and data that grow: room above their totals, and what shows their whole columns grows along, as in Excel."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.moves.inserted_lines import shift_lines
from yardkit.servers.sheets.engine.moves.rule_areas import change_rule_areas
from yardkit.servers.sheets.engine.moves.shifted_parts import rewrite_displayed
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Ref, Shift, rewrite_formula
from yardkit.servers.sheets.engine.package.tables import Table, grow_table, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem


def grow_with_readers(book: Workbook, grids: dict[str, Grid], table: Table, rows: int) -> set[Place]:
    """Let a table have `rows` more rows, above its totals where it has them; the cells that read differently then.

    Formulas, names, charts, rules and validations that show the whole height of its columns reach further, too.

    Raises:
        Problem: a table beside it would be torn.
    """
    data = Area(table.area.top + 1, table.area.left, table.area.bottom - table.totals, table.area.right)
    touched: set[Place] = set()
    if table.totals:
        touched = _room_in_table(book, grids, table, rows)
    else:
        grow_table(book, table, rows)
    if data.rows > 1:  # a single cell or row may be meant as that
        touched |= _extend_readers(book, grids, table.sheet, data, rows)
    return touched


def grow_above_totals(book: Workbook, grids: dict[str, Grid], sheet: str, data: Area, rows: int) -> set[Place]:
    """Make room for `rows` more below the `data` of a plain sheet; the cells that read differently then.

    What shows the whole height of the data grows along, as with a table.
    """
    touched = shift_lines(book, grids, Shift(sheet, rows=True, at=data.bottom + 1, count=rows))
    return touched | _extend_readers(book, grids, sheet, data, rows)


def _room_in_table(book: Workbook, grids: dict[str, Grid], table: Table, rows: int) -> set[Place]:
    at = table.area.bottom - table.totals + 1
    for other in list_tables(book, grids[table.sheet].info):
        if other.name != table.name and other.area.top < at <= other.area.bottom:
            raise Problem(
                f"the table {table.name!r} ends in a totals row, and rows above it would split the table "
                f"{other.name!r} next to it; remove the totals first (set_table totals={{}}), or move one "
                "of the tables"
            )
    return shift_lines(book, grids, Shift(table.sheet, rows=True, at=at, count=rows))


def _extend_readers(book: Workbook, grids: dict[str, Grid], sheet: str, data: Area, rows: int) -> set[Place]:
    def longer(area: Area) -> Area:
        columns = data.left <= area.left and area.right <= data.right
        is_full_column = columns and area.bottom == data.bottom and area.top in (data.top - 1, data.top)
        return Area(area.top, area.left, area.bottom + rows, area.right) if is_full_column else area

    rewrite_displayed(book, partial(_longer_in, longer=longer, sheet=sheet))
    change_rule_areas(grids[sheet], lambda areas: [longer(area) for area in areas])
    for listed in grids[sheet].root.iterfind(qualify_tag("autoFilter")):
        listed.set("ref", str(longer(area_of(listed.get("ref", "A1")))))
    touched: set[Place] = set()
    for info in book.sheets:
        if info.kind == "worksheet":
            grid = grids.get(info.name) or Grid(book, info)
            inside = data if info.name == sheet else None
            if longer_formulas := _longer_formulas(
                grid, partial(_longer_in, longer=longer, sheet=sheet), inside, data.bottom
            ):
                grids[info.name] = grid
                touched |= {(info.name, cell) for cell in longer_formulas}
    return touched


def _longer_formulas(grid: Grid, change: Callable[..., str], data: Area | None, bottom: int) -> list[Cell]:
    """Apply `change` to the formulas of a sheet; those of cells that changed.

    In the rows of `data` a reference without "$" before its last row runs on from row to row, and is left.
    """
    ends = re.compile(rf"(?<!\d){bottom}(?!\d)")
    longer_formulas = {}
    for cell, formula in grid.map_formulas().items():
        if ends.search(formula.text):
            running = data is not None and data.top <= cell.row <= data.bottom
            new = change(formula.text, grid.info.name, running=running)
            if new != formula.text:
                longer_formulas[cell] = new
    if longer_formulas:
        grid.share_no_more("")
    for cell, new in longer_formulas.items():
        grid.ensure(cell).find(qualify_tag("f")).text = new
    return list(longer_formulas)


def _longer_in(formula: str, own: str, *, longer: Callable[[Area], Area], sheet: str, running: bool = False) -> str:
    def lengthen_reference(ref: Ref) -> Ref:
        here = (ref.sheet or own).casefold() == sheet.casefold()
        return replace(ref, area=longer(ref.area)) if here and not ref.single and (ref.fixed[2] or not running) else ref

    return rewrite_formula(formula, lengthen_reference)
