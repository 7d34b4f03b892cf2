"""Checks and proof of office/deck_repair."""
