"""Seeds of the suite sight."""
