"""Checks and proof of sight/photo_sorting."""
