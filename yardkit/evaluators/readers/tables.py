"""Reading delivered tables: CSV and XLSX, computing formulas without a stored value."""

import csv
import datetime
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

from yardkit.evaluators.checkpoints import EnvironmentInvalid, InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.engines.workbook_files import Rows as Rows
from yardkit.evaluators.readers.engines.workbook_files import Sheet as Sheet
from yardkit.evaluators.readers.engines.workbook_files import is_formula, load_shared_workbook, load_workbook
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading
from yardkit.world import Problem
from yardkit.world.limits import check_archive
from yardkit.world.tree import file_digest

MAX_CELLS = 2_000_000
MAX_DIGITS = 40
"""Of a number that counts as one, before or behind the point."""
_NUMBERS = (int, float)
_LARGEST = 10**MAX_DIGITS
_NO_NUMBER = Decimal("NaN")
Parsed = TypeVar("Parsed")


def read_sheets(submission: Submission, relative: str) -> dict[str, Sheet]:
    """Read the sheets of a delivered workbook by name, in order.

    A formula's value is the stored one. Libraries write formulas without values; then the workbook is computed here, so
    that a right formula passes whichever program saved it.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable workbook, or far too large.
    """
    sheets = _read_checked(submission, relative, _read_sheets)
    return {name: replace(sheet, values=[list(row) for row in sheet.values]) for name, sheet in sheets.items()}


def read_contents(submission: Submission, relative: str) -> dict[str, Rows]:
    """Read the contents of a delivered workbook's cells by sheet, with formulas as text and without computing.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable workbook, or far too large.
    """
    return _read_checked(submission, relative, _read_formulas)


def _read_checked(submission: Submission, relative: str, read: Callable[[Path, str], Parsed]) -> Parsed:
    path = files.require_file(submission, relative)
    try:
        check_archive(path)
        digest = file_digest(path)
        with watch_reading(path):
            return read(files.first_place(path, digest), digest)
    except Problem as problem:
        raise InvalidArtifact(f"{relative} cannot be opened: {problem}") from problem
    except (InvalidArtifact, EnvironmentInvalid):
        raise
    except Exception as error:
        raise InvalidArtifact(f"{relative} is not a readable workbook ({type(error).__name__}: {error})") from error


def recompute_sheets(
    submission: Submission, relative: str, changes: Mapping[tuple[str, int, int], float | str]
) -> dict[str, Sheet]:
    """Change some cells of a delivered workbook, recompute all formulas, and return the sheets.

    This shows whether a workbook is live. `changes` has new contents by sheet, row and column, both counted from 0.
    Nothing is written.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable workbook, or has no such sheet.
    """
    from yardkit.evaluators.readers.engines.calculation import compute_formulas

    sheets = read_sheets(submission, relative)
    unknown = {sheet for sheet, _, _ in changes} - sheets.keys()
    if unknown:
        raise InvalidArtifact(f"{relative} has no sheet {', '.join(sorted(unknown))}; it has {', '.join(sheets)}")
    try:
        path = files.require_file(submission, relative)
        with watch_reading(path):
            compute_formulas(path, sheets, changes)
    except (InvalidArtifact, EnvironmentInvalid):
        raise
    except Exception as error:
        raise InvalidArtifact(f"{relative} cannot be computed ({type(error).__name__}: {error})") from error
    return sheets


@files.keeps_outcomes(17)  # all leaves of a task read the same workbook, and in proofs sixteen graders take turns
def _read_sheets(path: Path, digest: str) -> dict[str, Sheet]:
    formulas = load_shared_workbook(path, digest)
    stored = load_workbook(path, data_only=True) if _has_formulas(formulas) else formulas
    sheets = {}
    for sheet, rows in zip(formulas.worksheets, _read_formulas(path, digest).values(), strict=True):
        values = [[cell.value for cell in row] for row in stored[sheet.title].iter_rows(min_row=1, min_col=1)]
        sheets[sheet.title] = Sheet(sheet.title, values, rows, sheet.sheet_state == "visible")
    if any(_lacks_values(sheet) for sheet in sheets.values()):
        from yardkit.evaluators.readers.engines.calculation import compute_formulas

        compute_formulas(path, sheets)
    return sheets


