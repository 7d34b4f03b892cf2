"""Objects in pictures, by their classes, with boxes and scores."""

GROUP = "perception"
