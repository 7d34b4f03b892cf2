"""Readers of what is seen and heard over time: films and sounds."""
