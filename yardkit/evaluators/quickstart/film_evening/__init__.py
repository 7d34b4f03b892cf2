"""Checks and proof of quickstart/film_evening."""
