"""References as objects use them: ranges with a sheet, lists of ranges, and the values that they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, area_of, column_name
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.world import Problem

_NAME_PATTERN = re.compile(r"[A-Za-z_\u0080-\uffff][\w.]*")
_LIKE_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*")


def quote_sheet(sheet: str) -> str:
    """A sheet's name as formulas write it."""
    if _NAME_PATTERN.fullmatch(sheet) and not _LIKE_CELL.fullmatch(sheet):
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


def format_absolute(area: Area) -> str:
    """``$A$1:$C$10``; whole columns and rows as ``$A:$C`` and ``$1:$3``."""
    left, right = column_name(area.left), column_name(area.right)
    if area.rows == MAX_ROW:
        return f"${left}:${right}"
    if area.columns == MAX_COLUMN:
        return f"${area.top}:${area.bottom}"
    first = f"${left}${area.top}"
    return first if area.size == 1 else f"{first}:${right}${area.bottom}"


def format_reference(sheet: str, area: Area) -> str:
    """``'My Sheet'!$A$1:$C$10``."""
    return f"{quote_sheet(sheet)}!{format_absolute(area)}"


def source_of(book: Workbook, text: str, sheet: str | None) -> tuple[SheetInfo, Area]:
    """The sheet and cells that ``A1:B5`` (on `sheet`), ``Data!A1:B5``, a table's name or a defined name means.

    Raises:
        Problem: no such range, sheet or name.
    """
    for table in list_tables(book):
        if table.name.casefold() == text.strip().casefold():
            return book.sheet(table.sheet), table.area
    names = {name.name.casefold(): name.formula for name in book.names}
    reference_text = names.get(text.strip().lstrip("=").casefold(), text).strip().lstrip("=")
    if "!" in reference_text:
        own, _, reference_text = reference_text.rpartition("!")
        sheet = own[1:-1].replace("''", "'") if own.startswith("'") else own
    return book.sheet(sheet), area_of(reference_text)


def used_part(grid: Grid, area: Area) -> Area:
    """`area`, whole columns and rows cut to what is used.

    Raises:
        Problem: nothing is there.
    """
    if area.rows < MAX_ROW and area.columns < MAX_COLUMN:
        return area
    used = grid.get_used_area()
    if used is None or not area.meets(used):
        raise Problem(f"{format_absolute(area)} of the sheet {grid.info.name!r} is empty; choose filled cells")
    return area.clip(used)


def list_contents(grid: Grid, area: Area) -> list[list[Content | None]]:
    """The contents of `area`, row by row; None where the part has no cell."""
    rows: list[list[Content | None]] = [[None] * area.columns for _ in range(area.rows)]
    for cell, element in grid.iter_elements(area):
        rows[cell.row - area.top][cell.column - area.left] = grid.content(cell, element)
    return rows


def areas_of(sqref: str) -> list[Area]:
    """The areas of a list such as ``A1:B2 C5`` (or with commas).

    Raises:
        Problem: one of them is no range.
    """
    areas = [area_of(part) for part in re.split(r"[,\s]+", sqref.strip()) if part]
    if not areas:
        raise Problem("the range is empty; write it like A1:C10")
    return areas


def format_sqref(areas: Iterable[Area]) -> str:
    return " ".join(range_text(area) for area in areas)


def range_text(area: Area) -> str:
    """An area as files write it; in a list of areas whole columns are written out."""
    return str(area)


def subtract_area(area: Area, hole: Area) -> Iterator[Area]:
    """What is left of `area` without `hole`."""
    if not area.meets(hole):
        yield area
        return
    cut = area.clip(hole)
    if area.top < cut.top:
        yield Area(area.top, area.left, cut.top - 1, area.right)
    if cut.bottom < area.bottom:
        yield Area(cut.bottom + 1, area.left, area.bottom, area.right)
    if area.left < cut.left:
        yield Area(cut.top, area.left, cut.bottom, cut.left - 1)
    if cut.right < area.right:
        yield Area(cut.top, cut.right + 1, cut.bottom, area.right)


def subtract_areas(areas: Iterable[Area], holes: Iterable[Area]) -> list[Area]:
    """`areas` without all of `holes`."""
    left = list(areas)
    for hole in holes:
        left = [piece for area in left for piece in subtract_area(area, hole)]
    return left
