"""Checks and proof of gta/box_dearest."""
