"""Leaves about the display of numbers."""

import re
from collections.abc import Callable, Iterator, Mapping

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves.tables import Sheets, Table
from yardkit.evaluators.readers.office.workbooks import read_book, same_number_format, simplify_number_format
from yardkit.evaluators.readers.tables import read_sheets, to_decimal
from yardkit.evaluators.submission import Submission


def check_decimals(
    id: str,
    statement: str,
    columns_by_table: Mapping[Table, tuple[str, ...]],
    *,
    places: int = 2,
    weight: float = 1.0,
) -> Checkpoint:
    """All numbers in some columns of some tables of a workbook are shown with this many decimals, by any format."""
    return _check_formats(id, statement, columns_by_table, lambda code: _count_decimals(code) == places, weight)


def number_format(
    id: str,
    statement: str,
    columns_by_table: Mapping[Table, tuple[str, ...]],
    code: str,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """All numbers in some columns have a number format that shows them like this one."""
    return _check_formats(
        id, statement, columns_by_table, lambda cell_format: same_number_format(cell_format, code), weight
    )


def _count_decimals(code: str) -> int | None:
    """Count the decimals that a number format always shows; None if it shows a percentage or no number."""
    match = re.search(r"[0#?,]*0(?:\.(0*)([#?]*))?(%?)", simplify_number_format(code))
    return len(match[1] or "") if match and not match[2] and not match[3] else None


def _check_formats(
    name: str,
    statement: str,
    columns_by_table: Mapping[Table, tuple[str, ...]],
    good: Callable[[str], bool],
    weight: float,
) -> Checkpoint:
    path = next(iter(columns_by_table)).path

    def check(submission: Submission, _facts: Facts) -> Finding:
        sheets, looks = read_sheets(submission, path), read_book(submission, path).sheets
        codes = {
            f"{table.sheet}!{place}": looks[table.sheet].look(place).number_format
            for table, columns in columns_by_table.items()
            for column in columns
            for place in _list_number_cells(table, sheets, column)
        }
        wrong = [f"{place} as {code!r}" for place, code in codes.items() if not good(code)]
        return make_finding(
            bool(codes) and not wrong,
            f"{len(wrong)} of {len(codes)} numbers are displayed differently: {', '.join(wrong[:8])}",
        )

    covers = tuple(target for table in columns_by_table for target in table.formats)
    return make_checkpoint(name, statement, check, covers=covers, kind="format", weight=weight)


def _list_number_cells(table: Table, sheets: Sheets, column: str) -> Iterator[str]:
    """List the addresses of all numbers in a column."""
    from openpyxl.utils import get_column_letter

    at = table.column(sheets, column)
    for row, cells in enumerate(table.grid(sheets).values[1:], 2):
        if to_decimal(cells[at]) is not None:
            yield f"{get_column_letter(at + 1)}{row}"
