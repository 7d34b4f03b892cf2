"""The cells of a sheet: read with their types, written in place, and which formulas read which."""
