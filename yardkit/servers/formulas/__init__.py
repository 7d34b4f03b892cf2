"""Read formulas in pictures as LaTeX with a model; check and draw LaTeX to compare both."""

GROUP = "perception"

MODELS = {"read_formula": ("formulas", "vision")}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
