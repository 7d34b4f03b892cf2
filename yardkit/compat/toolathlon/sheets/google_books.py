"""Spreadsheets of the drive as the workbooks that they are: by their ids, for google_sheet's tools."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from yardkit.apps.drive import content_of, opened_drive, require_writer, save_content, spreadsheet_of, touch_file
from yardkit.kit.dialect import Text
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem, current_world

ROWS, COLUMNS = 1000, 26
"""What a new sheet of theirs has."""


def book_of(spreadsheet_id: str) -> Path:
    """The workbook of a spreadsheet, to be read.

    Raises:
        Problem: there is none of this id, or its content is lost.
    """
    world = current_world()
    with opened_drive(world) as store:
        item = spreadsheet_of(store, spreadsheet_id)
    path = content_of(world, item)
    if not path.is_file():
        raise Problem(f"the content of {item.name!r} ({item.id}) is lost; the state of the drive is damaged")
    return path


def title_of(spreadsheet_id: str) -> str:
    """The name of a spreadsheet."""
    with opened_drive(current_world()) as store:
        return spreadsheet_of(store, spreadsheet_id).name


@contextmanager
def edit_spreadsheet(spreadsheet_id: str) -> Iterator[Path]:
    """A copy of a spreadsheet's workbook, which takes its place when all could be done with it.

    Raises:
        Problem: there is none of this id, it may only be read, or its content is lost.
    """
    world = current_world()
    book_of(spreadsheet_id)
    with opened_drive(world, writes=True) as store, TemporaryDirectory() as folder:
        item = require_writer(store, spreadsheet_of(store, spreadsheet_id))
        copy = Path(folder) / f"{item.id}{item.suffix}"
        copy.write_bytes(content_of(world, item).read_bytes())
        yield copy
        save_content(world, touch_file(store, item), copy.read_bytes())


def sheet_numbers(path: Path) -> dict[str, int]:
    """The sheets of a workbook in their order, with numbers that stay when one is renamed; 0 is the first."""
    sheets = Workbook.open(path).root.iterfind(f"{qualify_tag('sheets')}/{qualify_tag('sheet')}")
    return {sheet.get("name", ""): int(sheet.get("sheetId", "1")) - 1 for sheet in sheets}


def sheet_named(path: Path, number: object) -> str:
    """The name of the sheet with a number.

    Raises:
        Problem: there is none.
    """
    numbers = sheet_numbers(path)
    for name, known in numbers.items():
        if known == (number or 0):
            return name
    listed = ", ".join(f"{known} ({name})" for name, known in numbers.items())
    raise Problem(f"No grid with id: {number}; there are {listed}")


def require_sheet(path: Path, sheet: str, what: str = "Sheet") -> str:
    """A sheet's name, if there is one of that name.

    Raises:
        Problem: there is none.
    """
    if sheet not in sheet_numbers(path):
        raise make_failure(f"{what} '{sheet}' not found")
    return sheet


def make_failure(message: str) -> Problem:
    """A failure in their form."""
    return Problem(json.dumps({"error": message}, ensure_ascii=False))


def properties_of(path: Path, sheet: str) -> dict[str, Any]:
    """What they tell of a sheet."""
    numbers = sheet_numbers(path)
    return {
        "sheetId": numbers[sheet],
        "title": sheet,
        "index": list(numbers).index(sheet),
        "sheetType": "GRID",
        "gridProperties": {"rowCount": ROWS, "columnCount": COLUMNS},
    }


def format_answer(facts: object) -> Text:
    """An answer as their server gives it."""
    return Text(json.dumps(facts, ensure_ascii=False, indent=2))
