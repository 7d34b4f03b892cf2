"""Prove goals and find counterexamples and models with Z3, from logical formulas or SMT-LIB 2."""

GROUP = "logic"
