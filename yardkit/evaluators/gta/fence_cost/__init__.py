"""Checks and proof of gta/fence_cost."""
