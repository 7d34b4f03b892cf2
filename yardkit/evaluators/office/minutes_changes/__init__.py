"""Checks and proof of office/minutes_changes."""
