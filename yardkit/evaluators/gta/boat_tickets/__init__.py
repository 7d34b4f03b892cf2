"""Checks and proof of gta/boat_tickets."""
