"""Checks and proof of lore/code."""
