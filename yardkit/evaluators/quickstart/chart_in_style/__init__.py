"""Checks and proof of quickstart/chart_in_style."""
