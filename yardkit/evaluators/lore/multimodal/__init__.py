"""Checks and proof of lore/multimodal."""
