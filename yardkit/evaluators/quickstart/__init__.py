"""Checks and proofs of the quickstart suite."""
