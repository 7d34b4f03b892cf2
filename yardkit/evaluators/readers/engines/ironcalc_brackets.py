"""Keeping brackets in formulas for IronCalc, which loses some when it loads a file.

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
    """Wrap the brackets that may be lost in a call of IF, where they are kept; IF(TRUE,(x)) equals x.

    These are brackets around joined and compared values, before percent signs, and around products after a sign.
    """
    bare = re.sub(r'"[^"]*"', '""', formula[1:])
    if not formula.startswith("=") or not _AT_RISK.search(bare) or not _LOSING.search(bare):
        return formula
    tokens = [token for token in tokenize_formula(formula) if token.type != "WHITE-SPACE"]
    written = [token.value for token in tokens]
    written_signs = list(written)
    opened: list[tuple[int, set[str]]] = []  # the position of a bracket, and the operators directly inside it
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
    """Whether a unary sign, perhaps with further brackets, is before a bracket."""
    types = (token.type for token in reversed(before) if token.type != "PAREN")
    return next(types, "") == "OPERATOR-PREFIX"
