"""The values of a workbook's formulas: computed by IronCalc, or by LibreOffice where IronCalc is unreliable."""

import datetime
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.engines.ironcalc_brackets import keep_brackets
from yardkit.evaluators.readers.engines.ironcalc_faults import find_functions, is_doubted, is_unsafe
from yardkit.evaluators.readers.engines.ironcalc_logic import keep_errors
from yardkit.evaluators.readers.engines.libreoffice import convert_files
from yardkit.evaluators.readers.engines.time_limits import compute_in_fork
from yardkit.evaluators.readers.engines.workbook_files import Sheet, is_formula, load_workbook
from yardkit.world.tree import file_digest

Place = tuple[str, int, int]
"""A sheet, a row and a column, both counted from 0."""
Changes = Mapping[Place, float | str]

_FULL_COLUMNS = re.compile(r"(?<![\w$.:])(\$?[A-Z]{1,3}):(\$?[A-Z]{1,3})(?![\w$.:(])", re.I)
_COUNT_CELLS = frozenset({"ROWS", "COUNTBLANK", "OFFSET", "INDIRECT"})
_FAULTS = ("MemoryError", "PanicException", "RecursionError", "WorkbookError")


def compute_formulas(path: Path, sheets: Mapping[str, Sheet], changes: Changes | None = None) -> None:
    """Fill in the missing values of formulas, or after `changes` the values of all formulas.

    A formula that no engine can compute has the value None.

    Raises:
        InvalidArtifact: they cannot be computed in time.
        EnvironmentInvalid: a formula needs LibreOffice, which is not installed.
    """
    formulas = [formula for formula in _list_formula_cells(sheets) if formula not in (changes or {})]
    typed = {place: str(content) for place, content in (changes or {}).items()}
    for (name, row, column), content in (changes or {}).items():
        sheets[name].values[row][column] = content
    values = _calculate_cells(path, sheets, typed, formulas)
    stored = {} if changes is not None else _get_stored(sheets, formulas)
    doubted = [formula for formula in formulas if is_doubted(_get_written(sheets, formula), values[formula])]
    asked = _by_libreoffice(path, changes or {}, [pair for pair in doubted if pair not in stored])
    surer = {**{pair: stored[pair] for pair in doubted if pair in stored}, **asked}
    if surer:  # Formulas that depend on them must use the values of the other program.
        values = _calculate_cells(
            path, sheets, typed | {place: _to_typed(value) for place, value in surer.items()}, formulas
        )
    unsure = {pair for pair in doubted if pair not in asked and is_unsafe(_get_written(sheets, pair))}
    for place in (formula for formula in formulas if formula not in stored):
        value = None if place in unsure else values[place]
        sheets[place[0]].values[place[1]][place[2]] = asked.get(place, value)


def compute_formula(path: Path, sheets: Mapping[str, Sheet], name: str, formula: str) -> Any:
    """Compute a formula placed right of the cells of a sheet, such as the source of a validation.

    Raises:
        InvalidArtifact: it cannot be computed, or not in time.
    """
    place = name, 1, max(map(len, sheets[name].formulas), default=0) + 1
    return _calculate_cells(path, sheets, {place: keep_brackets(keep_errors(formula))}, [place])[place]


def compute_formula_over(cells: Mapping[tuple[int, int], float | str], formula: str, at: tuple[int, int]) -> Any:
    """Compute a formula at a place (row and column, from 1) of a sheet that has only these cells.

    This shows the effect of a conditional format on a value, in whatever way its formula is written; None for an error.

    Raises:
        InvalidArtifact: it cannot be computed, or not in time.
    """
    value = _value_over(tuple(sorted(cells.items())), formula, at)
    return None if isinstance(value, str) and value.startswith("#") else value


@lru_cache(maxsize=4096)  # a proof tries the same rules in every mutant
def _value_over(cells: tuple[tuple[tuple[int, int], float | str], ...], formula: str, at: tuple[int, int]) -> Any:
    column = max(at[1], *(place[1] for place, _ in cells)) + 2

    def work(_folder: Path) -> Any:
        import ironcalc

        model = ironcalc.create("cells", "en", "UTC", "en")
        for (row, place), content in cells:
            model.set_user_input(0, row, place, str(content))
        model.set_user_input(0, at[0], column, keep_brackets(keep_errors(formula)))
        model.evaluate()
        return model.get_cell_value(0, at[0], column)

    return compute_in_fork(work, _FAULTS)


def _calculate_cells(
    path: Path, sheets: Mapping[str, Sheet], typed: Mapping[Place, str], asked: Sequence[Place]
) -> dict[Place, Any]:
    """Compute the values of the cells `asked`, after others were `typed` in."""
    numbers = {name: number for number, name in enumerate(sheets)}

    def work(folder: Path) -> dict[Place, Any]:
        model = _load_model(path, sheets, folder)
        for (name, row, column), content in typed.items():
            model.set_user_input(numbers[name], row + 1, column + 1, content)
        model.evaluate()
        return {
            (name, row, column): model.get_cell_value(numbers[name], row + 1, column + 1) for name, row, column in asked
        }

    return compute_in_fork(work, _FAULTS)


