"""Comments, notes and tracked changes."""
