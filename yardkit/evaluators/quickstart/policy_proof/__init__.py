"""Checks and proof of quickstart/policy_proof."""
