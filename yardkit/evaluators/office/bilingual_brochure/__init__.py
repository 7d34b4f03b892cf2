"""Checks and proof of office/bilingual_brochure."""
