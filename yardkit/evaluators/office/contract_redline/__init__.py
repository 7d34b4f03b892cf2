"""Checks and proof of office/contract_redline."""
