"""Generates music from text with a model."""

GROUP = "media"
