"""Checks and proof of office/budget_model."""
