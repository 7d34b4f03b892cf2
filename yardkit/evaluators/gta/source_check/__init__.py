"""Checks and proof of gta/source_check."""
