"""Edit Word documents (.docx): text, styles, tables, comments, tracked changes, notes, fields."""

GROUP = "office"

PROGRAMS = {"bwrap": "the walls around LibreOffice", "soffice": "page numbers, pages, other formats"}
"""System programs that some tools call, and what does not work without each."""
