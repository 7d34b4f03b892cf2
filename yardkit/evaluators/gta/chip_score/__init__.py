"""Checks and proof of gta/chip_score."""
