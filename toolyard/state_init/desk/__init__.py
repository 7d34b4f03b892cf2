"""Seed scripts of the suite `desk`."""
