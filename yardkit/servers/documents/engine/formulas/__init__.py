"""Equations: LaTeX to Office Math and back."""
