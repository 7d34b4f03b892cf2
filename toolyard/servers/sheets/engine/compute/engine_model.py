"""A workbook in the calculation engine: its formulas in their forms, and what forms depend on as values change."""

from __future__ import annotations

import re
import weakref
from dataclasses import dataclass, field
from typing import Any

from toolyard.servers.sheets.engine.cells.dependencies import Place
from toolyard.servers.sheets.engine.cells.grid import FormulaCell
from toolyard.servers.sheets.engine.compute.calculator import Calculator
from toolyard.servers.sheets.engine.compute.engine_formulas import FormOptions, engine_form
from toolyard.servers.sheets.engine.compute.formula_index import PLACE, FormulaIndex
from toolyard.servers.sheets.engine.compute.lookups import Lookup, Sheets, depends_on_workbook
from toolyard.servers.sheets.engine.formula_forms import limits, text_digits
from toolyard.servers.sheets.engine.notation import formulas
from toolyard.servers.sheets.engine.notation.numeric_texts import is_apart
from toolyard.servers.sheets.engine.notation.references import Area, Cell
from toolyard.servers.sheets.engine.notation.values import ERRORS, MAX_TEXT, Scalar
from toolyard.servers.sheets.engine.package.workbook import Workbook

_LOOKED_AT = 10_000
_STAND_IN = "XFC"
_STOOD_IN = re.compile(rf"{_STAND_IN}(\d+)")
_CELL = re.compile(rf"{formulas.STRING.pattern}|({PLACE.pattern})")


