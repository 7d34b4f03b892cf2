"""Describe, query and change SQLite databases of the workspace, and import and export tables."""

GROUP = "office"
