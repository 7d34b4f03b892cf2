"""Checks and proof of gta/gym_months."""
