"""Checks and proof of gta/workshop_plan."""
