"""Checks and proof of desk/price_rise."""
