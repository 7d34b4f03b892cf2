"""Evaluators of the suite office."""
