"""Tools for what lies on sheets: charts, pivot tables, rules, pictures, links, tables, names, print set-up."""

from toolyard.servers.sheets.app import mcp

__all__ = ["mcp"]
