"""Fields, references and tables of contents, and what brings them up to date."""
