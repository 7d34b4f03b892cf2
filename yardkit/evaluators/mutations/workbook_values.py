"""Mutants of spreadsheets (xlsx)."""

import datetime
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import changed_word
from yardkit.evaluators.mutations.mutant import Mutant, on_files
from yardkit.evaluators.readers.engines.workbook_files import load_workbook

MAX_CELLS = 6
"""Cells of one sheet that are changed, one per mutant."""


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: cells changed or emptied, a row dropped, two rows swapped, a sheet renamed or dropped."""
    workbook = load_workbook(workspace / path)
    for sheet in workbook.worksheets:
        yield from _of_sheet(path, sheet, rng)
        name = sheet.title
        yield _make_mutant(
            "sheet_renamed", f"sheet:{path}#{name}", f"sheet {name!r} has another name", path, _rename_sheet(name)
        )
        if any(other.sheet_state == "visible" for other in workbook.worksheets if other is not sheet):
            yield _make_mutant(
                "sheet_dropped", f"sheet:{path}#{name}", f"sheet {name!r} is missing", path, _drop_sheet(name)
            )


def _of_sheet(path: str, sheet: Any, rng: random.Random) -> Iterator[Mutant]:
    name = sheet.title
    cells = [cell.coordinate for row in sheet.iter_rows() for cell in row if cell.value is not None]
    for place in rng.sample(cells, min(MAX_CELLS, len(cells))):
        target = f"cells:{path}#{name}!{place}"
        yield _make_mutant("cell_changed", target, f"{name}!{place} has another value", path, _change_cell(name, place))
        yield _make_mutant("cell_emptied", target, f"{name}!{place} is empty", path, _empty_cell(name, place))
    filled = [row[0].row for row in sheet.iter_rows() if sum(cell.value is not None for cell in row) > 1]
    if len(filled) > 2:
        row = rng.choice(filled[1:])
        yield _make_mutant(
            "row_dropped", f"rows:{path}#{name}", f"row {row} of {name!r} is missing", path, _cut_row(name, row)
        )


def _change_cell(sheet: str, place: str) -> Callable[[Any], object]:
    def change(workbook: Any) -> None:
        cell = workbook[sheet][place]
        cell.value = _change_value(cell.value)

    return change


def _change_value(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        # The addend changes a 0, too.
        return value * 1.5 + 7
    if isinstance(value, datetime.date):
        # More than any month, so that the month changes, too.
        return value + datetime.timedelta(days=40)
    text = str(value)
    return 987_654.25 if text.startswith("=") else changed_word(text) + "x"


def _empty_cell(sheet: str, place: str) -> Callable[[Any], object]:
    def change(workbook: Any) -> None:
        workbook[sheet][place].value = None

    return change


def _cut_row(sheet: str, row: int) -> Callable[[Any], object]:
    return lambda workbook: workbook[sheet].delete_rows(row)


def _rename_sheet(sheet: str) -> Callable[[Any], object]:
    def change(workbook: Any) -> None:
        workbook[sheet].title = "Data old"

    return change


def _drop_sheet(sheet: str) -> Callable[[Any], object]:
    return lambda workbook: workbook.remove(workbook[sheet])


def _make_mutant(operator: str, target: str, description: str, path: str, change: Callable[[Any], object]) -> Mutant:
    def edit(files: Path) -> None:
        workbook = load_workbook(files / path)
        change(workbook)
        workbook.save(files / path)

    return Mutant(operator, target, description, on_files(edit))
