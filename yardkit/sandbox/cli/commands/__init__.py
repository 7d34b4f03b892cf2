"""The commands: a module for each, with ``add`` for its options and ``run``."""
