"""Formulas in the dialect of GTA: the LaTeX alone, where GTA gave the JSON of a service, its faults included."""

from yardkit.servers.formulas import engine
from yardkit.world import InFile


def MathOCR(image: InFile) -> str:
    return engine.read_formula(image).latex
