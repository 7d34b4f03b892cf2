"""Masks and cut-outs of objects in pictures, by a box, a point, person or words."""

GROUP = "perception"
