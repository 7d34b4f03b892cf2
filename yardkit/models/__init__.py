"""The models that servers use: where they come from and how they run."""
