"""Workbooks without MCP: inspect, read, write, sheets, formats, CSV."""

from toolyard.servers.sheets.engine.cells.reading import read_cells, read_records, values
from toolyard.servers.sheets.engine.contents.comparing import compare
from toolyard.servers.sheets.engine.contents.finding import find_cells
from toolyard.servers.sheets.engine.contents.inspect import inspect
from toolyard.servers.sheets.engine.edits.csvio import csv_text, read_csv
from toolyard.servers.sheets.engine.edits.dataio import Reading, export_data, import_data
from toolyard.servers.sheets.engine.edits.editing import edit
from toolyard.servers.sheets.engine.edits.operation import Operation
from toolyard.servers.sheets.engine.edits.structure import (
    add_sheet,
    change_sheets,
    copy_sheet,
    delete_sheet,
    rename_sheet,
)
from toolyard.servers.sheets.engine.edits.writing import append_rows, recalculate, write_cells
from toolyard.servers.sheets.engine.layout.layout import color, format_cells, set_layout
from toolyard.servers.sheets.engine.package.styles import Change

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
