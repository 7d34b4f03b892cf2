"""Checks and proof of lore_published/documents."""
