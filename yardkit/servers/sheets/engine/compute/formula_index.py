"""The formulas of a workbook by row, and which of them read which cells; kept up to date from edit to edit."""

from __future__ import annotations

import re
from typing import NamedTuple

from yardkit.servers.sheets.engine.cells.dependencies import Graph, Place
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.compute import doubts
from yardkit.servers.sheets.engine.compute.engine_formulas import has_form
from yardkit.servers.sheets.engine.notation.formulas import CLOCK, list_functions
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.package.workbook import Workbook

Rows = dict[int, dict[Cell, FormulaCell]]
# Up to column XFD; YTD2026 is a name.
PLACE = re.compile(
    r"(?<![A-Za-z0-9_.])\$?(?:[A-Za-z]{1,2}|[A-Wa-w][A-Za-z]{2}|[Xx](?:[A-Ea-e][A-Za-z]|[Ff][A-Da-d]))\$?\d+"
    r"(?![A-Za-z0-9_.(])"
)
_SIZED = re.compile(r"(?:SUMIF|AVERAGEIF|XLOOKUP)\(", re.IGNORECASE)  # whether they are right depends on sizes
_AREA = re.compile(r"\$?[A-Za-z]{1,3}\$?\d+:\$?[A-Za-z]{1,3}\$?\d+")


def _compute_size(area: re.Match[str]) -> str:
    named_area = area_of(area[0])
    return f"{named_area.rows}*{named_area.columns}"


class _Traits(NamedTuple):
    """Why a formula's value cannot be known, and in which of the sets of the index it is."""

    doubt: str
    clocks: bool
    formed: bool


_SETS = ("clocks", "formed")


class FormulaIndex:
    """Formulas by sheet and row.

    `fresh` are the formulas whose value the file lacks or that may find room now, `clocks` those that read the clock,
    `formed` those that the engine takes in a form of their own, `doubtful` those that it is not asked for, with the
    reason.
    """

    def __init__(self, book: Workbook, grids: dict[str, Grid]) -> None:
        self.sheets: dict[str, Rows] = {}
        self.fresh: set[Place] = set()
        self.clocks: set[Place] = set()
        self.formed: set[Place] = set()
        self.doubtful: dict[Place, str] = {}
        self._names = book.named
        self._date1904 = book.date1904
        self._known: dict[tuple[str, bool], _Traits] = {}
        self._graph: Graph | None = None
        for info in book.sheets:
            if info.kind == "worksheet":
                grid = grids.get(info.name) or Grid(book, info)
                for number, row in grid.formula_rows().items():
                    self.renew_row(info.name, number, row)

    def __bool__(self) -> bool:
        return any(self.sheets.values())

    def count(self) -> int:
        return sum(len(row) for rows in self.sheets.values() for row in rows.values())

    def get(self, place: Place) -> FormulaCell | None:
        sheet, cell = place
        return self.sheets.get(sheet, {}).get(cell.row, {}).get(cell)

    def text(self, place: Place) -> str:
        """The formula as it is stored; empty where there is none."""
        formula = self.get(place)
        return "" if formula is None else formula.text

    def places(self) -> dict[Place, FormulaCell]:
        """All formulas."""
        return {
            (sheet, cell): formula
            for sheet, rows in self.sheets.items()
            for row in rows.values()
            for cell, formula in row.items()
        }

    def list_within(self, sheet: str, area: Area) -> list[tuple[Place, FormulaCell]]:
        """The formulas in an area of a sheet."""
        rows = self.sheets.get(sheet, {})
        return [
            ((sheet, cell), formula)
            for number in sorted(rows)
            if area.top <= number <= area.bottom
            for cell, formula in sorted(rows[number].items())
            if cell in area
        ]

    def get_graph(self, book: Workbook) -> Graph:
        if self._graph is None:
            self._graph = Graph(self.places(), book)
        return self._graph

    def renew_row(self, sheet: str, number: int, row: dict[Cell, FormulaCell]) -> None:
        """Take over the formulas of one row as it is now."""
        rows = self.sheets.setdefault(sheet, {})
        old = rows.pop(number, {})
        for cell in old.keys() - row.keys():
            self._forget_formula((sheet, cell))
        if row:
            rows[number] = row
        for cell, formula in row.items():
            before = old.get(cell)
            if before is None or (before.text, before.area) != (formula.text, formula.area):
                self._learn_formula((sheet, cell), formula)
            if not formula.has_value or formula.blocked:
                self.fresh.add((sheet, cell))

    def _learn_formula(self, place: Place, formula: FormulaCell) -> None:
        self._forget_formula(place)
        traits = self._get_traits(formula.text, marked=formula.area is not None)
        for name in _SETS:
            if getattr(traits, name):
                getattr(self, name).add(place)
        if traits.doubt:
            self.doubtful[place] = traits.doubt
        if self._graph is not None:
            self._graph.add({place: formula})

    def _forget_formula(self, place: Place) -> None:
        self.fresh.discard(place)
        for name in _SETS:
            getattr(self, name).discard(place)
        self.doubtful.pop(place, None)
        if self._graph is not None:
            self._graph.drop(place)

    def _get_traits(self, text: str, *, marked: bool) -> _Traits:
        """What is known of a formula; the same for all filled down."""
        key = PLACE.sub("A1", _AREA.sub(_compute_size, text) if _SIZED.search(text) else text), marked
        if key not in self._known:
            self._known[key] = _Traits(
                doubts.find_doubt(text, self._names, marked=marked, date1904=self._date1904),
                not CLOCK.isdisjoint(list_functions(text)),
                has_form(text, marked=marked),
            )
        return self._known[key]
