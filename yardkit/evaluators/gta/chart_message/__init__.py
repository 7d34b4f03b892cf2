"""Checks and proof of gta/chart_message."""
