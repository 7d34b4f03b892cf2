"""Seeds of the suite `lore`."""
