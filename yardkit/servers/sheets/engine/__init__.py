"""Workbooks without MCP: inspect, read, write, sheets, formats, CSV."""

from yardkit.servers.sheets.engine.cells.cell_reader import read_all_values, read_cells, read_records
from yardkit.servers.sheets.engine.contents.cell_search import find_cells
from yardkit.servers.sheets.engine.contents.comparison import compare_workbooks
from yardkit.servers.sheets.engine.contents.workbook_summary import inspect_workbook
from yardkit.servers.sheets.engine.edits.cell_writer import append_rows, recalculate_workbook, write_cells
from yardkit.servers.sheets.engine.edits.csv_files import csv_text, read_csv
from yardkit.servers.sheets.engine.edits.data_files import Reading, export_data, import_data
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.operation_batch import edit_workbook
from yardkit.servers.sheets.engine.edits.sheet_changes import (
    add_sheet,
    change_sheets,
    copy_sheet,
    delete_sheet,
    rename_sheet,
)
from yardkit.servers.sheets.engine.layout.sheet_layout import format_cells, normalize_color, set_layout
from yardkit.servers.sheets.engine.package.styles import Change

__all__ = [
    "Change",
    "Operation",
    "Reading",
    "add_sheet",
    "append_rows",
    "change_sheets",
    "compare_workbooks",
    "copy_sheet",
    "csv_text",
    "delete_sheet",
    "edit_workbook",
    "export_data",
    "find_cells",
    "format_cells",
    "import_data",
    "inspect_workbook",
    "normalize_color",
    "read_all_values",
    "read_cells",
    "read_csv",
    "read_records",
    "recalculate_workbook",
    "rename_sheet",
    "set_layout",
    "write_cells",
]
