"""Formulas in pictures as LaTeX, by a model; LaTeX checked and drawn, so that both can be compared."""

GROUP = "perception"

MODELS = {"read_formula": ("formulas", "vision")}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
