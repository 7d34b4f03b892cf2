"""Checks and proof of gta/alt_text."""
