"""Faces in pictures: boxes, landmarks, guessed attributes, and whether two are similar."""

GROUP = "perception"
