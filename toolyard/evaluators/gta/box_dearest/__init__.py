"""The task gta/box_dearest."""
