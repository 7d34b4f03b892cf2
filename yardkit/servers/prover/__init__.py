"""Proofs, counter-examples and models: SMT-LIB 2 and logical goals, worked out by Z3."""

GROUP = "logic"
