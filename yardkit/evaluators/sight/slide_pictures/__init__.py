"""The task sight/slide_pictures."""
