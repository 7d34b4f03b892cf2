"""The task gta/price_board."""
