"""Number of objects in a picture, by class, colour, shape or example, and how certain it is."""

GROUP = "perception"
