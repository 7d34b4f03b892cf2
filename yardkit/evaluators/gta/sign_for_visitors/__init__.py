"""Checks and proof of gta/sign_for_visitors."""
