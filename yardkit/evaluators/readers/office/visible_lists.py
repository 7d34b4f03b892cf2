"""Whether a person who opens the workbook sees the small list that a task asks for, one sheet with a header."""

import datetime
import re

from yardkit.evaluators.readers.office.workbooks import CellLook, Grid, read_book
from yardkit.evaluators.readers.tables import Sheet, read_sheets
from yardkit.evaluators.submission import Submission

__all__ = ["find_unseen"]

_LEAST_PT = 6.0
_LEAST_WIDTH = 1.0
_GROUND_COLORS = ("FFFFFF", "theme:0")


def find_unseen(submission: Submission, relative: str, name: str) -> list[str]:
    """Find the reasons why `name` is not the only visible list: other sheets, hidden or white cells, unusual dates.

    A date must show at least its day and month, and a value must not be hidden by its format. Column widths do not
    matter unless a column is closed.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable workbook.
    """
    values, grids = read_sheets(submission, relative), read_book(submission, relative).sheets
    problems = [f"there is a sheet {value!r} too" for value in values if value != name]
    if name not in values or name not in grids:
        return [*problems, f"there is no sheet {name!r}"]
    sheet, grid = values[name], grids[name]
    if grid.state != "visible":
        problems.append("the sheet is hidden")
    return problems + _list_closed(sheet, grid) + _list_faint(sheet, grid)


def _list_closed(sheet: Sheet, grid: Grid) -> list[str]:
    """List the rows and columns with content that are hidden or too small to see."""
    rows = {number for number, row in enumerate(sheet.values, 1) if any(_has_content(cell) for cell in row)}
    columns = {_name_column(n) for row in sheet.values for n, cell in enumerate(row, 1) if _has_content(cell)}
    low = {number for number, height in grid.heights.items() if height < _LEAST_PT / 2}
    thin = {letter for letter, width in grid.widths.items() if width < _LEAST_WIDTH}
    closed_names = [f"row {number} is hidden" for number in sorted(rows & (set(grid.hidden_rows) | low))]
    return closed_names + [
        f"column {letter} is hidden" for letter in sorted(columns & (set(grid.hidden_columns) | thin))
    ]


def _list_faint(sheet: Sheet, grid: Grid) -> list[str]:
    faint_cells = []
    for number, row in enumerate(sheet.values, 1):
        for column, value in enumerate(row, 1):
            address = f"{_name_column(column)}{number}"
            why = _why_faint(value, grid.look(address), in_table=bool(grid.tables)) if _has_content(value) else ""
            if why:
                faint_cells.append(f"{address} {why}")
    return faint_cells


def _why_faint(value: object, look: CellLook, *, in_table: bool) -> str:
    code = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", look.number_format).casefold()
    if isinstance(value, datetime.date) and not ("d" in code and "m" in code):
        return f"does not show its day and month ({look.number_format})"
    if not code.strip("; ") or (isinstance(value, str) and code.count(";") == 3 and "@" not in code):
        return f"is formatted away ({look.number_format})"
    if look.size_pt < _LEAST_PT:
        return f"is written in {look.size_pt:g} pt"
    ground = (look.fill,) if look.fill else () if in_table else _GROUND_COLORS  # a table's style may set the background
    return "has the colour of its background" if look.color in ground else ""


def _has_content(value: object) -> bool:
    return value is not None and str(value).strip() != ""


def _name_column(number: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(number))
