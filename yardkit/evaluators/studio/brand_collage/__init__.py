"""The task studio/brand_collage."""
