"""Checks and proof of gta/picture_hall."""
