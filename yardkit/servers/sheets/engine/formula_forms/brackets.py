"""Brackets that the calculation engine loses when it writes a formula down and reads it again, as it does with files.

``(A1&B1)*2`` becomes ``A1&B1*2`` there, and so do ``A1&(B1>C1)``, ``A1=(B1=C1)`` and ``(A1+B1)%``; ``A1/(-(B1*C1))``
becomes ``A1/-B1*C1``, and ``-((A1^B1)/C1)`` becomes ``-A1^B1/C1``. Within a function they stay.
"""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.sheets.engine.notation.formulas import COMPARING, STRING, tokens_of
from yardkit.world import Problem

_ARITHMETIC = frozenset("+-*/")
_PRODUCT = frozenset("*/")
_BESIDE = re.compile(r"[-+*/&=<>]\s*\(|\)\s*[-+*/&=<>%]")
_LOST = re.compile(r"[&=<>]|\)\s*%|(?:^|[-+*/^(,;])\s*[-+]\s*\(")


def may_lose_brackets(formula: str) -> bool:
    """Whether the engine may lose brackets of a formula."""
    bare = STRING.sub('""', formula[1:] if formula.startswith("=") else formula)
    return _BESIDE.search(bare) is not None and _LOST.search(bare) is not None


def group_brackets(formula: str) -> str:
    """The formula ``=...`` with brackets that stay."""
    if not may_lose_brackets(formula):
        return formula
    try:
        tokens = tokens_of(formula)
    except Problem:
        return formula  # the engine says what is wrong with it
    token_values = [token.value for token in tokens]
    opened: list[tuple[int, set[str]]] = [(-1, set())]
    for at, token in enumerate(tokens):
        if token.subtype == "OPEN":
            opened.append((at, set()))
        elif token.subtype == "CLOSE" and len(opened) > 1:
            first, operators = opened.pop()
            lost = _is_lost(operators, _find_operator(tokens, first, -1), _find_operator(tokens, at, 1))
            if token.type == "PAREN" and (lost or (operators & _PRODUCT and _is_signed(tokens, first))):
                token_values[first] = "IF(TRUE,("
                token_values[at] = "))"
        elif token.type == "OPERATOR-INFIX":
            opened[-1][1].add(token.value.strip())
    return "=" + "".join(token_values)


def _is_lost(operators: set[str], before: str, after: str) -> bool:
    """Whether brackets around these operators are lost between two signs."""
    if after == "%":
        return bool(operators)
    if operators & COMPARING:
        return "&" in (before, after) or before in COMPARING
    return "&" in operators and not _ARITHMETIC.isdisjoint((before, after))


def _is_signed(tokens: list[Any], at: int) -> bool:
    """Whether a sign that belongs to one value stands before a bracket, over other brackets that add nothing."""
    types = (token.type for token in tokens[at::-1] if token.type not in ("WHITE-SPACE", "PAREN"))
    return next(types, "") == "OPERATOR-PREFIX"


def _find_operator(tokens: list[Any], at: int, step: int) -> str:
    """The operator beside a bracket, over other brackets that add nothing."""
    at += step
    while 0 <= at < len(tokens) and tokens[at].type in ("WHITE-SPACE", "PAREN"):
        if tokens[at].type == "PAREN" and tokens[at].subtype != ("OPEN" if step < 0 else "CLOSE"):
            return ""
        at += step
    return str(tokens[at].value).strip() if 0 <= at < len(tokens) and tokens[at].type.startswith("OPERATOR") else ""
