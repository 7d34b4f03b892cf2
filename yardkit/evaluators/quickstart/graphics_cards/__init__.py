"""Checks and proof of quickstart/graphics_cards."""
