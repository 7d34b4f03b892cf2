"""Generates videos from text with a model."""

GROUP = "media"