@dataclass
class Model:
    """A workbook in the calculation engine, and the numbers of its sheets there.

    `has_error_cells` says that cells without formulas are errors, `heeds_errors` that formulas are in a form that
    passes none by; `texts` are the cells without formulas that hold texts which Excel reads as other numbers than the
    engine, `vast_numbers` the cells with numbers of which a few make one too large; `rounding_texts` are the formulas
    in a form that rounds what is in cells before it comes into a text, `telling_overflow` those that tell what is too
    large from a division by 0, `cutting_texts` those whose texts end where a cell's do; `limits_numbers` says that
    large numbers are kept from the engine.
    """

    engine: Calculator
    sheets: dict[str, int]
    cells: Sheets
    lookups: dict[Place, tuple[Lookup, str, bool]] = field(default_factory=dict)
    has_error_cells: bool = False
    heeds_errors: bool = False
    texts: set[Place] = field(default_factory=set)
    vast_numbers: set[Place] = field(default_factory=set)
    rounding_texts: set[Place] = field(default_factory=set)
    telling_overflow: set[Place] = field(default_factory=set)
    cutting_texts: set[Place] = field(default_factory=set)
    limits_numbers: bool = False
    unwritten: dict[Place, str] = field(default_factory=dict)
    _looked: bool = False
    _forms: dict[tuple[str, bool, FormOptions], str] = field(default_factory=dict)
    _areas: dict[Place, tuple[str, list[tuple[str, Area]]]] = field(default_factory=dict)
    _of_texts: set[Place] = field(default_factory=set)
    _beside: dict[tuple[str, int], str] = field(default_factory=dict)
    _expressions: dict[Place, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = weakref.proxy(self)  # else the engine would be kept until the next collection of cycles
        self.cells.ask = lambda *asked: model.ask(*asked)  # noqa: PLW0108 - a bound method would keep the model

    def write(self, place: Place, formula: str, *, over_arrays: bool = False) -> None:
        """Put a formula in, in the form for the engine."""
        lookup = Lookup(self.cells, *place, apart=place in self._of_texts)
        options = FormOptions(
            self.heeds_errors,
            place in self.rounding_texts,
            place in self.telling_overflow,
            place in self.cutting_texts,
            self.limits_numbers,
        )
        self.set(place, self._form(formula, lookup, over_arrays=over_arrays, options=options))
        if lookup.depends():
            self.lookups[place] = lookup, formula, over_arrays

    def _form(self, formula: str, lookup: Lookup, *, over_arrays: bool, options: FormOptions) -> str:
        """The form for the engine; worked out once for formulas that differ in the cells that they name alone."""
        if ":" in formula or "[" in formula or _STAND_IN in formula or lookup.apart or depends_on_workbook(formula):
            return engine_form(formula, lookup, over_arrays=over_arrays, options=options)
        shape, cells = _shape(formula)
        key = shape, over_arrays, options
        if key in self._forms:
            return _STOOD_IN.sub(lambda found: cells[int(found[1]) - 1], self._forms[key])
        form = engine_form(formula, lookup, over_arrays=over_arrays, options=options)
        if not lookup.is_of_its_cells():
            elsewhere = Lookup(self.cells, lookup.own, lookup.cell)
            self._forms[key] = engine_form(shape, elsewhere, over_arrays=over_arrays, options=options)
        return form

    def write_formula(self, place: Place, formula: FormulaCell | None) -> None:
        """Put a formula of the workbook in; those that fill marked cells stay as the engine read them."""
        if formula is not None and (formula.area is None or formula.dynamic):
            self.write(place, formulas.computable(formula.text), over_arrays=formula.area is not None)

    def look_again(self) -> bool:
        """Whether formulas were put in anew because what they look in is no longer what their form was made for."""
        self.cells.forget()
        changed = [(place, *held) for place, held in self.lookups.items() if not held[0].is_as_told()]
        for place, _, formula, over_arrays in changed:
            self.write(place, formula, over_arrays=over_arrays)
        return bool(changed)

    def rewrite_for_errors(self, index: FormulaIndex) -> bool:
        """Whether formulas with AND and OR were put in anew, because there are errors that they might pass by."""
        if self.heeds_errors or not index.deciding or not (self.has_error_cells or self._has_errors(index)):
            return False
        self.heeds_errors = True
        for place in index.deciding:
            self.write_formula(place, index.get(place))
        return True

    def expect_texts(self, index: FormulaIndex, book: Workbook) -> set[Place]:
        """The formulas that read texts which Excel takes for other numbers."""
        graph = index.graph(book) if self.texts else None
        self._of_texts = set() if graph is None else {reader for place in self.texts for reader in graph.readers(place)}
        return self._of_texts

    def take_texts(self, index: FormulaIndex, book: Workbook) -> bool:
        """Whether formulas were put in anew, because they read texts that Excel takes for other numbers."""
        waiting = {*self.texts, *(place for place in index.texting if self._is_apart(place))}
        if not waiting:
            return False
        graph, known, readers = index.graph(book), set[Place](), set[Place]()
        while waiting:
            known |= waiting
            read = {reader for place in waiting for reader in graph.readers(place)}
            readers |= read
            waiting = {place for place in read - known if self._is_apart(place)}
        new = readers - self._of_texts
        self._of_texts |= new
        for place in sorted(new):
            self.write_formula(place, index.get(place))
        return bool(new)

    def bound_texts(self, index: FormulaIndex, book: Workbook, changed: set[Place]) -> None:
        """Put formulas that make texts of what others give in the form that ends where a cell's text does."""
        graph = index.graph(book) if index.joining else None
        if graph is None:
            return
        if self._looked:
            places = {place for place in index.joining & changed if self._reads_formulas(place, index, book)}
        else:
            given = index.joining | graph.dependents(index.joining)
            places = index.joining & {reader for place in given for reader in graph.readers(place)}
        for place in sorted(places - self.cutting_texts):
            self.cutting_texts.add(place)
            self.write_formula(place, index.get(place))

    def _reads_formulas(self, place: Place, index: FormulaIndex, book: Workbook) -> bool:
        areas = self._named(place, index, book)
        places = [(sheet, Cell(area.top, area.left)) for sheet, area in areas if area.size == 1 and ":" not in sheet]
        return len(places) < len(areas) or any(map(index.get, places))

    def limit(self, index: FormulaIndex) -> bool:
        """Whether formulas in which the engine may have failed were put in a form that keeps large numbers from it."""
        if self.limits_numbers or not index.failing:
            return False
        self.limits_numbers = True
        for place in sorted(index.failing):
            self.write_formula(place, index.get(place))
        return True

    def take_numbers(self, index: FormulaIndex, book: Workbook, changed: set[Place]) -> set[Place]:
        """The formulas that were put in anew because of numbers that they write, or that are too large.

        `changed` are those whose values may be others than before.
        """
        due = changed if self._looked else index.writing | index.growing
        self._looked, anew = True, set[Place]()
        for place in due & (index.growing - self.telling_overflow):
            if "#DIV/0!" in self._given(place, index):
                self.telling_overflow.add(place)
                anew.add(place)
        for place in due & index.writing:
            read = self.read(place, index, book)
            self.unwritten[place] = text_digits.doubt(index.text(place), read) or self._too_long(place, index, book)
            if place not in self.rounding_texts and any(map(text_digits.is_long, read)):
                self.rounding_texts.add(place)
                anew.add(place)
        for place in sorted(anew):
            self.write_formula(place, index.get(place))
        return anew

    def _too_long(self, place: Place, index: FormulaIndex, book: Workbook) -> str:
        """Why a formula that joins cells on the way has no value: as a text they are longer than a cell takes."""
        if place not in index.joining:
            return ""
        held = [self.value((sheet, Cell(area.top, area.left))) for sheet, area in self._named(place, index, book)]
        long = sum(len(value) for value in held if isinstance(value, str)) > MAX_TEXT
        return limits.TOO_LONG if long and limits.joins_within(index.text(place)) else ""

    def read(self, place: Place, index: FormulaIndex, book: Workbook) -> list[Any]:
        """What is in the cells that a formula names, but for large areas."""
        areas = self._named(place, index, book)
        known = [(sheet, area) for sheet, area in areas if sheet.casefold() in self.sheets and area.size <= _LOOKED_AT]
        return [value for sheet, area in known for value in self.cells.values(sheet, area)]

    def _named(self, place: Place, index: FormulaIndex, book: Workbook) -> list[tuple[str, Area]]:
        """The areas that a formula names."""
        text = index.text(place)
        if self._areas.get(place, ("", []))[0] != text:
            self._areas[place] = text, index.graph(book).reads(place, text)
        return self._areas[place][1] if text else []

    def _given(self, place: Place, index: FormulaIndex) -> list[Scalar]:
        """What a formula gives, in all cells that it fills."""
        formula = index.get(place)
        if formula is None or formula.area is None or place[0].casefold() not in self.sheets:
            return [self.value(place)]
        return [self.value((place[0], cell)) for cell in self.spill(place, formula).cells()]

    def spill(self, place: Place, formula: FormulaCell) -> Area:
        """The area that a formula fills."""
        sheet, cell = place
        filled = self.engine.filled(self.sheets[sheet.casefold()], cell.row, cell.column)
        if filled is None:
            return formula.area or Area(cell.row, cell.column, cell.row, cell.column)
        rows, columns = filled
        return Area(cell.row, cell.column, cell.row + rows - 1, cell.column + columns - 1)

    def _is_apart(self, place: Place) -> bool:
        return is_apart(self.value(place))

    def ask(self, sheet: str, cell: Cell, count: int, expression: str) -> tuple[str, Cell]:
        """Let an expression be computed beside the workbook; where its value is after the calculation."""
        key = sheet.casefold(), count
        if key not in self._beside:
            self._beside[key] = name = f"~asked {len(self.engine.sheets)}"  # that no formula refers to
            self.sheets[name] = self.engine.add_sheet(name)
        place = self._beside[key], cell
        if self._expressions.get(place) != expression:
            self._expressions[place] = expression
            self.write(place, expression)
        return place

    def _has_errors(self, index: FormulaIndex) -> bool:
        """Whether formulas give errors, or may: of those that fill cells only the first cell is known."""
        for sheet, rows in index.sheets.items():
            for row in rows.values():
                for cell, formula in row.items():
                    if formula.area is not None or self.value((sheet, cell)) in ERRORS:
                        return True
        return False

    def doubts(self, index: FormulaIndex) -> dict[Place, str]:
        """Formulas that look things up where the engine cannot, or write numbers as it does not, with the reason."""
        found = {place: reason for place, reason in self.unwritten.items() if reason and place in index.writing}
        return found | {place: lookup.doubt for place, (lookup, _, _) in self.lookups.items() if lookup.doubt}

    def set(self, place: Place, text: str) -> None:
        sheet, cell = place
        self.lookups.pop(place, None)
        if sheet.casefold() in self.sheets:
            self.engine.put(self.sheets[sheet.casefold()], cell.row, cell.column, text)

    def value(self, place: Place) -> Scalar:
        sheet, cell = place
        if sheet.casefold() not in self.sheets:
            return None
        value = self.engine.value(self.sheets[sheet.casefold()], cell.row, cell.column)
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return int(value)
        return value if isinstance(value, str | int | float | bool) else None


def _shape(formula: str) -> tuple[str, list[str]]:
    """A formula with stand-ins for the cells that it names, and these; what its texts say stays."""
    cells: list[str] = []

    def stand_in(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        cells.append(found[1])
        return f"{_STAND_IN}{len(cells)}"

    return _CELL.sub(stand_in, formula), cells
