"""Which formulas read which cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from toolyard.servers.sheets.engine import formulas
from toolyard.servers.sheets.engine.grid import FormulaCell, Grid
from toolyard.servers.sheets.engine.refs import Area, Cell
from toolyard.servers.sheets.engine.tables import tables
from toolyard.servers.sheets.engine.workbook import Workbook

Place = tuple[str, Cell]
"""Sheet name and cell."""
_Readers = dict[Any, dict[Place, None]]
"""Formulas by what they read, in their order."""

_LINES = re.compile(r"(?<![A-Za-z0-9_.$])\$?(?:[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\d+:\$?\d+)(?![A-Za-z0-9_.(])")
_OWN_PLACE = frozenset({"ROW", "COLUMN", "SHEET"})


def distant_readers(book: Workbook, grids: dict[str, Grid]) -> set[Place]:
    """The formulas that may read other cells after rows, columns or tables moved though their text stays as it is.

    They name tables, defined names, whole rows or columns, spans of sheets, or ask where they stand.
    """
    named = {name.name.lower() for name in book.names} | {table.name.lower() for table in tables(book)}
    found = set()
    for info in book.sheets:
        if info.kind == "worksheet":
            grid = grids.get(info.name) or Grid(book, info)
            found |= {(info.name, cell) for cell, each in grid.formulas().items() if _is_distant(each.text, named)}
    return found


def _is_distant(text: str, named: set[str]) -> bool:
    if "[" in text or _LINES.search(text) or (named and formulas.words(text) & named):
        return True
    if (formulas.MOVING | _OWN_PLACE) & set(formulas.functions(text)):
        return True
    return "!" in text and any(":" in each.sheet for each in formulas.references(text))


class Graph:
    """Readers of each cell and area. OFFSET and INDIRECT, whose areas the text does not show, read everything."""

    def __init__(self, places: dict[Place, FormulaCell], book: Workbook) -> None:
        self._cells: _Readers = {}
        self._areas: dict[str, _Readers] = defaultdict(dict)
        self._everywhere: _Readers = {}
        self._formulas: dict[Place, str] = {}
        self._spills: dict[Place, Area] = {}
        self._tables = {t.name.lower(): (t.sheet.casefold(), t.area) for t in tables(book)}
        self._names = book.named
        self.add(places)

    def add(self, places: dict[Place, FormulaCell]) -> None:
        """Take in formulas, in place of those that were there."""
        for place, formula in places.items():
            self.drop(place)
            if formula.area is not None:
                self._spills[place] = formula.area
            self._formulas[place] = formula.text
            for readers, key in self._read(place, formula.text):
                readers.setdefault(key, {})[place] = None

    def drop(self, place: Place) -> None:
        """Take a formula out, if there is one: what it read no longer concerns its cell."""
        self._spills.pop(place, None)
        text = self._formulas.pop(place, None)
        for readers, key in () if text is None else self._read(place, text):
            held = readers.get(key, {})
            held.pop(place, None)
            if not held:
                readers.pop(key, None)

    def in_spill(self, place: Place) -> bool:
        """Whether an array formula fills the cell."""
        sheet, cell = place
        return any(other == sheet and cell in area for (other, _), area in self._spills.items())

    def reads(self, place: Place, text: str) -> list[tuple[str, Area]]:
        """The areas (by sheet) that a formula at `place` names, directly or by defined names and tables."""
        found = []
        for part in self._texts(text):
            found += self._tables_in(part, place[0])
            found += [(reference.sheet or place[0], reference.area) for reference in formulas.references(part)]
        return found

    def _texts(self, text: str) -> list[str]:
        return [text, *(self._names[word] for word in formulas.words(text) & self._names.keys())] if text else []

    def _read(self, place: Place, text: str) -> Iterator[tuple[_Readers, Any]]:
        """Where the readers of what a formula reads are held."""
        for part in self._texts(text):
            if formulas.MOVING & set(formulas.functions(part)):
                yield self._everywhere, ""
            for sheet, area in self._tables_in(part, place[0]):
                yield self._areas[sheet], area
            for reference in formulas.references(part):
                sheet = (reference.sheet or place[0]).casefold()
                if ":" in sheet:  # a span of sheets such as Jan:Mar!A1
                    yield self._everywhere, ""
                elif reference.area.size == 1:
                    yield self._cells, (sheet, reference.area.top, reference.area.left)
                else:
                    yield self._areas[sheet], reference.area

    def _tables_in(self, text: str, own: str) -> list[tuple[str, Area]]:
        """The tables that structured references name; one without a name is about a table of its own sheet."""
        if "[" not in text:
            return []
        named = [self._tables[word] for word in formulas.words(text) & self._tables.keys()]
        return named or [(sheet, area) for sheet, area in self._tables.values() if sheet == own.casefold()]

    def dependents(self, roots: Iterable[Place]) -> set[Place]:
        """All formulas that read one of `roots`, directly or through others, without the roots themselves."""
        start = set(roots)
        found: set[Place] = set()
        waiting = list(start)
        areas = {sheet: dict(by_area) for sheet, by_area in self._areas.items()}
        if waiting:
            waiting += self._everywhere.get("", ())
            found.update(self._everywhere.get("", ()))
        while waiting:
            sheet, cell = waiting.pop()
            for reader in self._readers(sheet.casefold(), cell, areas):
                if reader not in found and reader not in start:
                    found.add(reader)
                    waiting.append(reader)
                    waiting += self._spilled(reader)
        return found - start

    def _readers(self, sheet: str, cell: Cell, areas: dict[str, _Readers]) -> list[Place]:
        readers = list(self._cells.get((sheet, cell.row, cell.column), ()))
        here = areas.get(sheet, {})
        for area in [area for area in here if cell in area]:
            readers += here.pop(area)  # once hit, an area need not be looked at again
        return readers

    def _spilled(self, place: Place) -> list[Place]:
        area = self._spills.get(place)
        return [] if area is None else [(place[0], cell) for cell in area.cells()]
