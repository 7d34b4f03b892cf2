"""Edits pictures with a model by instructions in words."""

GROUP = "media"
