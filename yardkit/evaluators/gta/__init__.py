"""Evaluators of the suite gta."""
