"""Checks and proof of quickstart/invoice_check."""
