"""Exact and floating arithmetic, the functions of mathematics, units, and statistics of a list."""

GROUP = "logic"
