"""Shapes of a slide: made and changed, with their text, pictures and tables."""
