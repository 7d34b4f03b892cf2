"""Checks and proof of desk/sharing_review."""
