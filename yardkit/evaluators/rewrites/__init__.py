"""Files that are written again: blank, which must earn nothing, or as another program writes them, which must pass."""
