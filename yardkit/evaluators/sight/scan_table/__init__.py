"""Checks and proof of sight/scan_table."""
