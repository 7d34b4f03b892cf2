"""Masks and cut-outs of objects in pictures, by a box, a point, person or words."""

GROUP = "perception"

MODELS = {"segment_object and cut_out_object by words": ("masks",)}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
