"""The suite gta."""
