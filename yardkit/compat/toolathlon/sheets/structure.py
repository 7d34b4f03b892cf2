"""Workbooks, sheets, rows and columns; ranges copied and deleted."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from yardkit.compat.toolathlon.sheets.app import format_span
from yardkit.kit.dialect import Text
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.edits.deleted_cells import Direction, delete_cells
from yardkit.servers.sheets.engine.edits.operation import Name
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, column_name
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file, save_bytes

FIRST_SHEET = "Sheet1"


@dataclass(frozen=True)
class Metadata:
    """A workbook: its sheets, its size in bytes and, if asked for, the used range of each sheet."""

    filename: str
    sheets: list[str]
    size: int
    used_ranges: dict[str, str] = field(default_factory=dict)


def create_workbook(filepath: OutFile) -> str:
    with lock_file(filepath, current_world().locks), TemporaryDirectory() as folder:
        new_path = Path(folder) / filepath.name
        engine.add_sheet(new_path, FIRST_SHEET, now=current_world().now)
        save_bytes(filepath, new_path.read_bytes())
    return f"Created workbook at {current_world().to_relative(filepath)} with the sheet {FIRST_SHEET!r}"


def create_worksheet(filepath: InFile, sheet_name: str) -> str:
    with lock_file(filepath, current_world().locks):
        engine.add_sheet(filepath, sheet_name, now=current_world().now)
    return f"Sheet {sheet_name} created successfully"


def copy_worksheet(filepath: InFile, source_sheet: str, target_sheet: str) -> Text:
    return _change_sheets(filepath, "copy", source_sheet, target_sheet)


def delete_worksheet(filepath: InFile, sheet_name: str) -> Text:
    return _change_sheets(filepath, "delete", sheet_name)


def rename_worksheet(filepath: InFile, old_name: str, new_name: str) -> Text:
    return _change_sheets(filepath, "rename", old_name, new_name)


def get_workbook_metadata(filepath: InFile, include_ranges: bool = False) -> Metadata:
    sheets = engine.inspect_workbook(filepath).sheets
    ranges = {sheet.name: sheet.used_range for sheet in sheets if sheet.used_range} if include_ranges else {}
    return Metadata(filepath.name, [sheet.name for sheet in sheets], filepath.stat().st_size, ranges)


def copy_range(
    filepath: InFile,
    sheet_name: str,
    source_start: str,
    source_end: str,
    target_start: str,
    target_sheet: str | None = None,
) -> Text:
    source = format_span(source_start, source_end)
    step = engine.Operation("copy", sheet_name, source, to=target_start, to_sheet=target_sheet)
    return _run_edit(filepath, step)


def delete_range(
    filepath: InFile, sheet_name: str, start_cell: str, end_cell: str, shift_direction: Direction = "up"
) -> str:
    area = format_span(start_cell, end_cell)
    with lock_file(filepath, current_world().locks):
        delete_cells(filepath, sheet_name, area, shift_direction, now=current_world().now)
    return f"Range {sheet_name}!{area} deleted; the cells behind it moved {shift_direction}"


def insert_rows(filepath: InFile, sheet_name: str, start_row: int, count: int = 1) -> Text:
    return _change_lines(filepath, "insert_rows", sheet_name, start_row, count)


def insert_columns(filepath: InFile, sheet_name: str, start_col: int, count: int = 1) -> Text:
    return _change_lines(filepath, "insert_columns", sheet_name, start_col, count)


def delete_sheet_rows(filepath: InFile, sheet_name: str, start_row: int, count: int = 1) -> Text:
    return _change_lines(filepath, "delete_rows", sheet_name, start_row, count)


def delete_sheet_columns(filepath: InFile, sheet_name: str, start_col: int, count: int = 1) -> Text:
    return _change_lines(filepath, "delete_columns", sheet_name, start_col, count)


def _change_sheets(path: Path, action: str, sheet: str, name: str | None = None) -> Text:
    with lock_file(path, current_world().locks):
        done, _ = engine.change_sheets(path, action, sheet, name, None, now=current_world().now)
    return Text(done)


def _change_lines(path: Path, op: Name, sheet: str, first: int, count: int) -> Text:
    last = first + count - 1
    rows = op.endswith("rows")
    if last > (MAX_ROW if rows else MAX_COLUMN):
        raise Problem(f"{count} lines from {first} on go beyond the sheet, which ends at XFD1048576")
    place = f"{first}:{last}" if rows else f"{column_name(first)}:{column_name(last)}"
    return _run_edit(path, engine.Operation(op, sheet, place))


def _run_edit(path: Path, step: engine.Operation) -> Text:
    with lock_file(path, current_world().locks):
        (done,), _ = engine.edit_workbook(path, [step], now=current_world().now)
    return Text(done[0].upper() + done[1:])
