"""Checks and proof of desk/restated_month."""
