"""How many things of a kind a picture shows, by class, colour, shape or example, and how sure that is."""

GROUP = "perception"
