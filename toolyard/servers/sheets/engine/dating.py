"""Formulas whose results are dates get the format of one, as Excel does while somebody types them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from toolyard.servers.sheets.engine.formulas import STRING, references, words
from toolyard.servers.sheets.engine.graph import Place
from toolyard.servers.sheets.engine.grid import Content, Grid
from toolyard.servers.sheets.engine.refs import Area, Cell
from toolyard.servers.sheets.engine.styles import Change
from toolyard.servers.sheets.engine.tables import Table, tables
from toolyard.servers.sheets.engine.values import DATE_FORMAT, DATETIME_FORMAT, TIME_FORMAT, Scalar, from_serial
from toolyard.servers.sheets.engine.workbook import Workbook

_FUNCTIONS = {
    **dict.fromkeys(("TODAY", "DATE", "DATEVALUE", "EDATE", "EOMONTH", "WORKDAY", "WORKDAY.INTL"), DATE_FORMAT),
    **dict.fromkeys(("TIME", "TIMEVALUE"), TIME_FORMAT),
    "NOW": DATETIME_FORMAT,
}
_CALL = re.compile(r"([A-Z][A-Z.]*)\(", re.IGNORECASE)
_NUMBERS_ADDED = re.compile(r"(?:\s*[+-]\s*\d+(?:\.\d+)?)+\s*$")
_CELL = r"(?:(?:'(?:[^']|'')+'|[\w.]+)!)?\$?[A-Z]{1,3}\$?\d{1,7}"
_COLUMN = r"[A-Za-z_\\][\w.\\]*\[(?:\[#This Row\],\[[^\[\]]+\]|[^\[\]#]+)\]"
_TERM = rf"{_CELL}|{_COLUMN}|\d+(?:\.\d+)?"
_SUM = re.compile(rf"(?:{_TERM})(?:\s*[+-]\s*(?:{_TERM}))*")
_SIGNED = re.compile(rf"([+-]?)\s*({_TERM})")
_DAY = re.compile(r"\d{4}-")
_MOST_FORMULAS, _MOST_READ = 5_000, 20_000
_FIRST, _LAST = 366, 2_958_465  # Smaller numbers are rather times, counts and days.


def code_of_call(formula: str) -> str:
    """The number format of a formula that is one call of a date function, maybe with days added; else empty."""
    match = _CALL.match(formula)
    code = _FUNCTIONS.get(match[1].upper(), "") if match else ""
    return code if code and _is_one_call(formula) else ""


def _is_one_call(formula: str) -> bool:
    text = _NUMBERS_ADDED.sub("", STRING.sub('""', formula))
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and not depth:
            return place == len(text) - 1
    return False


def show_dates(book: Workbook, grids: dict[str, Grid], places: Iterable[Place]) -> dict[Place, Scalar]:
    """Give formulas without a format whose result is a date among the cells that they read the format of that cell.

    So are sums of one date and days. The results that are shown as dates, as ISO 8601 text. Nothing is done where
    thousands of formulas would have to be looked at.
    """
    wanted = sorted(places)
    dated: dict[Place, Scalar] = {}
    if not 0 < len(wanted) <= _MOST_FORMULAS or not any(map(book.styles.is_date, range(book.styles.count()))):
        return dated
    dates = _Dates(book, grids)
    for sheet, cell in wanted:
        content = next((held for _, held in grids[sheet].contents(_alone(cell))), None)
        if content is None or content.formula is None:
            continue
        code = dates.code(sheet, content)
        if code:
            element = grids[sheet].ensure(cell)
            element.set("s", str(book.styles.derived(content.style, Change(number_format=code))))
            content = grids[sheet].content(cell, element)
        if content.kind == "date":
            dated[sheet, cell] = content.value
    return dated


class _Dates:
    """The dates that formulas read."""

    def __init__(self, book: Workbook, grids: dict[str, Grid]) -> None:
        self.book = book
        self.grids = grids
        self._used: dict[str, Area | None] = {}
        self._held: dict[tuple[str, Area], dict[str, set[Scalar]]] = {}

    def code(self, sheet: str, content: Content) -> str:
        """The format of the date that the result of a formula is; empty if it is none or has a format."""
        value, formula = content.value, content.formula or ""
        if content.kind != "number" or not isinstance(value, int | float) or not _FIRST <= value <= _LAST:
            return ""
        if self.book.styles.number_format(content.style) != "General":
            return ""
        if _SUM.fullmatch(formula):
            return self._of_sum(sheet, formula)
        date1904 = self.book.date1904
        for code, dates in self._read(sheet, formula):
            if from_serial(value, code, date1904=date1904) in dates:
                return code
        return ""

    def _of_sum(self, sheet: str, formula: str) -> str:
        """A date plus days is a date, a date less another one is none."""
        count, code = 0, ""
        for sign, term in _SIGNED.findall(formula):
            found = next(self._read(sheet, term), None)
            if found is not None:
                count += -1 if sign == "-" else 1
                code = code or found[0]
        return code if count == 1 else ""

    def _read(self, sheet: str, formula: str) -> Iterator[tuple[str, set[Scalar]]]:
        """Number formats and their dates in the cells, columns of tables and named ranges that a formula reads."""
        said = words(formula)
        named = [name.formula for name in self.book.names if name.name.lower() in said]
        for each in [each for text in (formula, *named) for each in references(text)]:
            yield from self._dates_in(each.sheet or sheet, each.area).items()
        for text in re.findall(_COLUMN, formula):
            name, _, column = text.partition("[")
            table = self._tables.get(name.lower())
            place = None if table is None else table.place(column.rpartition("[")[2].strip("[]@"))
            if table is not None and place is not None:
                yield from self._dates_in(table.sheet, place).items()

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {table.name.lower(): table for table in tables(self.book)}

    def _dates_in(self, sheet: str, area: Area) -> dict[str, set[Scalar]]:
        """Number format -> the dates in it."""
        info = next((each for each in self.book.sheets if each.name.casefold() == sheet.casefold()), None)
        if info is None:
            return {}
        grid = self.grids.get(info.name) or self.grids.setdefault(info.name, Grid(self.book, info))
        if info.name not in self._used:
            self._used[info.name] = grid.used()
        used = self._used[info.name]
        if used is None or not area.meets(used) or area.within(used).size > _MOST_READ:
            return {}
        known = self._held.get((info.name, area))
        if known is None:
            known = _dates(grid, area.within(used))
            if area.size > 1:  # The formula in a single cell may become a date in this very call.
                self._held[info.name, area] = known
        return known


def _dates(grid: Grid, area: Area) -> dict[str, set[Scalar]]:
    found: dict[str, set[Scalar]] = defaultdict(set)
    for _, content in grid.contents(area):
        if content.kind == "date" and _DAY.match(str(content.value)):
            found[grid.book.styles.number_format(content.style)].add(content.value)
    return found


def _alone(cell: Cell) -> Area:
    return Area(cell.row, cell.column, cell.row, cell.column)
