"""Checks and proof of desk/stock_count."""
