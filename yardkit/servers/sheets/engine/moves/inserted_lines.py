"""Rows and columns inserted and deleted: cells move, and everything that names them follows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from yardkit.servers.sheets.engine.cells.dependencies import Place, distant_readers
from yardkit.servers.sheets.engine.cells.dynamic_arrays import empty_spill
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.moves import shifted_parts
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Cell, column_name, column_number
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Renamed, Shift, with_columns
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

Formula = Callable[[str, str], str]
"""A formula and the sheet that it stands on, to the new formula."""
_CELL_ROW = re.compile(rb'(<(?:row|c)(?:\s[^>]*?)?\sr=")([A-Z]*)([0-9]+)"')
_CELL_COLUMN = re.compile(rb'(<c r=")([A-Z]+)([0-9]+")')
_CELL = re.compile(rb'<c r="([A-Z]+)[0-9]+"[^>]*?(?:/>|>.*?</c>)', re.DOTALL)
_SPANS = re.compile(rb'(<row[^>]*?) spans="[^"]*"')
_X14 = "http://schemas.microsoft.com/office/excel/2006/main"
_FORMULA_TAGS = (qualify_tag("formula"), qualify_tag("formula1"), qualify_tag("formula2"), qualify_tag("f", _X14))
_AREA_ATTRIBUTES = {"ref", "sqref", "activeCell"}
_DIES_EMPTY = ("mergeCells", "hyperlinks", "dataValidations", "rowBreaks", "colBreaks", "ignoredErrors", "cols")


def shift_lines(book: Workbook, grids: dict[str, Grid], change: Shift) -> set[Place]:
    """Insert or delete rows or columns; the cells whose formulas read differently afterwards.

    Raises:
        Problem: cells would be pushed beyond the sheet's end, an array formula would be torn, or a table would lose
            its header or all its rows.
    """
    info = book.sheet(change.sheet)
    grid = grids.setdefault(info.name, Grid(book, info))
    _check_shift(book, grid, change)
    torn = _find_torn_formulas(grid, change)
    for anchor, formula in torn.items():
        empty_spill(grid, anchor, formula, ends=False)
    grid.share_no_more("")
    gone = _columns_gone(book, grid, change)

    def follow(formula: str, own: str) -> str:
        formula = change.formula(formula, own)
        for table, names in gone.items():
            formula = with_columns(formula, table, names)
        return formula

    touched = rewrite_formulas(book, grids, follow) | distant_readers(book, grids)
    touched |= {(info.name, anchor) for anchor in torn}
    for _, formula in grid.formula_elements():
        if formula.get("ref"):
            formula.set("ref", " ".join(shifted_parts.shifted_areas(formula.get("ref"), change)) or formula.get("ref"))
    moved = _moved_cells(grid, change)
    shift_skeleton(grid, change)
    grid.take_rows(moved)
    shifted_parts.shift_parts(book, grid, change)
    lost = {place for place in touched if place[0] == info.name and _get_shifted_line(change, place[1]) is None}
    return {(sheet, _shift_cell(change, cell) if sheet == info.name else cell) for sheet, cell in touched - lost}


def _columns_gone(book: Workbook, grid: Grid, change: Shift) -> dict[str, Renamed]:
    """By table what becomes of the names of its columns, for tables that lose some."""
    removed_columns = {}
    for table in list_tables(book, grid.info) if not change.rows and change.count < 0 else ():
        gone = {name.casefold() for at, name in enumerate(table.columns, table.area.left) if change.line(at) is None}
        if gone:
            removed_columns[table.name] = _make_dropper(gone)
    return removed_columns


def _make_dropper(gone: set[str]) -> Renamed:
    return lambda name: None if name.casefold() in gone else name


def rewrite_formulas(book: Workbook, grids: dict[str, Grid], change: Formula) -> set[Place]:
    """Apply `change` to every formula of the workbook: cells, rules, names, tables, charts; the changed cells."""
    touched: set[Place] = set()
    for info in book.sheets:
        if info.kind != "worksheet":
            continue
        grid = grids.setdefault(info.name, Grid(book, info))
        if any(formula.get("t") == "shared" for _, formula in grid.formula_elements()):
            grid.share_no_more("")
        for cell, formula in grid.formula_elements():
            new = change(formula.text, info.name) if formula.text else formula.text
            if new != formula.text:
                formula.text = new
                grid.changed = True
                touched.add((info.name, cell))
        for element in grid.root.iter(*_FORMULA_TAGS):
            if element.text and (new := change(element.text, info.name)) != element.text:
                element.text = new
                grid.changed = True
        for link in grid.root.iter(qualify_tag("hyperlink")):
            place = link.get("location")
            if place and "!" in place:
                link.set("location", change(place, info.name))
                grid.changed = True
    shifted_parts.rewrite_parts(book, change)
    return touched


def shift_skeleton(grid: Grid, change: Shift) -> None:
    """What stands around the cells: merged areas, filters, rules, links, breaks, widths of columns."""
    grid.changed = True
    for element in [element for element in grid.root.iter() if isinstance(element.tag, str)]:
        all(_moved_areas(element, name, change) for name in _AREA_ATTRIBUTES.intersection(element.attrib.keys()))
        if element.tag == qualify_tag("sqref", _X14) and element.text:
            element.text = " ".join(shifted_parts.shifted_areas(element.text, change)) or element.text
    for entry in list(
        grid.root.iterfind(f"{qualify_tag('rowBreaks' if change.rows else 'colBreaks')}/{qualify_tag('brk')}")
    ):
        line = change.line(int(entry.get("id", "0")) + 1)
        if line is None:
            entry.getparent().remove(entry)
        else:
            entry.set("id", str(line - 1))
    if not change.rows:
        _shift_columns(grid.root.find(qualify_tag("cols")), change)
    for element in [element for name in _DIES_EMPTY for element in grid.root.findall(qualify_tag(name))]:
        if not len(element):
            grid.root.remove(element)
        elif element.get("count"):
            element.set("count", str(len(element)))


def _moved_areas(element: Any, name: str, change: Shift) -> bool:
    """Shift an attribute with areas; an element that loses all of them goes. Whether it stayed."""
    areas = shifted_parts.shifted_areas(element.get(name), change)
    if areas:
        element.set(name, " ".join(areas))
        return True
    if element.tag in (qualify_tag("selection"), qualify_tag("dimension")):
        element.set(name, "A1")
        return True
    if element.getparent() is not None:
        element.getparent().remove(element)
    return False


def _shift_columns(columns: Any, change: Shift) -> None:
    for entry in list(columns) if columns is not None else ():
        span = change.span(int(entry.get("min", "1")), int(entry.get("max", "1")))
        if span is None:
            columns.remove(entry)
        else:
            entry.set("min", str(span[0]))
            entry.set("max", str(span[1]))


def _moved_cells(grid: Grid, change: Shift) -> list[tuple[int, bytes]]:
    """The rows of the sheet with their cells at their new places."""
    moved_cells = []
    for number, row in grid.rows_now():
        if change.rows:
            line = change.line(number)
            if line is not None:
                moved_cells.append((line, row if line == number else _renumber_row(row, line)))
        else:
            moved_cells.append((number, _with_columns(row, change)))
    return moved_cells


def _renumber_row(row: bytes, line: int) -> bytes:
    text = str(line).encode()
    return _CELL_ROW.sub(lambda match: match[1] + match[2] + text + b'"', row)


def _with_columns(row: bytes, change: Shift) -> bytes:
    def moved(match: re.Match[bytes]) -> bytes:
        line = change.line(column_number(match[1].decode()))
        if line is None:
            return b""
        name = column_name(line).encode()
        return _CELL_COLUMN.sub(lambda cell: cell[1] + name + cell[3], match[0], count=1)

    return _CELL.sub(moved, _SPANS.sub(rb"\1", row))


def _check_shift(book: Workbook, grid: Grid, change: Shift) -> None:
    used = grid.get_used_area()
    end, last = (MAX_ROW, used.bottom if used else 0) if change.rows else (MAX_COLUMN, used.right if used else 0)
    word = "rows" if change.rows else "columns"
    if change.count > 0 and last >= change.at and last + change.count > end:
        raise Problem(f"{change.count} {word} more would push cells beyond the sheet's end at XFD1048576; insert fewer")
    for anchor, formula in _find_torn_formulas(grid, change).items():
        if not formula.dynamic:
            raise Problem(f"the array formula in {anchor} fills {formula.area}, which cannot be split; clear it first")
    for table in list_tables(book, grid.info):
        new = change.get_area(table.area)
        if change.rows and (new is None or change.line(table.area.top) is None or new.rows < 2 + table.totals):
            raise Problem(f"the table {table.name!r} ({table.area}) would lose its header or all rows; delete it first")
        if new is None:
            raise Problem(f"the table {table.name!r} ({table.area}) would lose all columns; delete it first")


def _find_torn_formulas(grid: Grid, change: Shift) -> dict[Cell, FormulaCell]:
    """The formulas that fill an area of which lines are taken out, or into which lines are put."""
    torn_formulas = {}
    for anchor, formula in grid.map_formulas().items() if grid.has_arrays() else ():
        area = formula.area
        moved = change.get_area(area) if area else None
        if area and moved and (moved.rows, moved.columns) != (area.rows, area.columns):
            torn_formulas[anchor] = formula
    return torn_formulas


def _get_shifted_line(change: Shift, cell: Cell) -> int | None:
    return change.line(cell.row if change.rows else cell.column)


def _shift_cell(change: Shift, cell: Cell) -> Cell:
    line = _get_shifted_line(change, cell) or 1
    return Cell(line, cell.column) if change.rows else Cell(cell.row, line)
