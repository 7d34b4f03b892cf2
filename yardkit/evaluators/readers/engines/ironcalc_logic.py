"""AND and OR for IronCalc, which stops at the first deciding argument; in Excel, any argument's error is the result."""

import re

from yardkit.evaluators.readers.engines.formula_tokens import tokenize_formula

_LOGIC_FORMS = {
    "OR(": "OR(XOR({0}),{0})",
    "AND(": "AND(IF(XOR({0}),TRUE,TRUE),{0})",
}
"""XOR looks at all of its arguments, and takes them as these do."""
_CALLED = re.compile(r"\b(?:AND|OR)\(", re.I)
_DEEPEST = 4
"""Each call in another doubles what is computed."""


def keep_errors(formula: str) -> str:
    """Rewrite calls of AND and OR so that they do not skip an error; other formulas stay unchanged."""
    if not formula.startswith("=") or not _CALLED.search(formula):
        return formula
    calls: list[tuple[str, str, int]] = [("", "", 0)]  # name, arguments, how often they are nested
    for token in tokenize_formula(formula):
        name, text, depth = calls.pop()
        if token.subtype == "OPEN":
            calls += [(name, text, depth), (token.value, "", 0)]
        elif token.subtype == "CLOSE":
            written = _LOGIC_FORMS.get(name.upper()) if depth < _DEEPEST and text.strip() else None
            inside = written.format(text) if written else f"{name}{text}{token.value}"
            before, so_far, deep = calls.pop()
            calls.append((before, so_far + inside, max(deep, depth + bool(written))))
        else:
            calls.append((name, text + token.value, depth))
    return f"={calls[0][1]}"
