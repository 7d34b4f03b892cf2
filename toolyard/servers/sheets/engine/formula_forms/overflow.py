"""Numbers too large to be held: Excel makes #NUM! of them at once, the calculation engine when a cell shows them.

Up to there it computes on with infinity, so that ``1/EXP(1000)`` is 0 and ``IFERROR(EXP(1000),0)`` no 0. Its powers do
notice, with #DIV/0!: so what functions give is raised to 1, which changes nothing else, and where #DIV/0! comes of a
formula with powers it is computed anew in a form that tells a number that is too large from a division by 0. Sums and
products alone get there only with vast numbers; formulas that read such and may hide the infinity are not trusted.
"""

from __future__ import annotations

import re
from typing import Any

from toolyard.servers.sheets.engine.notation.formulas import STRING, as_formula, functions, tokens_of
from toolyard.servers.sheets.engine.notation.values import Scalar

VAST = 1e60
HIDDEN = "the engine does not implement numbers that become too large on the way"
UNTOLD = "the engine does not implement telling a power that is too large from a division by 0 here"
_UNSEEN_NAMES = (
    "ATANH COMBIN COMBINA COSH EXP FACT FACTDOUBLE GROWTH MDETERM NPV PERMUT PERMUTATIONA PRODUCT REDUCE SINH"
)
_UNSEEN_FUNCTIONS = frozenset(_UNSEEN_NAMES.split())
_MULTIPLYING = {"FACT": 171, "FACTDOUBLE": 301}
"""From here on they are too large; the engine would multiply on as often as it is told."""
_POWER_FUNCTIONS = frozenset({"POWER", "EFFECT"})
_ENDLESS = frozenset("+-*")
"""Of infinity these make nothing but infinity or no number, which a cell shows as #NUM!."""
_ARITHMETIC = _ENDLESS | frozenset("/^")
_PASSING = frozenset({"", "ABS", "AVERAGE", "LN", "LOG10", "PRODUCT", "ROUND", "SQRT", "SUM", "SUMPRODUCT"})
"""These make infinity of what is infinite; the first are brackets."""
_NUMBER = re.compile(r"(?<![\w.$])\d[\d.]*(?:E[+-]?\d+)?(?![\w.(!:])", re.IGNORECASE)
_VAST_TEXT = re.compile(rb"[eE][+-]?\d{2,}<|>-?\d{60}")
_CELL = re.compile(r"(?:(?:'(?:[^']|'')+'|[\w.]+)!)?\$?[A-Za-z]{1,3}\$?\d+")
# Each argument once, for powers may be within powers; SQRT(-1) is #NUM!.
_TOLD = "LET(told,{0},IFERROR(told^1,IF(ISERROR(told),told,SQRT(-1))))"
# What a LAMBDA made may also be a text or a truth value, which a power would make a number.
_OF_LAMBDA = "LET(told,{0},IF(ISNUMBER(told),IFERROR(told^1,SQRT(-1)),told))"
_POWER = "POWER(told,raised)"
_TOLD_POWER = f"LET(told,{{0}},raised,{{1}},IFERROR({_POWER},IF(told*raised=0,{_POWER},SQRT(-1))))"


def may_overflow(formula: str) -> bool:
    """Whether a formula has powers, or functions whose results grow as fast."""
    return "^" in STRING.sub('""', formula) or not (_UNSEEN_FUNCTIONS | _POWER_FUNCTIONS).isdisjoint(functions(formula))


def is_unseen(formula: str) -> bool:
    """Whether the engine may compute on with a number that a function of a formula made too large."""
    if _UNSEEN_FUNCTIONS.isdisjoint(functions(formula)):
        return False
    if not _MULTIPLYING.keys().isdisjoint(functions(formula)):
        return True
    depth = 0
    for token in tokens_of(as_formula(formula)):
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if token.type == "FUNC" and token.subtype == "OPEN" and (depth > 1 or _name(token) not in _UNSEEN_FUNCTIONS):
            return True
        if token.type == "OPERATOR-INFIX" and depth == 0 and token.value.strip() not in _ENDLESS:
            return True
    return False


