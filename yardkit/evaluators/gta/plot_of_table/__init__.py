"""Checks and proof of gta/plot_of_table."""
