"""Checks and proofs of the suite `desk`."""
