"""Solving generated tasks with tools and the prompt alone. Checks never import it."""
