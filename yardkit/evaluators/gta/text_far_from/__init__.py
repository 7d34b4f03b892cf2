"""Checks and proof of gta/text_far_from."""
