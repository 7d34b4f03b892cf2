"""Checks and proof of quickstart/production_plan."""
