"""The shelf: which local models there are, where their weights lie, and whether they may be loaded. Needs no torch."""
