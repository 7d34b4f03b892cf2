"""Workbooks in the dialect of Toolathlon: its excel server (25 tools), and google_sheet (19) on the world's drive."""

from yardkit.servers.sheets.dialects.toolathlon import cells, google_cells, google_files, looks, objects, structure
from yardkit.servers.sheets.dialects.toolathlon.app import mcp

__all__ = ["cells", "google_cells", "google_files", "looks", "mcp", "objects", "structure"]
