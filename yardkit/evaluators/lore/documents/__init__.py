"""Checks and proof of lore/documents."""
