"""Checks and proof of sight/label_check."""
