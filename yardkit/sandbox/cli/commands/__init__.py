"""The commands: one module each, with ``add``, which declares the options, and ``run``."""
