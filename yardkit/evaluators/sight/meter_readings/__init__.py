"""Checks and proof of sight/meter_readings."""
