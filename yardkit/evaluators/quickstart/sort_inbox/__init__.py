"""Checks and proof of quickstart/sort_inbox."""
