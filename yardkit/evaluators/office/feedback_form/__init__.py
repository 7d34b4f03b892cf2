"""Checks and proof of office/feedback_form."""
