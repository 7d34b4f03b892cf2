"""Checks and proof of office/stock_cleanup."""
