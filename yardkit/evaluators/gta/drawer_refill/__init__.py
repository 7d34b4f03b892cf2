"""Checks and proof of gta/drawer_refill."""
