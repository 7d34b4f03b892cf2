"""Checks and proofs of the suite `lore`."""
