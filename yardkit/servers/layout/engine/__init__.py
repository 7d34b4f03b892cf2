"""The work of the layout server, without MCP."""

from yardkit.servers.layout.engine.pages import (
    PageLayout,
    PageTables,
    PageTurn,
    find_orientation,
    find_tables,
    read_layout,
)

__all__ = ["PageLayout", "PageTables", "PageTurn", "find_orientation", "find_tables", "read_layout"]
