"""SQLite databases of the workspace: describe, query, change in one transaction, import and export tables."""

GROUP = "office"
