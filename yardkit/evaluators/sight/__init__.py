"""Evaluators of the suite sight."""
