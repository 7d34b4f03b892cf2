"""Columns of tables by their names: in the headers, in the tables' parts, and in the formulas that name them."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.moves.inserted_lines import rewrite_formulas
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Renamed, with_columns
from yardkit.servers.sheets.engine.package.tables import Table, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag
from yardkit.world import Problem

_BARE = re.compile(r"(?<=[(,])\[([^\[\]#@']+)\](?=[),])")


def ensure_headers(grid: Grid, area: Area) -> list[str]:
    """The names in the first row, as unique texts; the cells are made to hold them as Excel does.

    Raises:
        Problem: one of them is a formula.
    """
    names: list[str] = []
    for column in range(area.left, area.right + 1):
        cell = Cell(area.top, column)
        element = grid.find(cell)
        content = grid.content(cell, element) if element is not None else None
        if content is not None and content.formula is not None:
            raise Problem(f"the header {cell} is a formula; a table needs plain text there")
        value = "" if content is None or content.value is None else str(content.value)
        name = value or f"Column{column - area.left + 1}"
        taken = {text.casefold() for text in names}
        number = 2
        while name.casefold() in taken:
            name, number = f"{value or 'Column'}{number}", number + 1
        if content is None or content.value != name:
            grid.set_value(cell, name)
        names.append(name)
    return names


def follow_headers(book: Workbook, grids: dict[str, Grid], touched: set[Place]) -> set[Place]:
    """Rename the columns of tables whose headers were written, in the tables and in all formulas; those formulas."""
    changed_cells: set[Place] = set()
    for grid in list(grids.values()):
        for table in list_tables(book, grid.info) if grid.info in book.sheets else ():
            places = range(table.area.left, table.area.right + 1)
            written = [(grid.info.name, Cell(table.area.top, column)) in touched for column in places]
            root = parse_part(book.package.read(table.part), table.part) if any(written) else None
            if root is not None and root.get("headerRowCount", "1") != "0":
                changed_cells |= _rename_columns(book, grids, table, root, written)
    return changed_cells


def name_tables_of_totals(book: Workbook, grids: dict[str, Grid]) -> set[Place]:
    """Write ``[Qty]`` in totals rows as ``Plan[Qty]``; the cells that changed.

    XlsxWriter leaves out the table's name, which Excel reads and the calculation engine does not.
    """
    changed_cells = set()
    for grid in grids.values():
        for table in list_tables(book, grid.info) if grid.info in book.sheets else ():
            area = table.area
            totals = Area(area.bottom - table.totals + 1, area.left, area.bottom, area.right)
            for cell, content in list(grid.contents(totals)) if table.totals else ():
                named = _BARE.sub(partial(_with_table, table), content.formula or "")
                if named != (content.formula or ""):
                    grid.set_formula(cell, named)
                    changed_cells.add((grid.info.name, cell))
    return changed_cells


def _with_table(table: Table, column: re.Match[str]) -> str:
    return f"{table.name}{column[0]}" if column[1] in table.columns else column[0]


def _rename_columns(book: Workbook, grids: dict[str, Grid], table: Table, root: Any, written: list[bool]) -> set[Place]:
    names = ensure_headers(grids[table.sheet], table.area)
    new = {
        old.casefold(): name
        for old, name, changed in zip(table.columns, names, written, strict=False)
        if changed and name != old
    }
    if not new:
        return set()
    for entry in root.iter(qualify_tag("tableColumn")):
        name = entry.get("name", "")
        entry.set("name", new.get(name.casefold(), name))
    book.package.put(table.part, serialize_part(root))
    return rewrite_columns(book, grids, table, lambda name: new.get(name.casefold(), name))


def rewrite_columns(book: Workbook, grids: dict[str, Grid], table: Table, renamed: Renamed) -> set[Place]:
    """Write the new names of a table's columns into all formulas; the cells whose formulas changed."""
    return rewrite_formulas(book, grids, lambda formula, _: with_columns(formula, table.name, renamed))
