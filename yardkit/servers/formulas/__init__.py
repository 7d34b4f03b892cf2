"""Read formulas in pictures as LaTeX with a model; check and draw LaTeX to compare both."""

GROUP = "perception"
