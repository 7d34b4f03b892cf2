"""Evaluators of the suite studio."""