def _list_formula_cells(sheets: Mapping[str, Sheet]) -> Iterator[Place]:
    for name, sheet in sheets.items():
        for row, cells in enumerate(sheet.formulas):
            yield from ((name, row, column) for column, written in enumerate(cells) if is_formula(written))


def _get_written(sheets: Mapping[str, Sheet], place: Place) -> Any:
    return sheets[place[0]].formulas[place[1]][place[2]]


def _get_stored(sheets: Mapping[str, Sheet], places: list[Place]) -> dict[Place, Any]:
    values = {pair: sheets[pair[0]].values[pair[1]][pair[2]] for pair in places}
    return {place: value for place, value in values.items() if value is not None}


def _to_typed(value: Any) -> str:
    """Return the text that a person types to get this value."""
    from openpyxl.utils.datetime import to_excel

    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return str(to_excel(value))
    return f"'{value}" if isinstance(value, str) else str(value)


def _by_libreoffice(path: Path, changes: Changes, places: list[Place]) -> dict[Place, Any]:
    """Compute some formulas with LibreOffice; those with an error or no result are left out."""
    if not places:
        return {}
    values = _all_by_libreoffice(_Content(file_digest(path), path), tuple(sorted(changes.items())))
    computed_values = {pair: values.get(pair) for pair in places}
    return {
        place: value
        for place, value in computed_values.items()
        if value is not None and not (isinstance(value, str) and value.startswith("#"))
    }


@dataclass(frozen=True)
class _Content:
    """A file; equal to any other with the same digest."""

    digest: str
    path: Path = field(compare=False)


@lru_cache(maxsize=16)  # several leaves try the same changes, and in proofs many copies have the same book
def _all_by_libreoffice(book: _Content, changes: tuple[tuple[Place, float | str], ...]) -> dict[Place, Any]:
    with tempfile.TemporaryDirectory(prefix="yardkit-computing-") as scratch:
        given = _write_changed(book.path, {place: _parse_typed(typed) for place, typed in changes}, Path(scratch))
        calculated_path = Path(scratch) / "made.xlsx"
        if convert_files({given: calculated_path}, "xlsx"):
            return {}
        computed = load_workbook(calculated_path, data_only=True)
    return {
        (sheet.title, cell.row - 1, cell.column - 1): cell.value
        for sheet in computed.worksheets
        for cell in sheet._cells.values()
        if cell.value is not None
    }


def _parse_typed(typed: float | str) -> float | str:
    """Return the content of a cell after a person typed this text."""
    if not isinstance(typed, str):
        return typed
    try:
        return float(typed)
    except ValueError:
        return typed.removeprefix("'")


def _load_model(path: Path, sheets: Mapping[str, Sheet], folder: Path) -> Any:
    """Load the workbook into IronCalc without computing it."""
    import ironcalc

    written = _for_the_engine(sheets)
    source = _write_changed(path, written, folder) if written else path
    model = ironcalc.load_from_xlsx(str(source), "en", "UTC", "en")
    _empty_blanks(model, sheets)
    return model


def _for_the_engine(sheets: Mapping[str, Sheet]) -> dict[Place, str]:
    """List the formulas that must be rewritten for IronCalc."""
    last = max(len(sheet.values) for sheet in sheets.values())
    engine_formulas = {
        place: written
        for place in _list_formula_cells(sheets)
        if isinstance(written := _get_written(sheets, place), str)
    }
    given = {
        place: keep_brackets(keep_errors(_bound_columns(written, last))) for place, written in engine_formulas.items()
    }
    return {place: text for place, text in given.items() if text != engine_formulas[place]}


def _bound_columns(formula: str, last: int) -> str:
    """Bound entire columns in a formula to the sheets' last rows: IronCalc scans a million rows for each lookup."""
    if not find_functions(formula).isdisjoint(_COUNT_CELLS):
        return formula
    parts = formula.split('"')  # every second part is a text
    parts[::2] = [_FULL_COLUMNS.sub(rf"\g<1>1:\g<2>{last}", part) for part in parts[::2]]
    return '"'.join(parts)


def _write_changed(path: Path, cells: Mapping[Place, Any], folder: Path) -> Path:
    """Write the workbook with other contents in some cells, without stored values and pictures."""
    opened = load_workbook(path)
    for sheet in opened.worksheets:
        # Charts, pivot tables and pictures are not needed for computing values.
        sheet._pivots, sheet._charts, sheet._images = [], [], []
    for (name, row, column), content in cells.items():
        opened[name].cell(row + 1, column + 1).value = content
    opened.save(folder / "given.xlsx")
    return folder / "given.xlsx"


def _empty_blanks(model: Any, sheets: Mapping[str, Sheet]) -> None:
    """Fix cells with a format but no value: as openpyxl writes them, IronCalc reads the number 0."""
    for index, sheet in enumerate(sheets.values()):
        for row, cells in enumerate(sheet.formulas, 1):
            for column, written in enumerate(cells, 1):
                if written is None and model.get_cell_value(index, row, column) is not None:
                    model.clear_cell_contents(index, row, column)
