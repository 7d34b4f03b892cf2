"""Checks and proof of desk/late_policy."""
