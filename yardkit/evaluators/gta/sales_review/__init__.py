"""Checks and proof of gta/sales_review."""
