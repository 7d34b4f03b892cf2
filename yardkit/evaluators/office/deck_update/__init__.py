"""Checks and proof of office/deck_update."""
