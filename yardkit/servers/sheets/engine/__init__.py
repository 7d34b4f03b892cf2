"""Workbooks without MCP: inspect, read, write, sheets, formats, CSV."""

from yardkit.servers.sheets.engine.cells.cell_reader import read_cells, read_records, values
from yardkit.servers.sheets.engine.contents.cell_search import find_cells
from yardkit.servers.sheets.engine.contents.comparison import compare
from yardkit.servers.sheets.engine.contents.workbook_summary import inspect
from yardkit.servers.sheets.engine.edits.cell_writer import append_rows, recalculate, write_cells
from yardkit.servers.sheets.engine.edits.csv_files import csv_text, read_csv
from yardkit.servers.sheets.engine.edits.data_files import Reading, export_data, import_data
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.operation_batch import edit
from yardkit.servers.sheets.engine.edits.sheet_changes import (
    add_sheet,
    change_sheets,
    copy_sheet,
    delete_sheet,
    rename_sheet,
)
from yardkit.servers.sheets.engine.layout.sheet_layout import color, format_cells, set_layout
from yardkit.servers.sheets.engine.package.styles import Change

__all__ = [
    "Change",
    "Operation",
    "Reading",
    "add_sheet",
    "append_rows",
    "change_sheets",
    "color",
    "compare",
    "copy_sheet",
    "csv_text",
    "delete_sheet",
    "edit",
    "export_data",
    "find_cells",
    "format_cells",
    "import_data",
    "inspect",
    "read_cells",
    "read_csv",
    "read_records",
    "recalculate",
    "rename_sheet",
    "set_layout",
    "values",
    "write_cells",
]
