"""Generates pictures from text with a model."""

GROUP = "media"
