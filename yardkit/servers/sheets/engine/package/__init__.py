"""The parts of a workbook file: found, read as bytes, and written where they changed."""
