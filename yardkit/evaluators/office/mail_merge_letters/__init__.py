"""Checks and proof of office/mail_merge_letters."""
