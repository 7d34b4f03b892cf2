"""Checks and proof of quickstart/csv_to_workbook."""
