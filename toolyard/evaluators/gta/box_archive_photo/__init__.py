"""The task gta/box_archive_photo."""
