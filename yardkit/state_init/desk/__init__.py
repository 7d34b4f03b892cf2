"""Worlds of the suite desk: office work over several apps of one company."""
