"""Checks and proof of gta/box_last_show."""
