"""Checks and proof of office/redaction_release."""
