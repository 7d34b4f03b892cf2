"""Seeds of the quickstart suite."""
