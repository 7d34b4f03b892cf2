"""How values, references and formulas are written, in cells and in files."""
