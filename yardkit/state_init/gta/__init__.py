"""Seeds of the suite gta."""
