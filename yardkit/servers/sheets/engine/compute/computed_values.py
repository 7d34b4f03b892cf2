"""Values of formulas: by the calculation engine, by LibreOffice for what is not its own; never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import FormulaCell
from yardkit.servers.sheets.engine.compute.calculator import Calculator, Failure, Panic, TooMuch
from yardkit.servers.sheets.engine.compute.doubts import CIRCLE, MALFORMED, NOT_COMPUTED, doubt_of_value, wants_check
from yardkit.servers.sheets.engine.compute.engine_copy import EngineCopy
from yardkit.servers.sheets.engine.compute.engine_formulas import engine_form
from yardkit.servers.sheets.engine.compute.engine_model import Model
from yardkit.servers.sheets.engine.compute.formula_index import FormulaIndex
from yardkit.servers.sheets.engine.compute.libreoffice_values import OfficeBook
from yardkit.servers.sheets.engine.compute.lookups import Lookup, Sheets, tables_by_name
from yardkit.servers.sheets.engine.formula_forms.dates import DAYS_TO_1904
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.values import ERRORS, Scalar
from yardkit.servers.sheets.engine.package.tables import list_filtered_areas, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.world import Unavailable

MAX_FORMULAS = 300_000
MAX_FILLED = 500_000
"""Cells that one formula may fill."""
DEPENDS = "it depends on a value that is not known"
UNREADABLE = f"{NOT_COMPUTED}this workbook"
_CLOCK = re.compile(r"\b(TODAY|NOW)\s*\(\s*\)", re.IGNORECASE)
_PASSES = 8
_TURNS = 4
"""How often the engine and LibreOffice go on with what the other gave."""
_MOST_LOOKED_AT = 10_000
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - serial dates have no zone
_SURE_ERRORS = frozenset({"#DIV/0!", "#N/A"})
"""A division by nought, and what is not found, are so in LibreOffice as in Excel; its others may be its own failure."""
_PROBES = ("#NULL!", 987_654_321.5)
"""Values of which two formulas' results tell whether a cell that holds them was read."""


@dataclass
class Outcome:
    """Results by sheet and cell: values (an error is text such as #DIV/0!), filled areas, reasons for no value."""

    values: dict[Place, Scalar] = field(default_factory=dict)
    spills: dict[Place, Area] = field(default_factory=dict)
    unknown: dict[Place, str] = field(default_factory=dict)


def load_model(path: Path, book: Workbook, index: FormulaIndex) -> Model | str:
    """`book` with the formulas `index` in the engine, by way of a file at `path`; or why the engine cannot read it."""
    copy = EngineCopy(book)
    copy.save(path)
    try:
        engine = Calculator(path)
        named = book.named
        sheets = {name.casefold(): number for number, name in enumerate(engine.sheets)}
        cells = Sheets(
            engine,
            sheets,
            named | {other: named[name] for name, other in copy.stand_ins.items()},
            tables_by_name(list_tables(book)),
            list_filtered_areas(book),
            copy.stand_ins,
            book.date1904,
        )
        model = Model(engine, sheets, cells)
        for row, name in enumerate(copy.computed, start=1):
            place = copy.titles[-1], Cell(row, 1)
            model.set(place, engine_form(f"={name.formula.lstrip('=')}", Lookup(cells, *place)))
        for place, formula in index.places().items():
            if place not in index.doubtful:
                _put_formula(model, index, place, formula)
        engine.flush()
    except Unavailable as error:
        return str(error)
    except Failure as failure:
        return _explain_unreadable(failure)
    return model


def _explain_unreadable(failure: Failure) -> str:
    if isinstance(failure, TooMuch):
        return f"the engine was ended: {failure}"  # LibreOffice would take as long
    return UNREADABLE if isinstance(failure, Panic) else f"{UNREADABLE} ({failure})"


def _put_formula(model: Model, index: FormulaIndex, place: Place, formula: FormulaCell) -> None:
    """Put a formula of the workbook in; most are right as they stand."""
    if place in index.formed or formula.area is not None:
        model.write_formula(place, formula)
    else:
        model.set(place, formulas.to_computable(formula.text))


def feed_changes(model: Model, index: FormulaIndex, changes: dict[Place, Scalar]) -> bool:
    """Put changed cells into the model: values, and formulas as "=" texts; whether it took all of them as meant."""
    put = {}
    model.engine.restart_clock()
    try:
        for place, value in changes.items():
            if isinstance(value, str) and value.startswith("="):
                if place not in index.doubtful:
                    model.write(place, value)
            else:
                model.put_value(place, value)
                put[place] = value
        model.engine.flush()
        return all(value is None or model.value(place) == value for place, value in put.items())
    except Failure:
        return False


