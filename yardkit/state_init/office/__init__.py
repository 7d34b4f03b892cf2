"""Seeds of the suite office."""
