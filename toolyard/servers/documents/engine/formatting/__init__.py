"""Styles, looks and lists."""
