"""Checks and proof of desk/fraud_review."""
