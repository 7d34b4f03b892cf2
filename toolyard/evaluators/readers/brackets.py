"""Brackets for IronCalc, which loses some on its way from a file: it computes ``(A1&B1)*2`` as ``A1&(B1*2)``."""

import re

_JOINING_OR_COMPARING = frozenset({"&", "=", "<", ">", "<=", ">=", "<>"})
_AT_RISK = re.compile(r"\)\s*%|\)\s*[-+*/&]|[-+*/&<>=]\s*\(")


def firm(formula: str) -> str:
    """A formula whose brackets around joined and compared values, and before percent signs, stand in a call of IF.

    They stay there, and IF(TRUE,(x)) is x.
    """
    bare = re.sub(r'"[^"]*"', '""', formula[1:])
    if not formula.startswith("=") or not _AT_RISK.search(bare) or not re.search(r"[&=<>%]", bare):
        return formula
    from openpyxl.formula import Tokenizer

    tokens = [token for token in Tokenizer(formula).items if token.type != "WHITE-SPACE"]
    said = [token.value for token in tokens]
    opened: list[list[int]] = []  # Where a bracket stands, and after it the operators right inside.
    for at, token in enumerate(tokens):
        if token.subtype == "OPEN":
            opened.append([at])
        elif token.subtype == "CLOSE":
            first, *inside = opened.pop()
            percent = at + 1 < len(tokens) and tokens[at + 1].value == "%"
            risky = percent or any(tokens[each].value in _JOINING_OR_COMPARING for each in inside)
            if token.type == "PAREN" and inside and risky:
                said[first], said[at] = "IF(TRUE,(", "))"
        elif token.type == "OPERATOR-INFIX" and opened:
            opened[-1].append(at)
    return f"={''.join(said)}"
