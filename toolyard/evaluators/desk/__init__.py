"""Evaluators of the suite desk."""
