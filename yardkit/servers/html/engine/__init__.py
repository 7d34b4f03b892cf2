"""Web pages as files: created, edited in place, checked, read, and looked at in a browser."""
