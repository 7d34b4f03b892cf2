"""Word documents in the dialect of Toolathlon: the 54 tools of its word server."""

from yardkit.servers.documents.dialects.toolathlon import files, looks, notes, reading, tables, widths, writing
from yardkit.servers.documents.dialects.toolathlon.app import mcp

__all__ = ["files", "looks", "mcp", "notes", "reading", "tables", "widths", "writing"]
