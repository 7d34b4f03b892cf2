"""Checks and proof of gta/triangle_side."""
