"""Work on Word documents (.docx): text, styles, tables, comments, tracked changes, notes, fields."""
