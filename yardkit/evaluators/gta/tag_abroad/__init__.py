"""Checks and proof of gta/tag_abroad."""
