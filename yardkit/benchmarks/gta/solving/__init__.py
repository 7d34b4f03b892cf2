"""Shared steps of the reference solutions of the suite gta. Checks never import them."""
