"""Checks and proof of studio/menu_photo."""
