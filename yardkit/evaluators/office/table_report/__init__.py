"""Checks and proof of office/table_report."""
