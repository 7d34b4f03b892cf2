"""Equations, calculus, matrices, differential equations and optimisation, exact and numeric (SymPy, SciPy)."""
