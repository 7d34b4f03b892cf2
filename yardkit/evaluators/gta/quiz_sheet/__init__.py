"""Checks and proof of gta/quiz_sheet."""
