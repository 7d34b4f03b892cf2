"""Formulas whose results are dates get the format of one, as Excel does while somebody types them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Content, FormulaCell, Grid
from yardkit.servers.sheets.engine.notation.date_formulas import CALLS, date_code
from yardkit.servers.sheets.engine.notation.formulas import iter_references, list_functions, list_words
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.values import Scalar, from_serial
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.tables import Table, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_PICKING = re.compile(
    r"(?:_xlfn\.)?(?:_xlws\.)?(?:INDEX|VLOOKUP|HLOOKUP|OFFSET|INDIRECT|FILTER|SORT|SORTBY|UNIQUE|TAKE|DROP|CHOOSECOLS|"
    r"CHOOSEROWS|HSTACK|VSTACK|TOCOL|TOROW)\(|[^-(+*/^&<>=]*\Z"
)
"""A formula that shows cells as they are: which of several columns it takes, only its values tell."""
_COLUMN = re.compile(r"[A-Za-z_\\][\w.\\]*\[(?:\[#This Row\],\[[^\[\]]+\]|[^\[\]]+)\]")
_DAY = re.compile(r"\d{4}-")
_MOST_FORMULAS, _MOST_READ = 5_000, 20_000
_FIRST, _LAST = 366, 2_958_465  # Smaller numbers are rather times, counts and days.


def code_of_call(formula: str) -> str:
    """The number format of a formula over date functions that reads no cell; else empty."""
    return date_code(formula, _refuse_unknown) if CALLS.intersection(list_functions(formula)) else ""


def _refuse_unknown(reference: str) -> str:
    raise Problem(f"the value of {reference} is not known yet")


def show_dates(
    book: Workbook, grids: dict[str, Grid], formulas: Mapping[Place, FormulaCell]
) -> tuple[dict[Place, Scalar], set[Place]]:
    """Give formulas without a format that come to a date the format of the date that they come from.

    The results that are shown as dates, as ISO 8601 text; and which of them are none, but stand in cells that had the
    format of a date before. Nothing is done where thousands of formulas would have to be looked at.
    """
    dated: dict[Place, Scalar] = {}
    undated: set[Place] = set()
    if len(formulas) > _MOST_FORMULAS:
        return dated, undated
    dates = _Dates(book, grids)
    known = any(map(book.styles.is_date, range(book.styles.count())))
    for (sheet, first), formula in sorted(formulas.items()):
        if not known and not CALLS.intersection(list_functions(formula.text)):
            continue
        for cell, content in list(grids[sheet].contents(_find_filled_area(grids[sheet], first, formula))):
            code = dates.code(sheet, formula.text, content)
            if code:
                element = grids[sheet].ensure(cell)
                element.set("s", str(book.styles.derive_style(content.style, Change(number_format=code))))
            new_content = grids[sheet].content(cell, element) if code else content
            if new_content.kind == "date":
                dated[sheet, cell] = new_content.value
                if not code and not dates.comes_to_date(sheet, formula.text):
                    undated.add((sheet, cell))
    return dated, undated


def _find_filled_area(grid: Grid, first: Cell, formula: FormulaCell) -> Area:
    """The cells that a formula fills, as they are after the calculation."""
    alone = Area(first.row, first.column, first.row, first.column)
    element = grid.find(first) if formula.area else None
    stored = None if element is None else element.find(qualify_tag("f"))
    area = alone if stored is None or not stored.get("ref") else area_of(stored.get("ref"))
    return area if area.size <= _MOST_FORMULAS else alone


class _Dates:
    """The dates that formulas read."""

    def __init__(self, book: Workbook, grids: dict[str, Grid]) -> None:
        self.book = book
        self.grids = grids
        self._used: dict[str, Area | None] = {}
        self._held: dict[tuple[str, Area], dict[str, set[Scalar]]] = {}

    def code(self, sheet: str, formula: str, content: Content) -> str:
        """The format of the date that is the content of a cell with a result; empty if it is none or has a format."""
        value = content.value
        if content.kind != "number" or not isinstance(value, int | float) or not _FIRST <= value <= _LAST:
            return ""
        if self.book.styles.number_format(content.style) != "General":
            return ""
        if not _PICKING.match(formula):
            return self._derive_code(sheet, formula)
        date1904 = self.book.date1904
        for code, dates in self._read_formats(sheet, formula):
            if from_serial(value, code, date1904=date1904) in dates:
                return code
        return ""

    def comes_to_date(self, sheet: str, formula: str) -> bool:
        """Whether a formula comes to a date, or shows cells as they are, which may be one."""
        return _PICKING.match(formula) is not None or bool(self._derive_code(sheet, formula))

    def _derive_code(self, sheet: str, formula: str) -> str:
        return date_code(formula, lambda text: next((code for code, _ in self._read_formats(sheet, text)), ""))

    def _read_formats(self, sheet: str, formula: str) -> Iterator[tuple[str, set[Scalar]]]:
        """Number formats and their dates in the cells, columns of tables and named ranges that a formula reads."""
        formula_words = list_words(formula)
        named = [name.formula for name in self.book.names if name.name.lower() in formula_words]
        for reference in [candidate for text in (formula, *named) for candidate in iter_references(text)]:
            yield from self._dates_in(reference.sheet or sheet, reference.area).items()
        for text in _COLUMN.findall(formula):
            name, _, column = text.partition("[")
            table = self._tables.get(name.lower())
            place = None if table is None else table.place(column.rpartition("[")[2].strip("[]@"))
            if table is not None and place is not None:
                yield from self._dates_in(table.sheet, place).items()

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.name.lower(): table for table in list_tables(self.book)}

    def _dates_in(self, sheet: str, area: Area) -> dict[str, set[Scalar]]:
        """Number format -> the dates in it."""
        info = next(
            (sheet_info for sheet_info in self.book.sheets if sheet_info.name.casefold() == sheet.casefold()), None
        )
        if info is None:
            return {}
        grid = self.grids.get(info.name) or self.grids.setdefault(info.name, Grid(self.book, info))
        if info.name not in self._used:
            self._used[info.name] = grid.get_used_area()
        used = self._used[info.name]
        if used is None or not area.meets(used) or area.clip(used).size > _MOST_READ:
            return {}
        known = self._held.get((info.name, area))
        if known is None:
            known = _list_date_values(grid, area.clip(used))
            if area.size > 1:  # The formula in a single cell may become a date in this very call.
                self._held[info.name, area] = known
        return known


def _list_date_values(grid: Grid, area: Area) -> dict[str, set[Scalar]]:
    values_by_format: dict[str, set[Scalar]] = defaultdict(set)
    for _, content in grid.contents(area):
        if content.kind == "date" and _DAY.match(str(content.value)):
            values_by_format[grid.book.styles.number_format(content.style)].add(content.value)
    return values_by_format
