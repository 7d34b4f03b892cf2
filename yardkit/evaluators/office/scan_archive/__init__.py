"""Checks and proof of office/scan_archive."""
