"""Checks and proof of office/price_list_print."""
