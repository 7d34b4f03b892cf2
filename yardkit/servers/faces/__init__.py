"""Faces in pictures: boxes, points, guesses of attributes, and whether two are alike."""

GROUP = "perception"
