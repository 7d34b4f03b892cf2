"""The work of the formulas server, without MCP."""

from yardkit.servers.formulas.engine.checking import FormulaCheck, check_formula, save_drawing
from yardkit.servers.formulas.engine.reading import ReadFormula, read_formula

__all__ = ["FormulaCheck", "ReadFormula", "check_formula", "read_formula", "save_drawing"]
