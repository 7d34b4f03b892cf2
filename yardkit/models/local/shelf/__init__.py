"""The registry of local models: their names, the paths of their weights, and whether they may be loaded. No torch."""
