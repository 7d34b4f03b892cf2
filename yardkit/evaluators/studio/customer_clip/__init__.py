"""The task studio/customer_clip."""
