"""Searches and reads the web of a world: the world's sites, or a live search service."""

GROUP = "office"
