"""Checks and proof of desk/commissions."""
