"""Excel workbooks in the dialect of Toolathlon: the 25 tools of its excel server."""

from toolyard.servers.sheets.dialects.toolathlon import cells, looks, objects, structure
from toolyard.servers.sheets.dialects.toolathlon.app import mcp

__all__ = ["cells", "looks", "mcp", "objects", "structure"]
