"""Workbooks in the dialect of Toolathlon: its excel server (25 tools), and google_sheet (19) on the world's drive."""
