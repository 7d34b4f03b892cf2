"""Seeds of the suite studio."""
