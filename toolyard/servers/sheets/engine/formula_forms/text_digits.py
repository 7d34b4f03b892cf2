"""Numbers in texts: Excel writes them in 15 digits, the calculation engine in up to 17, and a nought may have a sign.

So what ``LEN``, ``RIGHT``, ``SUBSTITUTE`` and the like are given, and what is joined, is rounded to 15 digits where it
is computed there; what is in cells, where one of them holds a number with more digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import copysign
from typing import Any, TypeGuard

from toolyard.servers.sheets.engine.formula_forms.joined_digits import JOINING, LARGE, SMALL
from toolyard.servers.sheets.engine.formula_forms.limits import NO_VALUE
from toolyard.servers.sheets.engine.formula_forms.texts_as_numbers import GIVING, TEXTUAL
from toolyard.servers.sheets.engine.notation.array_formulas import array_work
from toolyard.servers.sheets.engine.notation.formulas import COMPARING, PREFIX, STRING, as_formula, functions, tokens_of
from toolyard.servers.sheets.engine.notation.values import Scalar

UNTOLD = "the engine does not implement texts of numbers of more than 15 digits here"
_DIGITS, _FEW = 15, 10
_SMALLEST, _LARGEST = 0.0001, 1e21
# Small numbers with many digits have an exponent, which the engine does not write.
_ROUNDED = (
    f"LET(told,{{0}},IF(ISNUMBER(told),IF(ABS(told)<{_SMALLEST},IF(ROUND(told,15)=told,told+0,{NO_VALUE}),"
    "ROUND(told,14-INT(LOG10(ABS(told))))+0),told))"
).split("{0}")
# Functions that read texts, by the places of the arguments that are.
_FUNCTIONS_BY_PLACES = {
    range(1): "CLEAN LEFT LEN LOWER MID PROPER REPT RIGHT TEXTAFTER TEXTBEFORE TRIM UPPER",
    range(2): "EXACT FIND SEARCH",
    range(3): "SUBSTITUTE",
    (0, 3): "REPLACE",
    range(255): "CONCAT CONCATENATE",
    range(2, 255): "TEXTJOIN",
}
_TEXT_ARGUMENTS = {name: frozenset(places) for places, names in _FUNCTIONS_BY_PLACES.items() for name in names.split()}
# What these give is a truth value, or a number of few digits.
_SHORT_NAMES = (
    "AND CODE COLUMN COLUMNS COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DATE DAY EDATE EOMONTH EXACT FALSE FIND HOUR INT "
    "LEN MATCH MINUTE MONTH NETWORKDAYS NOT OR ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SECOND SHEET TODAY TRUE TRUNC "
    "TYPE UNICODE WEEKDAY WEEKNUM XMATCH XOR YEAR"
)
_SHORT_TEXTS = frozenset(["ADDRESS", "CHAR", "DOLLAR", "FORMULATEXT", "HYPERLINK", "TEXTSPLIT", "UNICHAR"])
_SHORT = frozenset(_SHORT_NAMES.split()) | TEXTUAL | _SHORT_TEXTS
_JOINED_RANGE = re.compile(r":[^(),]*&|&[^(),]*:")
_WHOLE = frozenset("+-*")
"""Of whole numbers these make whole ones."""


@dataclass
class _Argument:
    """What is read of an argument of `name`, or in brackets: where its present operand begins, and what joins it."""

    name: str
    place: int
    start: int
    joined: bool = False
    compared: bool = False


def writes_numbers(formula: str) -> bool:
    """Whether numbers may come into texts in a formula."""
    return "&" in STRING.sub('""', formula) or not _TEXT_ARGUMENTS.keys().isdisjoint(functions(formula))


def computes_texts(formula: str) -> bool:
    """Whether numbers that come into texts are computed in a formula."""
    return writes_numbers(formula) and with_rounded_texts(as_formula(formula), cells=False) != as_formula(formula)


def with_rounded_texts(formula: str, *, cells: bool) -> str:
    """The formula ``=...`` with numbers in texts rounded to 15 digits: computed ones, with `cells` also those there."""
    if not writes_numbers(formula) or _is_of_arrays(formula[1:]):
        return formula
    tokens = tokens_of(formula)
    said = [token.value for token in tokens]
    for first, last in sorted(_operands(tokens), key=lambda operand: operand[1] - operand[0]):  # from within
        if _may_be_long(tokens[first:last], cells=cells) and not _fills("".join(said[first:last])):
            said[first] = _ROUNDED[0] + said[first]
            said[last - 1] += _ROUNDED[1]
    return "=" + "".join(said)


def _is_of_arrays(formula: str) -> bool:
    """Whether texts are made for each cell of a range."""
    work = array_work(formula, {})
    if work is None:
        return False
    return (
        work.fills or not _TEXT_ARGUMENTS.keys().isdisjoint(work.functions) or _JOINED_RANGE.search(formula) is not None
    )


def _fills(operand: str) -> bool:
    work = array_work(operand, {})
    return work is not None and work.fills


def _operands(tokens: list[Any]) -> Iterator[tuple[int, int]]:
    """What comes into texts, from a token to before another."""
    opened = [_Argument("", 0, 0)]
    for at, token in enumerate(tokens):
        if token.subtype == "OPEN":
            opened.append(_Argument(token.value.rstrip("(").upper(), 0, at + 1))
        elif token.subtype == "CLOSE":
            yield from _ended(opened.pop(), at)
        elif token.type == "SEP":
            yield from _ended(opened[-1], at)
            opened[-1] = _Argument(opened[-1].name, opened[-1].place + 1, at + 1)
        elif token.type == "OPERATOR-INFIX" and token.value.strip() in COMPARING | {"&"}:
            now, joins = opened[-1], token.value.strip() == "&"
            if now.start < at and (now.joined or joins):
                yield now.start, at
            opened[-1] = _Argument(now.name, now.place, at + 1, joined=joins, compared=now.compared or not joins)
    yield from _ended(opened[0], len(tokens))


def _ended(argument: _Argument, at: int) -> Iterator[tuple[int, int]]:
    read = not argument.compared and argument.place in _TEXT_ARGUMENTS.get(argument.name, ())
    if argument.start < at and (argument.joined or read):
        yield argument.start, at


def _may_be_long(tokens: list[Any], *, cells: bool) -> bool:
    """Whether an operand may be a number of more than 15 digits; with `cells` one that is in a cell."""
    skipped = 0  # how many brackets are open within a function whose result is none
    for token in tokens:
        name = token.value.rstrip("(").upper() if token.type == "FUNC" and token.subtype == "OPEN" else ""
        if skipped or name in _SHORT:
            skipped += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        elif (name and name not in GIVING) or _computes(token) or (cells and _is_cell(token)):
            return True
    return False


def _computes(token: Any) -> bool:
    return token.type.startswith("OPERATOR") and token.value.strip() not in COMPARING | {"&"}


def _is_cell(token: Any) -> bool:
    return token.subtype == "RANGE" and ":" not in token.value


def doubt(formula: str, read: Iterable[Scalar]) -> str:
    """Why texts in which numbers of its cells stand are not to be trusted in a formula; empty without a reason."""
    read = list(read)
    long = [value for value in read if is_long(value)]
    if not long:
        return UNTOLD if _makes_long(PREFIX.sub("", formula), read) else ""
    if _is_of_arrays(PREFIX.sub("", formula)):
        return UNTOLD
    if ":" in formula and any(map(_is_signed_nought, long)):
        return UNTOLD
    if (_TEXT_ARGUMENTS.keys() - JOINING).isdisjoint(functions(formula)):
        return ""  # What is joined is seen in the text.
    if any(abs(value) >= _LARGEST for value in long):
        return LARGE
    return SMALL if any(0 < abs(value) < _SMALLEST for value in long) else ""


def _makes_long(formula: str, read: Iterable[Scalar]) -> bool:
    """Whether numbers of more than 15 digits may be computed for each cell of a range, and then read as texts."""
    if (_TEXT_ARGUMENTS.keys() - JOINING).isdisjoint(functions(formula)) or not _is_of_arrays(formula):
        return False
    tokens = tokens_of(as_formula(formula))
    whole = all(not isinstance(value, float) or value.is_integer() for value in read) and "." not in formula
    computing = [
        token.value.strip()
        for first, last in _operands(tokens)
        if _may_be_long(tokens[first:last], cells=False)
        for token in tokens[first:last]
        if _computes(token)
    ]
    return bool(computing) and not (whole and _WHOLE.issuperset(computing))


def is_long(value: Scalar) -> TypeGuard[float]:
    """Whether the engine writes a number otherwise than Excel: with more digits, an exponent or a sign."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if abs(value) >= _LARGEST or _is_signed_nought(value):
        return True
    return float(f"{value:.{_DIGITS if abs(value) >= _SMALLEST else _FEW}g}") != value


def _is_signed_nought(value: float) -> bool:
    return value == 0 and copysign(1, value) < 0
