"""Generates videos from text with a model."""

GROUP = "media"

MODELS = {"every tool": ("video",)}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
