"""Checks and proof of desk/recall."""
