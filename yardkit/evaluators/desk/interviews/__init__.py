"""Checks and proof of desk/interviews."""
