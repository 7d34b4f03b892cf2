"""Small files of every kind that real programs write, each with its truth, made by code."""
