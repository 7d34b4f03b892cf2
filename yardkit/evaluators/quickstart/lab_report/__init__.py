"""Checks and proof of quickstart/lab_report."""
