"""Worlds of the suite gta."""
