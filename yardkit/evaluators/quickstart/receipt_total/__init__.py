"""Checks and proof of quickstart/receipt_total."""
