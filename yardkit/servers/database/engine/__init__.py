"""The work on SQLite databases: plain functions on paths that are already safe, with the standard library's sqlite3."""
