"""Small files as real programs write them, made by code, each with its truth: what a careful reader finds in it."""
