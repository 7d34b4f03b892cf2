"""Checks and proof of gta/first_concert."""
