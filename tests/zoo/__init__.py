"""Small files of each kind, made by code, each with its truth."""
