"""Draws charts and functions from data, and runs Matplotlib code in isolation."""
