"""Checks and proof of desk/handover."""
