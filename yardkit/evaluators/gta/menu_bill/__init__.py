"""Checks and proof of gta/menu_bill."""
