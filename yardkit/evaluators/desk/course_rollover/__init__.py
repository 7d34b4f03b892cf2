"""Checks and proof of desk/course_rollover."""
