"""Music made by a model from words."""

GROUP = "media"
