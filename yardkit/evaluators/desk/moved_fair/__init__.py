"""Checks and proof of desk/moved_fair."""
