"""Brackets for IronCalc, which loses some on its way from a file.

It computes ``(A1&B1)*2`` as ``A1&(B1*2)``, ``((A1+B1))%`` as ``A1+B1%``, ``A1/(-(B1*C1))`` as ``A1/-B1*C1``, and
``-((A1^B1)/C1)`` as ``(-A1)^B1/C1``.
"""

import re
from typing import Any

from yardkit.evaluators.readers.engines.formula_tokens import tokenize_formula

_JOINING_OR_COMPARING = frozenset({"&", "=", "<", ">", "<=", ">=", "<>"})
_AT_RISK = re.compile(r"\)\s*%|\)\s*[-+*/&]|[-+*/&<>=]\s*\(")
_LOSING = re.compile(r"[&=<>%]|(?:^|[-+*/^(,;])\s*[-+]\s*\(")
_PERCENT = re.compile(r"\)*%")


def keep_brackets(formula: str) -> str:
    """A formula whose brackets that may be lost stand in a call of IF; there they stay, and IF(TRUE,(x)) is x.

    These are brackets around joined and compared values, before percent signs, and around products behind a sign.
    """
    bare = re.sub(r'"[^"]*"', '""', formula[1:])
    if not formula.startswith("=") or not _AT_RISK.search(bare) or not _LOSING.search(bare):
        return formula
    tokens = [token for token in tokenize_formula(formula) if token.type != "WHITE-SPACE"]
    written = [token.value for token in tokens]
    written_signs = list(written)
    opened: list[tuple[int, set[str]]] = []  # Where a bracket stands, and the operators right inside.
    for at, token in enumerate(tokens):
        if token.subtype == "OPEN":
            opened.append((at, set()))
        elif token.subtype == "CLOSE":
            first, operators = opened.pop()
            risky = (
                operators & _JOINING_OR_COMPARING
                or _PERCENT.match("".join(written[at + 1 :]))
                or (operators & {"*", "/"} and _is_signed(tokens[:first]))
            )
            if token.type == "PAREN" and operators and risky:
                written_signs[first], written_signs[at] = "IF(TRUE,(", "))"
        elif token.type == "OPERATOR-INFIX" and opened:
            opened[-1][1].add(token.value)
    return f"={''.join(written_signs)}"


def _is_signed(before: list[Any]) -> bool:
    """Whether a sign that belongs to one value, and perhaps brackets, stand before a bracket."""
    types = (token.type for token in reversed(before) if token.type != "PAREN")
    return next(types, "") == "OPERATOR-PREFIX"
