"""Checks and proof of studio/station_announcement."""
