"""Cells that move, and all that names them and follows: formulas, names, tables, rules, charts."""
