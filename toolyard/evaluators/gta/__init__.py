"""Checks and proofs of the suite `gta`."""
