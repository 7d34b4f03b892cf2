"""Checks and proof of office/brand_deck."""
