"""Equations, calculus, matrices, differential equations and optimisation, exact and numeric (SymPy, SciPy)."""

GROUP = "logic"

PROGRAMS = {"bwrap": "run_solver_code, which runs code of an agent"}
"""System programs that some tools call, and what does not work without each."""

RUNS_CODE = True
"""Tools run code of the agent, which can do the work of any other tool."""
