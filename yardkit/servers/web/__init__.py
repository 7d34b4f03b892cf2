"""Searches and reads the web of a world: sites that lie in it, or a live search service."""

GROUP = "office"
