"""The task gta/plot_of_table."""
