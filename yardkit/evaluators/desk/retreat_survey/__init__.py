"""Checks and proof of desk/retreat_survey."""