def compute_values(
    model: Model | str, book: Workbook, index: FormulaIndex, pending_cells: set[Place], now: datetime, scratch: Path
) -> Outcome:
    """The values of the formulas `wanted`; `now` is what NOW() says, `scratch` a file that may be written.

    Instead of a model there may be the reason why there is none: then LibreOffice is asked for all.
    """
    job = _Calculation(book, index, pending_cells, now, scratch)
    if isinstance(model, Model):
        model.engine.restart_clock()
        try:
            return job.by_both(model)
        except Failure as failure:
            model = _explain_unreadable(failure)
    return job.by_libreoffice(model)


class _Calculation:
    """One calculation of the formulas `wanted`. What is not wanted keeps its value, and is read with it."""

    def __init__(
        self, book: Workbook, index: FormulaIndex, pending_cells: set[Place], now: datetime, scratch: Path
    ) -> None:
        self.index, self.wanted, self.now = index, pending_cells, now
        self._graph = index.get_graph(book)
        self._date1904 = book.date1904
        self._office = OfficeBook(book, scratch)
        self._asked: set[Place] = set()
        self._given: dict[Place, Scalar] = {}  # by LibreOffice
        self._doubtful_errors: dict[Place, Scalar] = {}  # by the engine, unless LibreOffice has a value

    def by_libreoffice(self, reason: str) -> Outcome:
        """All values from LibreOffice, if the engine lacks something, which `reason` says."""
        doubts = self.index.doubtful
        outcome = Outcome(unknown={place: doubts.get(place, reason) for place in self.wanted})
        self._ask_libreoffice(None, outcome)
        for place, value in self._given.items():
            outcome.values[place] = value
            del outcome.unknown[place]
        self._spread_unknown(outcome)
        return outcome

    def by_both(self, model: Model) -> Outcome:
        """The values by the engine, in turns with LibreOffice."""
        for place in (model.constants & self.wanted) - self.index.doubtful.keys():
            formula = self.index.get(place)
            if formula is not None:
                _put_formula(model, self.index, place, formula)
        for place in self.index.clocks - self.index.doubtful.keys():
            formula = self.index.get(place)
            if formula is not None:
                model.write(place, self._freeze_clock(formula), area=formula.area, dynamic=formula.dynamic)
        for turn in range(_TURNS + 1):
            settled = _evaluate_model(model)
            outcome = self._build_outcome(model, settled=settled)
            if turn == _TURNS or not self._ask_libreoffice(model, outcome):
                break
        for place, error in self._doubtful_errors.items():
            if outcome.unknown.get(place, "").startswith(NOT_COMPUTED):  # LibreOffice has no value either
                outcome.values[place] = error
                del outcome.unknown[place]
        self._spread_unknown(outcome)
        _fill_spills(outcome, model)
        self._probe_moving(model, outcome)
        return outcome

    def _build_outcome(self, model: Model, *, settled: bool) -> Outcome:
        outcome = Outcome()
        doubts = model.list_doubts()
        if not settled:
            doubts |= dict.fromkeys(model.lookups, "it looks in cells whose values depend on its own")
        for place in self.wanted:
            formula = self.index.get(place)
            if formula is None:
                continue
            if place in self._given:
                outcome.values[place] = self._given[place]
                continue
            reason = self.index.doubtful.get(place) or doubts.get(place, "")
            self._take_value(model, place, formula, reason, outcome)
        return outcome

    def _take_value(self, model: Model, place: Place, formula: FormulaCell, doubt: str, outcome: Outcome) -> None:
        value = None if doubt else model.value(place)
        reason = doubt or doubt_of_value(value, formula.text)
        if not reason and wants_check(value, formula.text) and not self._is_inherited(model, place, value):
            reason = (
                f"{NOT_COMPUTED}{', '.join(dict.fromkeys(formulas.list_functions(formula.text))) or 'its operators'} of"
                " this"
            )
            if value in ERRORS:
                self._doubtful_errors[place] = value
        area = model.compute_spill(place, formula) if formula.area is not None and not reason else None
        if area is not None and area.size > MAX_FILLED:
            reason = f"it fills {area.size:,} cells; name the rows that hold data instead of whole columns, as A1:A500"
        if reason:
            outcome.unknown[place] = reason
            return
        outcome.values[place] = value
        if area is not None:
            outcome.spills[place] = area

    def _is_inherited(self, model: Model, place: Place, value: Scalar) -> bool:
        """Whether an error stands in a cell that a formula reads."""
        if value not in ERRORS:
            return False
        for sheet, area in self._graph.list_reads(place, self.index.text(place)):
            if sheet.casefold() not in model.sheets or area.top > model.cells.last_row():
                continue
            seen = replace(area, bottom=min(area.bottom, model.cells.last_row()))
            if seen.size <= _MOST_LOOKED_AT and value in model.cells.values(sheet, seen):
                return True
        return False

    def _ask_libreoffice(self, model: Model | None, outcome: Outcome) -> bool:
        """Ask LibreOffice for the values that the engine lacks; whether something came of it.

        Formulas that wait for one that LibreOffice does not know wait for the next turn.
        """
        roots = {place for place, why in outcome.unknown.items() if why.startswith(NOT_COMPUTED)} - self._asked
        if not roots:
            return False
        waiting = roots | (self._graph.list_dependents(roots) & self.wanted)
        barred = {place for place in waiting if not self._can_ask_for(place)} | (outcome.unknown.keys() - roots)
        live = waiting - barred - self._graph.list_dependents(barred)
        asked = sorted(roots & live)
        if not asked:
            return False
        answers = self._office.values(asked, self._cells(model, outcome, live, waiting))
        sure_values = {place: value for place, value in answers.items() if self._is_sure(model, place, value)}
        lost = self._graph.list_dependents(set(asked) - sure_values.keys(), moving=False)
        self._asked |= set(asked)
        self._given |= {place: value for place, value in sure_values.items() if place not in lost}
        if model is not None:
            for place in sure_values.keys() - lost:
                model.put_value(place, sure_values[place])
                model.constants.add(place)
        return True

    def _cells(
        self, model: Model | None, outcome: Outcome, live: set[Place], waiting: set[Place]
    ) -> dict[Place, FormulaCell | Scalar]:
        """What LibreOffice gets: the formulas that are `live`, and the new values of others that they read."""
        cells: dict[Place, FormulaCell | Scalar] = {}
        for place in live:
            formula = self.index.get(place)
            if formula is not None and place in self.index.clocks:
                formula = replace(formula, text=self._freeze_clock(formula)[1:])
            if formula is not None:
                cells[place] = formula
        for place, value in outcome.values.items():
            if place in waiting or live.isdisjoint(self._graph.list_readers(place)):
                continue
            cells[place] = value
            if model is not None and place in outcome.spills:
                spilled = ((place[0], cell) for cell in outcome.spills[place].cells())
                cells |= {other: model.value(other) for other in spilled}
        return cells

    def _is_sure(self, model: Model | None, place: Place, value: Scalar) -> bool:
        """Whether what LibreOffice gives is no failure of its own: an error must come from what the formula reads."""
        if value not in ERRORS or value in _SURE_ERRORS:
            return True
        return model is not None and self._is_inherited(model, place, value)

    def _can_ask_for(self, place: Place) -> bool:
        """Whether LibreOffice is asked for a formula."""
        formula = self.index.get(place)
        reason = self.index.doubtful.get(place, NOT_COMPUTED)
        if formula is None or not reason.startswith(NOT_COMPUTED):
            return False
        return self._office.accepts(formula, {sheet for sheet, _ in self._graph.list_reads(place, formula.text)})

    def _freeze_clock(self, formula: FormulaCell) -> str:
        """A formula in which the clock stands still."""
        moment = self.now.replace(tzinfo=None) - _EPOCH
        days = moment.days - (DAYS_TO_1904 if self._date1904 else 0)

        def serial(match: re.Match[str]) -> str:
            return str(days) if match[1].upper() == "TODAY" else repr(days + moment.seconds / 86400)

        return _CLOCK.sub(serial, formulas.to_computable(formula.text))

    def _spread_unknown(self, outcome: Outcome) -> None:
        """What names an unknown value is unknown too, an IFERROR around it included."""
        own = {place for place, why in outcome.unknown.items() if why in (CIRCLE, MALFORMED)}
        for causes in (outcome.unknown.keys() - own, own):
            _lose_values(outcome, self._graph.list_dependents(causes, moving=False) & self.wanted)

    def _probe_moving(self, model: Model, outcome: Outcome) -> None:
        """Find out which of the formulas whose text does not show what they read read an unknown value."""
        moving = self._graph.list_moving() & outcome.values.keys() - self._given.keys()
        if not moving or not outcome.unknown:
            return
        results = []
        for probe in _PROBES:
            for place in outcome.unknown:
                model.put_value(place, probe)
            _evaluate_model(model)
            results.append({place: model.value(place) for place in moving})
        reading = {place for place in moving if results[0][place] != results[1][place]}
        for place in outcome.unknown:
            formula = self.index.get(place)
            if formula is not None and place not in self.index.doubtful:
                _put_formula(model, self.index, place, formula)
            else:
                model.put_value(place, None)
        _lose_values(outcome, (reading | self._graph.list_dependents(reading, moving=False)) & self.wanted)


def _evaluate_model(model: Model) -> bool:
    """Compute everything until all lookups look where the values are; whether that came to an end."""
    for _ in range(_PASSES):
        model.engine.evaluate()
        if not model.look_again():
            return True
    return False


def _lose_values(outcome: Outcome, places: Iterable[Place]) -> None:
    for place in places:
        outcome.values.pop(place, None)
        outcome.spills.pop(place, None)
        outcome.unknown[place] = DEPENDS


def _fill_spills(outcome: Outcome, model: Model) -> None:
    for (sheet, anchor), area in list(outcome.spills.items()):
        for cell in area.cells():
            if cell != anchor:
                outcome.values[sheet, cell] = model.value((sheet, cell))


def looks_like_error(value: Scalar) -> bool:
    return isinstance(value, str) and value in ERRORS
