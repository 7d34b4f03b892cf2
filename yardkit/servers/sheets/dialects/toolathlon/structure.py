"""Workbooks, sheets, rows and columns; ranges copied and deleted."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import tool
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.dialects.toolathlon.app import (
    Book,
    Cell,
    Count,
    LastCell,
    NewBook,
    Sheet,
    Start,
    format_span,
    mcp,
)
from yardkit.servers.sheets.engine.edits.deleted_cells import Direction, delete_cells
from yardkit.servers.sheets.engine.edits.operation import Name
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, column_name
from yardkit.world import Problem, current_world, lock_file, save_bytes

FIRST_SHEET = "Sheet1"
Row = Annotated[int, Field(description="First row, from 1.", ge=1, le=MAX_ROW)]
Column = Annotated[int, Field(description="First column, from 1.", ge=1, le=MAX_COLUMN)]
NewName = Annotated[str, Field(description="New name, at most 31 characters.")]


@dataclass(frozen=True)
class Metadata:
    """A workbook: its sheets, its size in bytes and, if asked for, the used range of each sheet."""

    filename: str
    sheets: list[str]
    size: int
    used_ranges: dict[str, str] = field(default_factory=dict)


@tool(mcp, writes=True, destructive=True)
def create_workbook(filepath: NewBook) -> Text:
    """Create new Excel workbook with one empty sheet; one that is there is replaced."""
    with lock_file(filepath, current_world().locks), TemporaryDirectory() as folder:
        new_path = Path(folder) / filepath.name
        engine.add_sheet(new_path, FIRST_SHEET, now=current_world().now)
        save_bytes(filepath, new_path.read_bytes())
    return Text(f"Created workbook at {current_world().to_relative(filepath)} with the sheet {FIRST_SHEET!r}")


@tool(mcp, writes=True, idempotent=False)
def create_worksheet(filepath: Book, sheet_name: NewName) -> Text:
    """Create new worksheet in workbook."""
    with lock_file(filepath, current_world().locks):
        engine.add_sheet(filepath, sheet_name, now=current_world().now)
    return Text(f"Sheet {sheet_name} created successfully")


@tool(mcp, writes=True, idempotent=False)
def copy_worksheet(filepath: Book, source_sheet: Sheet, target_sheet: NewName) -> Text:
    """Copy worksheet within workbook, and report what is not copied (charts, pictures, tables ...)."""
    return _change_sheets(filepath, "copy", source_sheet, target_sheet)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_worksheet(filepath: Book, sheet_name: Sheet) -> Text:
    """Delete worksheet from workbook."""
    return _change_sheets(filepath, "delete", sheet_name)


@tool(mcp, writes=True, idempotent=False)
def rename_worksheet(filepath: Book, old_name: Sheet, new_name: NewName) -> Text:
    """Rename worksheet in workbook; formulas and charts follow."""
    return _change_sheets(filepath, "rename", old_name, new_name)


@tool(mcp, bulk=True)
def get_workbook_metadata(
    filepath: Book, include_ranges: Annotated[bool, Field(description="Also the used range of each sheet.")] = False
) -> Metadata:
    """Get metadata about workbook including sheets, ranges, etc."""
    sheets = engine.inspect_workbook(filepath).sheets
    ranges = {sheet.name: sheet.used_range for sheet in sheets if sheet.used_range} if include_ranges else {}
    return Metadata(filepath.name, [sheet.name for sheet in sheets], filepath.stat().st_size, ranges)


@tool(mcp, writes=True, destructive=True)
def copy_range(
    filepath: Book,
    sheet_name: Sheet,
    source_start: Start,
    source_end: LastCell,
    target_start: Cell,
    target_sheet: Annotated[str | None, Field(description="Default: the same sheet.")] = None,
) -> Text:
    """Copy a range of cells to another location."""
    source = format_span(source_start, source_end)
    step = engine.Operation("copy", sheet_name, source, to=target_start, to_sheet=target_sheet)
    return _run_edit(filepath, step)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_range(
    filepath: Book,
    sheet_name: Sheet,
    start_cell: Start,
    end_cell: LastCell,
    shift_direction: Annotated[Direction, Field(description="Where the cells behind it go.")] = "up",
) -> Text:
    """Delete a range of cells and shift remaining cells; formulas follow."""
    area = format_span(start_cell, end_cell)
    with lock_file(filepath, current_world().locks):
        delete_cells(filepath, sheet_name, area, shift_direction, now=current_world().now)
    return Text(f"Range {sheet_name}!{area} deleted; the cells behind it moved {shift_direction}")


@tool(mcp, writes=True, idempotent=False)
def insert_rows(filepath: Book, sheet_name: Sheet, start_row: Row, count: Count = 1) -> Text:
    """Insert one or more rows starting at the specified row."""
    return _change_lines(filepath, "insert_rows", sheet_name, start_row, count)


@tool(mcp, writes=True, idempotent=False)
def insert_columns(filepath: Book, sheet_name: Sheet, start_col: Column, count: Count = 1) -> Text:
    """Insert one or more columns starting at the specified column."""
    return _change_lines(filepath, "insert_columns", sheet_name, start_col, count)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_sheet_rows(filepath: Book, sheet_name: Sheet, start_row: Row, count: Count = 1) -> Text:
    """Delete one or more rows starting at the specified row."""
    return _change_lines(filepath, "delete_rows", sheet_name, start_row, count)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_sheet_columns(filepath: Book, sheet_name: Sheet, start_col: Column, count: Count = 1) -> Text:
    """Delete one or more columns starting at the specified column."""
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
