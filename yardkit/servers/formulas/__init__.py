"""Formulas in pictures as LaTeX, by a model; LaTeX checked and drawn, so that both can be compared."""

GROUP = "perception"
