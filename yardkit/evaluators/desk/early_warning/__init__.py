"""Checks and proof of desk/early_warning."""
