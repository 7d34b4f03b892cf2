"""Checks and proof of gta/blackboard_pair."""
