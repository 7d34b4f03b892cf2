"""Checks and proof of office/invoice_reconciliation."""
