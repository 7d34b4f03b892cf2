"""Pictures looked at, cut, turned, drawn on, covered, adjusted, put together, compared and measured."""

GROUP = "media"
