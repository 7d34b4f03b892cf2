"""Word documents in the dialect of Toolathlon: the 54 tools of its word server."""
