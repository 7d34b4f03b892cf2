"""Checks and proof of office/newsletter_html."""
