"""Workbooks without MCP: inspect, read, write, sheets, formats, CSV."""

from toolyard.servers.sheets.engine.csvio import csv_text, export_csv, import_csv, read_csv
from toolyard.servers.sheets.engine.inspect import inspect
from toolyard.servers.sheets.engine.layout import color, format_cells, set_layout
from toolyard.servers.sheets.engine.reading import read_cells, read_records, values
from toolyard.servers.sheets.engine.structure import add_sheet, copy_sheet, delete_sheet, rename_sheet
from toolyard.servers.sheets.engine.styles import Change
from toolyard.servers.sheets.engine.writing import append_rows, recalculate, write_cells

__all__ = [
    "Change",
    "add_sheet",
    "append_rows",
    "color",
    "copy_sheet",
    "csv_text",
    "delete_sheet",
    "export_csv",
    "format_cells",
    "import_csv",
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
