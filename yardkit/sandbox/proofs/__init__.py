"""Proofs that evaluators can be trusted: what is shown, what that rests on, and the cards that tell it."""
