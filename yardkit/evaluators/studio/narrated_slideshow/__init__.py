"""The task studio/narrated_slideshow."""
