"""Checks and proof of desk/supplier_check."""
