"""The task gta/text_far_from."""
