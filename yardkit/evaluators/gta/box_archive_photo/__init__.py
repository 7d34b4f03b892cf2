"""Checks and proof of gta/box_archive_photo."""
