"""The task gta/box_last_show."""
