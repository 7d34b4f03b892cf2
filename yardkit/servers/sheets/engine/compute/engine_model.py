"""A workbook in the calculation engine: its formulas in their forms, which follow what they look in."""

from __future__ import annotations

import re
import weakref
from dataclasses import dataclass, field

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import FormulaCell
from yardkit.servers.sheets.engine.compute.calculator import Calculator
from yardkit.servers.sheets.engine.compute.engine_formulas import engine_form
from yardkit.servers.sheets.engine.compute.formula_index import PLACE
from yardkit.servers.sheets.engine.compute.lookups import Lookup, Sheets, depends_on_workbook
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.values import ERRORS, Scalar

_STAND_IN = "XFC"
_STOOD_IN = re.compile(rf"{_STAND_IN}(\d+)")
_CELL = re.compile(rf"{formulas.STRING.pattern}|({PLACE.pattern})")


@dataclass
class Model:
    """A workbook in the calculation engine, and the numbers of its sheets there.

    `lookups` are the formulas whose form depends on what cells hold, `constants` those in whose place a value stands
    that LibreOffice gave.
    """

    engine: Calculator
    sheets: dict[str, int]
    cells: Sheets
    lookups: dict[Place, tuple[Lookup, str, Area | None, bool]] = field(default_factory=dict)
    constants: set[Place] = field(default_factory=set)
    _forms: dict[tuple[str, bool], str] = field(default_factory=dict)
    _beside: dict[tuple[str, int], str] = field(default_factory=dict)
    _expressions: dict[Place, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = weakref.proxy(self)  # else the engine would be kept until the next collection of cycles
        self.cells.ask = lambda *asked: model.ask(*asked)  # noqa: PLW0108 - a bound method would keep the model

    def write(self, place: Place, formula: str, *, area: Area | None = None, dynamic: bool = True) -> None:
        """Put a formula ``=...`` in, in the form for the engine; with an `area` it is one over arrays."""
        lookup = Lookup(self.cells, *place)
        form = self._build_form(formula, lookup, over_arrays=area is not None)
        if area is None or dynamic:
            self.set(place, form)
        elif place[0].casefold() in self.sheets:
            self.engine.put_array(self.sheets[place[0].casefold()], place[1].row, place[1].column, area, form)
        if lookup.depends():
            self.lookups[place] = lookup, formula, area, dynamic

    def write_formula(self, place: Place, formula: FormulaCell) -> None:
        """Put a formula of the workbook in, and empty the cells that it fills."""
        if formula.area is not None:
            for cell in formula.area.cells():
                self.set((place[0], cell), "")
        self.write(place, formulas.to_computable(formula.text), area=formula.area, dynamic=formula.dynamic)

    def _build_form(self, formula: str, lookup: Lookup, *, over_arrays: bool) -> str:
        """The form for the engine; worked out once for formulas that differ in the cells that they name alone."""
        if ":" in formula or "[" in formula or _STAND_IN in formula or depends_on_workbook(formula):
            return engine_form(formula, lookup, over_arrays=over_arrays)
        shape, cells = _extract_shape(formula)
        key = shape, over_arrays
        if key in self._forms:
            return _STOOD_IN.sub(lambda match: cells[int(match[1]) - 1], self._forms[key])
        form = engine_form(formula, lookup, over_arrays=over_arrays)
        if not lookup.is_of_its_cells():
            elsewhere = Lookup(self.cells, lookup.own, lookup.cell)
            self._forms[key] = engine_form(shape, elsewhere, over_arrays=over_arrays)
        return form

    def look_again(self) -> bool:
        """Whether formulas were put in anew because what they look in is no longer what their form was made for."""
        self.cells.forget()
        changed = [
            (place, *lookup_state) for place, lookup_state in self.lookups.items() if not lookup_state[0].is_current()
        ]
        for place, _, formula, area, dynamic in changed:
            self.write(place, formula, area=area, dynamic=dynamic)
        return bool(changed)

    def compute_spill(self, place: Place, formula: FormulaCell) -> Area:
        """The area that a formula fills."""
        sheet, cell = place
        filled = self.engine.get_filled_size(self.sheets[sheet.casefold()], cell.row, cell.column)
        if filled is None:
            return formula.area or Area(cell.row, cell.column, cell.row, cell.column)
        rows, columns = filled
        return Area(cell.row, cell.column, cell.row + rows - 1, cell.column + columns - 1)

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

    def list_doubts(self) -> dict[Place, str]:
        """Formulas that look things up where the engine cannot, with the reason."""
        return {place: lookup.doubt for place, (lookup, *_) in self.lookups.items() if lookup.doubt}

    def put_value(self, place: Place, value: Scalar) -> None:
        """Put a value into a cell."""
        if isinstance(value, bool):
            text = str(value).upper()
        elif isinstance(value, str) and value not in ERRORS:
            text = f"'{value}"
        else:
            text = "" if value is None else repr(value) if isinstance(value, float) else str(value)
        self.set(place, text)

    def set(self, place: Place, text: str) -> None:
        """Put into a cell what a user would type."""
        sheet, cell = place
        self.lookups.pop(place, None)
        self.constants.discard(place)
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


def _extract_shape(formula: str) -> tuple[str, list[str]]:
    """A formula with stand-ins for the cells that it names, and these; what its texts say stays."""
    cells: list[str] = []

    def stand_in(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        cells.append(match[1])
        return f"{_STAND_IN}{len(cells)}"

    return _CELL.sub(stand_in, formula), cells
