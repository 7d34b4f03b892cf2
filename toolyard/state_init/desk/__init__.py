"""Seeds of the suite desk."""
