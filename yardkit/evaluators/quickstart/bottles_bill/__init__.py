"""Checks and proof of quickstart/bottles_bill."""
