"""Checks and proof of gta/tank_litres."""
