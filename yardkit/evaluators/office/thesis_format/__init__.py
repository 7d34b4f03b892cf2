"""Checks and proof of office/thesis_format."""
