"""Slides and decks: made from outlines and patterns, arranged, taken from other decks, set up as a whole."""
