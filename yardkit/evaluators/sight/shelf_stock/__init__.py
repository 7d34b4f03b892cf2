"""Checks and proof of sight/shelf_stock."""
