"""The families of models that the worker runs: one file each, imported when its first model is loaded."""
