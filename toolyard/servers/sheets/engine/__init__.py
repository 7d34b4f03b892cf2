"""Workbooks without MCP: inspect, read, write, sheets, formats."""

from toolyard.servers.sheets.engine.inspect import inspect
from toolyard.servers.sheets.engine.reading import read_cells, read_records, values
from toolyard.servers.sheets.engine.writing import append_rows, recalculate, write_cells

__all__ = ["append_rows", "inspect", "read_cells", "read_records", "recalculate", "values", "write_cells"]
