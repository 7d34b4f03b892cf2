"""The warehouse in the dialect of Toolathlon: the 14 tools of its snowflake and the 39 of its google-cloud server."""