@files.keeps_outcomes(17)
def _read_formulas(path: Path, digest: str) -> dict[str, Rows]:
    formulas_by_sheet = {}
    for sheet in load_shared_workbook(path, digest).worksheets:
        if sheet.max_row * sheet.max_column > MAX_CELLS:
            raise InvalidArtifact(f"sheet {sheet.title!r} spans more than {MAX_CELLS:,} cells")
        formulas_by_sheet[sheet.title] = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=1, min_col=1)]
        if any(
            type(value) in _NUMBERS and not -_LARGEST < value < _LARGEST
            for row in formulas_by_sheet[sheet.title]
            for value in row
        ):
            raise InvalidArtifact(f"sheet {sheet.title!r} holds a number with more than {MAX_DIGITS} digits")
    return formulas_by_sheet


def _has_formulas(book: Any) -> bool:
    return any(cell.data_type == "f" for sheet in book.worksheets for cell in sheet._cells.values())


def _lacks_values(sheet: Sheet) -> bool:
    pairs = zip(sheet.formulas, sheet.values, strict=True)
    return any(is_formula(f) and v is None for row, values in pairs for f, v in zip(row, values, strict=True))


def read_csv_rows(submission: Submission, relative: str) -> Rows:
    """Read the rows of a delivered CSV file as text, with any of comma, semicolon and tab; empty lines are skipped.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not text, or not a table.
    """
    text = files.read_text(submission, relative)
    first = text.splitlines()[0] if text.strip() else ""
    delimiter = max(",;\t", key=first.count)
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True) if any(row)]
    except csv.Error as error:
        raise InvalidArtifact(f"{relative} is not a CSV table ({error})") from error


def to_decimal(value: Any) -> Decimal | None:
    """Convert a cell, stored as a number or as text, to a number; None if it is not a number.

    Digits and exponent are limited by `MAX_DIGITS`, since arithmetic with ``1e999999999`` would never end.
    """
    if isinstance(value, bool) or value is None or isinstance(value, datetime.date | datetime.time):
        return None
    if isinstance(value, int) and abs(value) >= _LARGEST:
        return None
    text = str(value).strip().replace(",", "").replace("\u2212", "-").lstrip("$€£ ").rstrip("%€ ")
    try:
        number = Decimal(text) if len(text) <= 2 * MAX_DIGITS else _NO_NUMBER
    except InvalidOperation:
        return None
    # Check the exponent separately, since zero has one, too.
    small = number.is_finite() and max(abs(number.adjusted()), abs(int(number.as_tuple().exponent))) <= MAX_DIGITS
    return number if small else None


def to_date(value: Any) -> datetime.date | None:
    """Convert a cell to a date: a date, a date with a time, a spreadsheet's day number, or ISO text."""
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    # Only day numbers from 1954 to 2119, so that other numbers are not read as dates. Day 0 is 30 December 1899,
    # because spreadsheets count a 29 February 1900.
    if isinstance(value, int | float) and 20_000 < value < 80_000:
        return datetime.date(1899, 12, 30) + datetime.timedelta(days=int(value))
    try:
        return datetime.date.fromisoformat(str(value).strip()[:10])
    except ValueError:
        return None


def is_near(value: Any, expected: float, tolerance: float = 0.005) -> bool:
    """Whether a cell has a number within `tolerance` of `expected`."""
    number = to_decimal(value)
    return number is not None and abs(float(number) - expected) <= tolerance + 1e-9


def find_records(rows: Rows, headers: Sequence[str], where: str) -> list[dict[str, Any]]:
    """Find the rows below the first row with all `headers` (case and spaces do not matter), as mappings by header.

    Rows that are empty in these columns are left out; other columns are ignored.

    Raises:
        InvalidArtifact: no row holds all headers.
    """
    expected_headers = [simplify_text(header) for header in headers]
    for number, row in enumerate(rows):
        names = [simplify_text(str(cell)) if cell is not None else "" for cell in row]
        if all(name in names for name in expected_headers):
            columns = [names.index(name) for name in expected_headers]
            below = [
                [line[column] if column < len(line) else None for column in columns] for line in rows[number + 1 :]
            ]
            return [dict(zip(headers, line, strict=True)) for line in below if any(_has_content(cell) for cell in line)]
    raise InvalidArtifact(f"{where} has no header row with {', '.join(headers)}")


def _has_content(cell: Any) -> bool:
    return cell is not None and str(cell).strip() != ""
