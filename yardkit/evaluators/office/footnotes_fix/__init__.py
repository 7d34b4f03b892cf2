"""Checks and proof of office/footnotes_fix."""
