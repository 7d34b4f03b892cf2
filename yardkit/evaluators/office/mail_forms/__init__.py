"""Checks and proof of office/mail_forms."""
