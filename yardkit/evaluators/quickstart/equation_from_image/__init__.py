"""Checks and proof of quickstart/equation_from_image."""
