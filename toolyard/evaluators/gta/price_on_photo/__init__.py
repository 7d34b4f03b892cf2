"""The task gta/price_on_photo."""
