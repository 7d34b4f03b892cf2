"""Checks and proof of gta/badge_room."""
