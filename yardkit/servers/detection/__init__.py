"""Objects in pictures and videos, by class, with boxes and scores."""

GROUP = "perception"
