"""Notes in the dialect of Toolathlon: the 19 tools of its notion server, with the objects of Notion's API of 2022-06-28
as compact JSON.
"""

from yardkit.servers.notes.dialects.toolathlon import blocks, databases, pages, people
from yardkit.servers.notes.dialects.toolathlon.app import mcp

__all__ = ["blocks", "databases", "mcp", "pages", "people"]
