"""Pictures changed by a model as words say."""

GROUP = "media"
