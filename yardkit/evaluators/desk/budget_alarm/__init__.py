"""Checks and proof of desk/budget_alarm."""
