"""Checks and proof of gta/branch_growth."""