def form_of(name: str, arguments: list[str], *, exact: bool) -> str:
    """The call of a function for the engine; empty where infinity is none of its results. `exact` tells the errors."""
    call = f"{name}({','.join(arguments)})"
    if name in _MULTIPLYING:
        call = f"LET(told,{arguments[0]},IF(told+0>{_MULTIPLYING[name]},SQRT(-1),{name}(told)))"
    if name == "REDUCE":
        return _OF_LAMBDA.format(call)
    if name in _UNSEEN_FUNCTIONS:
        return _TOLD.format(call) if exact else f"({call}^1)"
    return _TOLD_POWER.format(*arguments) if name == "POWER" and exact and len(arguments) == 2 else ""


def with_calls(formula: str) -> str:
    """The formula ``=...`` with POWER(A1,B1) in place of A1^B1."""
    while True:
        tokens = tokens_of(formula)
        said = [token.value for token in tokens]
        found = [at for at, token in enumerate(tokens) if token.type == "OPERATOR-INFIX" and token.value.strip() == "^"]
        if not found:
            return formula
        at = found[0]  # From left to right, as Excel does: what is left of it has none of its own.
        first, last = _start(tokens, at - 1), _end(tokens, at + 1)
        power = f"POWER({''.join(said[first:at])},{''.join(said[at + 1 : last])})"
        formula = "=" + "".join(said[:first]) + power + "".join(said[last:])


def _start(tokens: list[Any], at: int) -> int:
    """Where the operand begins that ends with a token; signs before it belong to it."""
    while tokens[at].type in ("WHITE-SPACE", "OPERATOR-POSTFIX"):
        at -= 1
    depth = 0
    while depth := depth + {"CLOSE": 1, "OPEN": -1}.get(tokens[at].subtype, 0):
        at -= 1
    while at and tokens[at - 1].type in ("WHITE-SPACE", "OPERATOR-PREFIX"):
        at -= 1
    return at


def _end(tokens: list[Any], at: int) -> int:
    """Behind the operand that begins with a token, signs before it included."""
    while tokens[at].type in ("WHITE-SPACE", "OPERATOR-PREFIX"):
        at += 1
    depth = 0
    while depth := depth + {"OPEN": 1, "CLOSE": -1}.get(tokens[at].subtype, 0):
        at += 1
    at += 1
    while at < len(tokens) and tokens[at].type == "OPERATOR-POSTFIX":
        at += 1
    return at


def is_vast(value: Scalar) -> bool:
    """Whether sums and products of a few such numbers, or what is divided by one, may be too large."""
    return isinstance(value, int | float) and value != 0 and not 1 / VAST < abs(value) < VAST


def may_be_vast(markup: bytes) -> bool:
    """Whether the markup of a sheet may hold vast numbers."""
    return _VAST_TEXT.search(markup) is not None


def has_vast(formula: str) -> bool:
    """Whether a vast number stands in a formula."""
    if "E" not in formula.upper() and len(formula) < len(str(int(VAST))):
        return False
    return any(is_vast(_value(found)) for found in _NUMBER.findall(STRING.sub('""', formula)))


def _value(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # as 1.2.3
        return 0.0


def hides(formula: str) -> bool:
    """Whether infinity on the way of a formula, through its sums and products, may be missing in what it gives."""
    opened: list[bool] = []
    arithmetic = compared = False
    tokens = [candidate for candidate in tokens_of(as_formula(formula)) if candidate.value.strip()]
    for before, token in zip([None, *tokens], tokens, strict=False):
        hiding = any(opened)
        divided = before is not None and before.type == "OPERATOR-INFIX" and before.value.strip() in ("/", "^")
        if token.subtype == "OPEN":
            if (divided or (hiding and token.type == "FUNC")) and _name(
                token
            ) not in _UNSEEN_FUNCTIONS:  # which are seen to
                return True
            opened.append(_name(token) not in _PASSING)
        elif token.subtype == "CLOSE" and opened:
            opened.pop()
        elif token.type == "OPERATOR-INFIX":
            computes = token.value.strip() in _ARITHMETIC
            if computes and (hiding or token.value.strip() == "^"):
                return True
            arithmetic, compared = arithmetic or computes, compared or not computes
        elif token.subtype == "RANGE" and not _CELL.fullmatch(token.value) and ":" not in token.value:
            return True  # a name, whatever it stands for
    return arithmetic and compared


def _name(token: Any) -> str:
    return str(token.value).rstrip("(").upper()
