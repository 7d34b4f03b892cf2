"""Checks and proof of desk/board_dates."""
