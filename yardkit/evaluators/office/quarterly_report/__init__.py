"""Checks and proof of office/quarterly_report."""
