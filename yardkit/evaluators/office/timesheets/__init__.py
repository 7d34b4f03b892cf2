"""Checks and proof of office/timesheets."""
