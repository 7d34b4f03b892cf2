"""Checks and proof of office/pivot_dashboard."""
