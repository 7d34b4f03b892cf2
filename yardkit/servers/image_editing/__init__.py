"""Edits pictures with a model by instructions in words."""

GROUP = "media"

MODELS = {"every tool": ("image_edits",)}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
