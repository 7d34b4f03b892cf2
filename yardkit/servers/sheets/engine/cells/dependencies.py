"""Which formulas read which cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.cells.regions import Regions
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.package.tables import list_tables, named_areas
from yardkit.servers.sheets.engine.package.workbook import Workbook

Place = tuple[str, Cell]
"""Sheet name and cell."""
_Read = tuple[str, Cell | Area]
"""What a formula reads: a cell or an area of a sheet (its name in small letters)."""
_Readers = dict[Place, None]
"""Formulas in their order."""

_LINES = re.compile(r"(?<![A-Za-z0-9_.$])\$?(?:[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\d+:\$?\d+)(?![A-Za-z0-9_.(])")
_OFFSET = re.compile(
    r"OFFSET\(\s*(?:('(?:[^']|'')+'|[\w.]+)!)?(?=\$?[A-Z]{1,3}(?:\$?\d{1,7}|:\$?[A-Z]{1,3})\b(?!\())", re.IGNORECASE
)
_OWN_PLACE = frozenset({"ROW", "COLUMN", "SHEET"})


def distant_readers(book: Workbook, grids: dict[str, Grid]) -> set[Place]:
    """The formulas that may read other cells after rows, columns or tables moved though their text stays as it is.

    They name tables, defined names, whole rows or columns, spans of sheets, or ask where they stand.
    """
    named = {name.name.lower() for name in book.names} | {table.name.lower() for table in list_tables(book)}
    readers = set()
    for info in book.sheets:
        if info.kind == "worksheet":
            grid = grids.get(info.name) or Grid(book, info)
            readers |= {
                (info.name, cell) for cell, formula in grid.map_formulas().items() if _is_distant(formula.text, named)
            }
    return readers


def _is_distant(text: str, named: set[str]) -> bool:
    if "[" in text or _LINES.search(text) or (named and formulas.list_words(text) & named):
        return True
    if (formulas.MOVING | _OWN_PLACE) & set(formulas.list_functions(text)):
        return True
    return "!" in text and any(":" in reference.sheet for reference in formulas.iter_references(text))


def _list_moving_sheets(text: str, own: str) -> set[str]:
    """The sheets of which OFFSET and INDIRECT may read any cell: that from which OFFSET counts, else all (as "")."""
    called = [name for name in formulas.list_functions(text) if name in formulas.MOVING]
    starts = _OFFSET.findall(text)
    if len(starts) < len(called):
        return {""}
    return {(sheet.strip("'").replace("''", "'") or own).casefold() for sheet in starts}


class Graph:
    """Readers of each cell and area. OFFSET may read its whole sheet and INDIRECT all: the text does not show more."""

    def __init__(self, places: dict[Place, FormulaCell], book: Workbook) -> None:
        self._readers: dict[_Read, _Readers] = {}
        self._moving: dict[str, _Readers] = defaultdict(dict)
        self._regions: dict[str, Regions] = defaultdict(Regions)
        self._formulas: dict[Place, str] = {}
        self._spills: dict[Place, Area] = {}
        self._tables = {table.name.lower(): table for table in list_tables(book)}
        self._names = book.named
        self._sheets = {info.name.casefold(): info.name for info in book.sheets}
        self.add(places)

    def add(self, places: dict[Place, FormulaCell]) -> None:
        """Take in formulas, in place of those that were there."""
        for place, formula in places.items():
            self.drop(place)
            if formula.area is not None:
                self._spills[place] = formula.area
            self._formulas[place] = formula.text
            for sheet in self._list_moving_sheets(place, formula.text):
                self._moving[sheet][place] = None
            for read in self._iter_reads(place, formula.text):
                self._ensure_readers(read)[place] = None

    def drop(self, place: Place) -> None:
        """Take a formula out, if there is one: what it read no longer concerns its cell."""
        self._spills.pop(place, None)
        text = self._formulas.pop(place, None)
        for sheet in () if text is None else self._list_moving_sheets(place, text):
            del self._moving[sheet][place]
        for read in () if text is None else set(self._iter_reads(place, text)):
            readers = self._readers[read]
            del readers[place]
            if not readers:
                self._forget_read(read)

    def _ensure_readers(self, read: _Read) -> _Readers:
        if read not in self._readers:
            self._readers[read] = {}
            if isinstance(read[1], Area):
                self._regions[read[0]].add(read[1])
        return self._readers[read]

    def _forget_read(self, read: _Read) -> None:
        del self._readers[read]
        if isinstance(read[1], Area):
            self._regions[read[0]].remove(read[1])

    def in_spill(self, place: Place) -> bool:
        """Whether an array formula fills the cell."""
        sheet, cell = place
        return any(other == sheet and cell in area for (other, _), area in self._spills.items())

    def list_reads(self, place: Place, text: str) -> list[tuple[str, Area]]:
        """The areas (by sheet) that a formula at `place` names, directly or by defined names and tables."""
        read_areas = []
        for part in self._expand_texts(text):
            read_areas += self._tables_in(part, place)
            for reference in formulas.iter_references(part):
                sheet = self._sheets.get(reference.sheet.casefold(), reference.sheet) or place[0]
                read_areas.append((sheet, reference.area))
        return read_areas

    def _expand_texts(self, text: str) -> list[str]:
        return [text, *(self._names[word] for word in formulas.list_words(text) & self._names.keys())] if text else []

    def _list_moving_sheets(self, place: Place, text: str) -> set[str]:
        return set().union(*(_list_moving_sheets(part, place[0]) for part in self._expand_texts(text)))

    def _iter_reads(self, place: Place, text: str) -> Iterator[_Read]:
        for part in self._expand_texts(text):
            for sheet, area in self._tables_in(part, place):
                yield sheet.casefold(), Cell(area.top, area.left) if area.size == 1 else area
            for reference in formulas.iter_references(part):
                sheet, area = (reference.sheet or place[0]).casefold(), reference.area
                for spanned in self._expand_span(sheet):
                    yield spanned, Cell(area.top, area.left) if area.size == 1 else area

    def _expand_span(self, sheet: str) -> list[str]:
        """The sheets of a span such as Jan:Mar, in small letters; one sheet is itself."""
        names = list(self._sheets)
        ends = [names.index(end) for end in sheet.split(":") if end in self._sheets]
        return names[min(ends) : max(ends) + 1] if ":" in sheet and len(ends) == 2 else [sheet]

    def _tables_in(self, text: str, place: Place) -> list[tuple[str, Area]]:
        """What structured references stand for; one without a name is about a table of its own sheet."""
        if "[" not in text:
            return []
        sheet, cell = place
        named = list(named_areas(text, self._tables, cell.row))
        return named or [(table.sheet, table.area) for table in self._tables.values() if table.sheet == sheet]

    def list_readers(self, place: Place) -> set[Place]:
        """The formulas that name a cell, alone or in an area, and those that may read any cell."""
        sheet, cell = place
        named = self._readers_of(sheet.casefold(), cell, set())
        return {*named, *self._moving.get("", ()), *self._moving.get(sheet.casefold(), ())}

    def list_moving(self) -> set[Place]:
        """The formulas whose text does not show which cells they read."""
        return set().union(*self._moving.values())

    def list_dependents(self, roots: Iterable[Place], *, moving: bool = True) -> set[Place]:
        """All formulas that read one of `roots`, directly or through others, without the roots themselves.

        With `moving` also those that may do so, though their text does not show it.
        """
        start = set(roots)
        dependent_cells = set(self._moving.get("", ())) if start and moving else set()
        waiting = [filled for place in (*start, *dependent_cells) for filled in self._list_filled(place)]
        seen: dict[str, set[Any]] = {}
        while waiting:
            sheet, cell = waiting.pop()
            key = sheet.casefold()
            readers = self._readers_of(key, cell, seen.setdefault(key, set()))
            for reader in chain(readers, self._moving.get(key, ()) if moving else ()):
                if reader not in dependent_cells and reader not in start:
                    dependent_cells.add(reader)
                    waiting += self._list_filled(reader)
        return dependent_cells - start

    def _readers_of(self, sheet: str, cell: Cell, seen: set[Any]) -> Iterator[Place]:
        """The formulas that read a cell, but those of areas in `seen`, to which the cell's areas are added."""
        yield from self._readers.get((sheet, cell), ())
        for area in self._regions[sheet].iter_around(cell, seen) if sheet in self._regions else ():
            if area not in seen:
                seen.add(area)
                yield from self._readers[sheet, area]

    def _list_filled(self, place: Place) -> list[Place]:
        """The cell and those that its formula spills into."""
        area = self._spills.get(place)
        return [place] if area is None else [place, *((place[0], cell) for cell in area.cells())]
