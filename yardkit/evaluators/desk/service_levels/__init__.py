"""Checks and proof of desk/service_levels."""
