"""Workbooks without MCP: inspect, read, write, sheets, formats, CSV."""

from toolyard.servers.sheets.engine.comparing import compare
from toolyard.servers.sheets.engine.csvio import csv_text, read_csv
from toolyard.servers.sheets.engine.dataio import Reading, export_data, import_data
from toolyard.servers.sheets.engine.editing import edit
from toolyard.servers.sheets.engine.finding import find_cells
from toolyard.servers.sheets.engine.inspect import inspect
from toolyard.servers.sheets.engine.layout import color, format_cells, set_layout
from toolyard.servers.sheets.engine.operation import Operation
from toolyard.servers.sheets.engine.reading import read_cells, read_records, values
from toolyard.servers.sheets.engine.structure import (
    add_sheet,
    change_sheets,
    copy_sheet,
    delete_sheet,
    rename_sheet,
)
from toolyard.servers.sheets.engine.styles import Change
from toolyard.servers.sheets.engine.writing import append_rows, recalculate, write_cells

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
