"""Masks and cut-outs of things in pictures, by a box, a point, a person or words."""

GROUP = "perception"
