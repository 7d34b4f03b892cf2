"""Checks and proof of office/board_pack."""
