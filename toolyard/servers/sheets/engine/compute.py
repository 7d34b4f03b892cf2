"""Values of formulas, by IronCalc; what it cannot know is said to be unknown, never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from toolyard.servers.sheets.engine import formulas
from toolyard.servers.sheets.engine.graph import Graph, Place
from toolyard.servers.sheets.engine.grid import FormulaCell
from toolyard.servers.sheets.engine.refs import Area, Cell
from toolyard.servers.sheets.engine.values import ERRORS, Scalar
from toolyard.servers.sheets.engine.workbook import Workbook

MAX_FORMULAS = 300_000
_OWN_ERRORS = {
    "#ERROR!": "the engine cannot parse it",
    "#N/IMPL!": "the engine does not implement it",
    "#CIRC!": "it refers to itself in a circle",
}
_CLOCK = re.compile(r"\b(TODAY|NOW)\s*\(\s*\)", re.IGNORECASE)
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - serial dates have no zone


@dataclass
class Outcome:
    """Results by sheet and cell: values (an error is text such as #DIV/0!), filled areas, reasons for no value."""

    values: dict[Place, Scalar] = field(default_factory=dict)
    spills: dict[Place, Area] = field(default_factory=dict)
    unknown: dict[Place, str] = field(default_factory=dict)


def compute(path: Path, book: Workbook, cells: dict[str, dict[Cell, FormulaCell]], now: datetime) -> Outcome:
    """The values of all formulas `cells` (by sheet) of the workbook saved at `path`; `now` is what NOW() says."""
    places = {(sheet, cell): formula for sheet, found in cells.items() for cell, formula in found.items()}
    if len(places) > MAX_FORMULAS:
        return Outcome(unknown=dict.fromkeys(places, f"the workbook has over {MAX_FORMULAS:,} formulas"))
    try:
        model, sheets = _evaluated(path, book, places, now)
    except _engine_failures() as error:
        reason = f"the calculation engine cannot read the workbook ({str(error)[:120]})"
        return Outcome(unknown=dict.fromkeys(places, reason))
    outcome = Outcome()
    names = {name.name.lower(): name.formula for name in book.names}
    for place, formula in places.items():
        value = _value(model, sheets, place)
        reason = _reason(formula.text, value, names) if place[0].casefold() in sheets else "its sheet was not loaded"
        if reason:
            outcome.unknown[place] = reason
        else:
            outcome.values[place] = value
            if formula.area is not None:
                outcome.spills[place] = _spill(model, sheets, place, formula)
    _spread(outcome, Graph(places, book))
    _fill_spills(outcome, model, sheets)
    return outcome


def _evaluated(
    path: Path, book: Workbook, places: dict[Place, FormulaCell], now: datetime
) -> tuple[Any, dict[str, int]]:
    import ironcalc

    model = ironcalc.create_user_model_from_xlsx(str(path), "en", "UTC")
    model.pause_evaluation()
    sheets = {entry["name"].casefold(): index for index, entry in enumerate(model.get_worksheets_properties())}
    _define_names(model, len(sheets))
    for (sheet, cell), formula in places.items():
        if formulas.CLOCK & set(formulas.functions(formula.text)) and formula.area is None:
            _set(model, sheets, (sheet, cell), _frozen(formula.text, now, book))
    model.resume_evaluation()
    model.evaluate()
    return model, sheets


def _define_names(model: Any, sheet: int) -> None:
    """The engine knows names of cells only: other names get a cell on a sheet of their own, in the model alone."""
    names = [name for name in model.get_defined_name_list() if not _is_plain_reference(name["formula"])]
    if not names:
        return
    model.new_sheet()
    title = model.get_worksheets_properties()[sheet]["name"]
    for row, name in enumerate(names, start=1):
        model.set_user_input(sheet, row, 1, f"={name['formula'].lstrip('=')}")
        model.update_defined_name(name["name"], name["scope"], name["name"], name["scope"], f"'{title}'!$A${row}")


def _is_plain_reference(formula: str) -> bool:
    return bool(re.fullmatch(r"=?('(?:[^']|'')+'|[\w.]+)!\$?[A-Z]{1,3}\$?\d+(:\$?[A-Z]{1,3}\$?\d+)?", formula.strip()))


def _frozen(text: str, now: datetime, book: Workbook) -> str:
    """A formula in which the clock stands still."""
    moment = now.replace(tzinfo=None) - _EPOCH
    days = moment.days - (1462 if book.date1904 else 0)

    def serial(match: re.Match[str]) -> str:
        return str(days) if match[1].upper() == "TODAY" else repr(days + moment.seconds / 86400)

    return _CLOCK.sub(serial, formulas.shown(text))


def _set(model: Any, sheets: dict[str, int], place: Place, text: str) -> None:
    sheet, cell = place
    if sheet.casefold() in sheets:
        model.set_user_input(sheets[sheet.casefold()], cell.row, cell.column, text)


def _value(model: Any, sheets: dict[str, int], place: Place) -> Scalar:
    sheet, cell = place
    if sheet.casefold() not in sheets:
        return None
    value = model.get_cell_value(sheets[sheet.casefold()], cell.row, cell.column)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value if isinstance(value, str | int | float | bool) else None


def _reason(text: str, value: Scalar, names: dict[str, str]) -> str:
    """Why the engine's `value` of a formula is not to be trusted; empty when it is."""
    used = {text, *(names[word] for word in formulas.words(text) & names.keys())}
    called = {name for part in used for name in formulas.functions(part)}
    chance = sorted(called & formulas.CHANCE)
    if chance:
        return f"{chance[0]} gives another value at each calculation"
    if called & formulas.SURROUNDINGS:
        return "its value depends on the program that opens the file"
    absent = sorted(name for name in called if not _implemented(name) and name.lower() not in names)
    if absent:
        return f"the engine has no {absent[0]}"
    if "[" in re.sub(r"\w+\[[^\]]*\]+|\[@?[^\]]*\]", "", text) or re.search(r"\[\d+\]", text):
        return "it refers to another workbook"
    over_range = formulas.array_call(text)
    if over_range:
        return f"the engine is not reliable where {over_range} is given a range; use a helper column, or SUMIFS"
    if isinstance(value, str) and value in _OWN_ERRORS:
        return _OWN_ERRORS[value]
    return "the engine gives no value" if value is None else ""


@cache
def _implemented(function: str) -> bool:
    """Whether the engine knows a function: without arguments it complains about them, not about the name."""
    import ironcalc

    if function in ("TRUE", "FALSE"):
        return True
    model = ironcalc.create("probe", "en", "UTC", "en")
    model.set_user_input(0, 1, 1, f"={function}()")
    model.evaluate()
    return model.get_cell_value(0, 1, 1) not in ("#NAME?", "#N/IMPL!")


def _spill(model: Any, sheets: dict[str, int], place: Place, formula: FormulaCell) -> Area:
    sheet, cell = place
    structure = model.get_cell_array_structure(sheets[sheet.casefold()], cell.row, cell.column)
    kind, size = next(iter(structure.items())) if isinstance(structure, dict) else ("", (1, 1))
    if not kind.endswith("Anchor"):
        return formula.area or Area(cell.row, cell.column, cell.row, cell.column)
    width, height = size
    return Area(cell.row, cell.column, cell.row + height - 1, cell.column + width - 1)


def _spread(outcome: Outcome, graph: Graph) -> None:
    """What reads an unknown value is unknown too, an IFERROR around it included."""
    causes = {place for place, reason in outcome.unknown.items() if reason not in _OWN_ERRORS.values()}
    for place in graph.dependents(causes) | graph.dependents(outcome.unknown):
        outcome.values.pop(place, None)
        outcome.spills.pop(place, None)
        outcome.unknown[place] = "it depends on a value that is not known"


def _fill_spills(outcome: Outcome, model: Any, sheets: dict[str, int]) -> None:
    for (sheet, anchor), area in list(outcome.spills.items()):
        for cell in area.cells():
            if cell != anchor:
                outcome.values[sheet, cell] = _value(model, sheets, (sheet, cell))


def looks_like_error(value: Scalar) -> bool:
    return isinstance(value, str) and value in ERRORS


def _engine_failures() -> tuple[type[BaseException], ...]:
    import ironcalc

    return (ironcalc.WorkbookError, _panic(), OSError, ValueError)


@cache
def _panic() -> type[BaseException]:
    """The exception of a panic in the engine, which has no public name."""
    import ironcalc

    try:
        ironcalc.test_panic()
    except BaseException as error:  # noqa: BLE001 - it derives from BaseException on purpose
        return type(error)
    return RuntimeError
