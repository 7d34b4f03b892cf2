"""Checks and proof of office/revised_terms."""
