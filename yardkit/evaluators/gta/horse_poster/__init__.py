"""Checks and proof of gta/horse_poster."""
