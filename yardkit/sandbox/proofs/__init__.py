"""Proofs that evaluators can be trusted: the checks, their dependencies, and the cards that report them."""
