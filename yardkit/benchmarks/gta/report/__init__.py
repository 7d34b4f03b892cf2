"""The tables of the papers for several agents side by side."""
