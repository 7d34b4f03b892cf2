"""Checks and proof of gta/price_on_photo."""
