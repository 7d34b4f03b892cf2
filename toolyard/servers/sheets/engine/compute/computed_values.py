"""Values of formulas, by IronCalc; what it cannot know is said to be unknown, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from toolyard.servers.sheets.engine.cells.dependencies import Place
from toolyard.servers.sheets.engine.cells.grid import FormulaCell, Grid
from toolyard.servers.sheets.engine.compute.calculator import Calculator, Failure, Panic
from toolyard.servers.sheets.engine.compute.doubts import OWN_ERRORS, doubt_of_value
from toolyard.servers.sheets.engine.compute.engine_formulas import FormOptions, engine_form
from toolyard.servers.sheets.engine.compute.engine_model import Model
from toolyard.servers.sheets.engine.compute.formula_index import FormulaIndex
from toolyard.servers.sheets.engine.compute.lookups import Lookup, Sheets, is_slow, tables_by_name
from toolyard.servers.sheets.engine.formula_forms import limits, overflow
from toolyard.servers.sheets.engine.formula_forms.brackets import grouped
from toolyard.servers.sheets.engine.formula_forms.joined_digits import as_shown
from toolyard.servers.sheets.engine.notation import formulas
from toolyard.servers.sheets.engine.notation.numeric_texts import is_apart
from toolyard.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, column_number
from toolyard.servers.sheets.engine.notation.values import ERRORS, Scalar
from toolyard.servers.sheets.engine.package.sheet_source import raw_cells
from toolyard.servers.sheets.engine.package.tables import filtered, tables
from toolyard.servers.sheets.engine.package.workbook import Workbook
from toolyard.world import Unavailable

MAX_FORMULAS = 300_000
MAX_FILLED = 500_000
"""Cells that one formula may fill."""
_CLOCK = re.compile(r"\b(TODAY|NOW)\s*\(\s*\)", re.IGNORECASE)
_PASSES = 8
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - serial dates have no zone


@dataclass
class Outcome:
    """Results by sheet and cell: values (an error is text such as #DIV/0!), filled areas, reasons for no value."""

    values: dict[Place, Scalar] = field(default_factory=dict)
    spills: dict[Place, Area] = field(default_factory=dict)
    unknown: dict[Place, str] = field(default_factory=dict)


def load(path: Path, book: Workbook, index: FormulaIndex) -> Model | str:
    """`book` with the formulas `index` in the engine, by way of a file at `path`; or why the engine cannot read it."""
    bare = {place[0] for place in index.formed if (formula := index.get(place)) and is_slow(formula.text)}
    book.save_for_engine(path, bare)
    try:
        engine = Calculator(path)
        sheets = {name.casefold(): number for number, name in enumerate(engine.sheets)}
        cells = Sheets(engine, sheets, book.named, tables_by_name(tables(book)), filtered(book))
        _define_names(engine, cells, book)
        model = Model(engine, sheets, cells)
        model.has_error_cells = any(
            b' t="e"' in book.source(info.part).data for info in book.sheets if info.kind == "worksheet"
        )
        model.texts = _texts_apart(book)
        model.vast_numbers = _vast_numbers(book)
        formed = index.formed | model.expect_texts(index, book)
        for place in index.places() if bare else formed:
            formula = index.get(place)
            if place in formed or (place[0] in bare and formula is not None and formula.area is None):
                model.write_formula(place, formula)
        engine.flush()
    except Unavailable as error:
        return str(error)
    except (Failure, ValueError) as error:
        return f"the calculation engine cannot read the workbook ({str(error)[:120]})"
    return model


def _texts_apart(book: Workbook) -> set[Place]:
    """The cells without formulas whose texts Excel takes for other numbers than the engine."""
    apart = {number for number, text in enumerate(book.strings) if is_apart(text)}
    found = set()
    for info in book.sheets:
        source = book.source(info.part) if info.kind == "worksheet" else None
        if source is not None and (apart or b't="inlineStr"' in source.data or b't="str"' in source.data):
            grid = Grid(book, info)
            found |= {(info.name, cell) for cell, text in _texts_in(grid, apart) if is_apart(text)}
    return found


def _vast_numbers(book: Workbook) -> set[Place]:
    """The cells that hold numbers of which a few make one too large."""
    sheets = [info for info in book.sheets if info.kind == "worksheet"]
    grids = [Grid(book, info) for info in sheets if overflow.may_be_vast(book.source(info.part).data)]
    return {
        (grid.info.name, cell)
        for grid in grids
        for cell, held in grid.contents(Area(1, 1, MAX_ROW, MAX_COLUMN))
        if overflow.is_vast(held.value)
    }


def _texts_in(grid: Grid, shared: Set[int]) -> Iterator[tuple[Cell, str]]:
    """The cells without formulas that hold one of these shared strings or a text of their own, with it."""
    source = grid.source
    rows = raw_cells(source.data[source.starts[0] : source.end]) if source.starts else []
    if rows is None:
        held = grid.contents(Area(1, 1, MAX_ROW, MAX_COLUMN))
        yield from (
            (cell, str(content.value)) for cell, content in held if content.kind == "text" and content.formula is None
        )
        return
    for raw in rows:
        if not raw[4] and ((raw[3] == b"s" and int(raw[5]) in shared) or raw[3] in (b"inlineStr", b"str")):
            yield Cell(int(raw[1]), column_number(raw[0].decode())), str(grid.typed(raw, 0)[0])


def feed(model: Model, changes: dict[Place, Scalar]) -> bool:
    """Put changed cells into the model: values, and formulas as "=" texts; whether it took all of them as meant."""
    put = {}
    model.engine.begin()
    try:
        for place, value in changes.items():
            if isinstance(value, str) and value.startswith("="):
                model.texts.discard(place)
                model.write(place, value)
                continue
            model.set(place, _input(value))
            model.has_error_cells |= value in ERRORS
            (model.texts.add if is_apart(value) else model.texts.discard)(place)
            (model.vast_numbers.add if overflow.is_vast(value) else model.vast_numbers.discard)(place)
            put[place] = value
        model.engine.flush()
        return all(value is None or model.value(place) == value for place, value in put.items())
    except (Failure, ValueError):
        return False


def _input(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str) and value not in ERRORS:
        return "'" + value
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def compute(model: Model, book: Workbook, index: FormulaIndex, wanted: set[Place], now: datetime) -> Outcome:
    """The values of the formulas `wanted`; `now` is what NOW() says."""
    model.engine.begin()
    try:
        return _computed(model, book, index, wanted, now)
    except (Failure, ValueError) as error:
        return Outcome(unknown=dict.fromkeys(wanted, f"the calculation engine failed ({str(error)[:120]})"))


def _computed(model: Model, book: Workbook, index: FormulaIndex, wanted: set[Place], now: datetime) -> Outcome:
    outcome = Outcome()
    settled = _settle(model, book, index, wanted, now)
    doubts = model.doubts(index) | index.doubtful
    if not settled:
        doubts |= dict.fromkeys(model.lookups, "it looks in cells whose values depend on its own")
    for place in wanted:
        formula = index.get(place)
        if formula is not None:
            _take(model, place, formula, doubts.get(place, ""), outcome)
    doubts |= _doubt_vast(model, outcome, index, book)
    _spread(outcome, doubts, index, book, wanted)
    _fill_spills(outcome, model)
    return outcome


def _settle(model: Model, book: Workbook, index: FormulaIndex, wanted: set[Place], now: datetime) -> bool:
    """Compute everything until all formulas are in the forms for the values there are; whether that came to an end."""
    model.bound_texts(index, book, wanted)
    settled = _evaluate_at(now, model, book, index)
    if model.rewrite_for_errors(index):
        settled = _evaluate_at(now, model, book, index)
    changed = wanted
    for _ in range(_PASSES):
        texts, numbers = model.take_texts(index, book), model.take_numbers(index, book, changed)
        if not (texts or numbers):
            break
        settled = _evaluate_at(now, model, book, index)
        changed = wanted if texts else index.graph(book).dependents(numbers)
    return settled


def _evaluate_at(now: datetime, model: Model, book: Workbook, index: FormulaIndex) -> bool:
    """Compute everything with the clock standing still; whether that came to an end."""
    _stop_clocks(now, model, book, index)
    try:
        return _evaluate(model)
    except Panic:
        if not model.limit(index):
            raise
        _stop_clocks(now, model, book, index)
        return _evaluate(model)


def _stop_clocks(now: datetime, model: Model, book: Workbook, index: FormulaIndex) -> None:
    for place in index.clocks:
        formula = index.get(place)
        if formula is not None and (formula.area is None or formula.dynamic):
            model.write(place, _frozen(formula, now, book), over_arrays=formula.area is not None)


def _evaluate(model: Model) -> bool:
    """Compute everything until all lookups look where the values are; whether that came to an end."""
    for _ in range(_PASSES):
        model.engine.evaluate()
        if not model.look_again():
            return True
    return False


def _take(model: Model, place: Place, formula: FormulaCell, doubt: str, outcome: Outcome) -> None:
    value = model.value(place)
    if place[0].casefold() not in model.sheets:
        doubt = "its sheet was not loaded"
    reason = doubt or doubt_of_value(value, formula.text)
    if not reason and isinstance(value, str):
        value, reason = as_shown(formula.text, value)
    area = model.spill(place, formula) if formula.area is not None and not reason else None
    if area is not None and area.size > MAX_FILLED:
        reason = f"it fills {area.size:,} cells; name the rows that hold data instead of whole columns, as A1:A500"
    if reason:
        outcome.unknown[place] = reason
        return
    outcome.values[place] = value
    if area is not None:
        outcome.spills[place] = area


def _doubt_vast(model: Model, outcome: Outcome, index: FormulaIndex, book: Workbook) -> dict[Place, str]:
    """The formulas in which numbers may be too large on the way; they lose their values."""
    vast = {place for place, value in outcome.values.items() if overflow.is_vast(value)}
    if vast or model.vast_numbers:
        model.vast_numbers = (model.vast_numbers - outcome.values.keys()) | vast
    readers = {reader for place in model.vast_numbers for reader in index.graph(book).readers(place)}
    found = {
        place: overflow.HIDDEN
        for place in readers
        if (formula_cell := index.get(place)) and overflow.hides(formula_cell.text)
    }
    for place in found:
        if outcome.values.pop(place, None) is not None:
            outcome.unknown[place] = found[place]
    return found


def _define_names(engine: Calculator, cells: Sheets, book: Workbook) -> None:
    """The engine knows names of cells only: other names get a cell on a sheet of their own, in the model alone."""
    names = [name for name in engine.defined_names() if not formulas.is_plain_reference(name["formula"])]
    if not names:
        return
    sheet = engine.add_sheet()
    title = engine.sheets[sheet]
    for row, name in enumerate(names, start=1):
        same = [
            defined_name.formula for defined_name in book.names if defined_name.name.lower() == name["name"].lower()
        ]
        formula = same[0] if len(same) == 1 else name["formula"]  # The engine's own text may have lost brackets.
        text = _form_of_name(grouped(f"={formula.lstrip('=')}"), Lookup(cells, title, Cell(row, 1)))
        engine.put(sheet, row, 1, text)
        engine.define(name, f"'{title}'!$A${row}")


def _form_of_name(formula: str, lookup: Lookup) -> str:
    """What a name stands for, where need be in a form with all care: it is written once."""
    grows = limits.grows(formula)
    is_long_or_large = grows or limits.repeats(formula) or overflow.may_overflow(formula)
    if "LAMBDA" in formulas.functions(formula) or not is_long_or_large:
        return formula
    form = engine_form(formula, lookup, options=FormOptions(tells_overflow=True, cuts_texts=grows))
    return formula if lookup.depends() else form


def _frozen(formula: FormulaCell, now: datetime, book: Workbook) -> str:
    """A formula in which the clock stands still."""
    moment = now.replace(tzinfo=None) - _EPOCH
    days = moment.days - (1462 if book.date1904 else 0)

    def serial(match: re.Match[str]) -> str:
        return str(days) if match[1].upper() == "TODAY" else repr(days + moment.seconds / 86400)

    return _CLOCK.sub(serial, formulas.computable(formula.text))


def _spread(
    outcome: Outcome, doubts: dict[Place, str], index: FormulaIndex, book: Workbook, wanted: set[Place]
) -> None:
    """What reads an unknown value is unknown too, an IFERROR around it included."""
    unknown = {*outcome.unknown, *doubts}
    if not unknown:
        return
    graph = index.graph(book)
    own = tuple(OWN_ERRORS.values())
    causes = {place for place in unknown if not outcome.unknown.get(place, "").startswith(own)}
    for place in (graph.dependents(causes) | graph.dependents(unknown)) & wanted:
        outcome.values.pop(place, None)
        outcome.spills.pop(place, None)
        outcome.unknown[place] = "it depends on a value that is not known"


def _fill_spills(outcome: Outcome, model: Model) -> None:
    for (sheet, anchor), area in list(outcome.spills.items()):
        for cell in area.cells():
            if cell != anchor:
                outcome.values[sheet, cell] = model.value((sheet, cell))


def looks_like_error(value: Scalar) -> bool:
    return isinstance(value, str) and value in ERRORS
