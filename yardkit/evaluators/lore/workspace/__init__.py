"""Checks and proof of lore/workspace."""
