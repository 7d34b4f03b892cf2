"""Parts of a date that is an empty cell, which counts as 0: in Excel the year 1900, January, day 0, a Saturday.

The calculation engine takes such a date for an error. It is handed these functions in a form that gives what Excel
gives; files keep the formula as it was written.
"""

from __future__ import annotations

import re

from toolyard.servers.sheets.engine.formulas import tokens_of
from toolyard.world import Problem

_PARTS = {
    "YEAR": "YEAR(({0})+10*(({0})<1))",
    "MONTH": "MONTH(({0})+10*(({0})<1))",
    "DAY": "(DAY(({0})+10*(({0})<1))*(({0})>=1))",
    "WEEKDAY": "WEEKDAY(({0})+7*(({0})<1){1})",
}
_CALLS = re.compile(r"\b(?:YEAR|MONTH|DAY|WEEKDAY)\(", re.IGNORECASE)
_NEVER_EMPTY = re.compile(r"\s*(?:\d|(?:TODAY|NOW|DATE|EDATE|EOMONTH)\()", re.IGNORECASE)


def takes_parts(formula: str) -> bool:
    """Whether a formula asks for a part of a date."""
    return _CALLS.search(formula) is not None


def with_empty_dates(formula: str) -> str:
    """The formula ``=...`` as the engine is to compute it."""
    if not takes_parts(formula) or "{" in formula:  # an array constant is no empty cell
        return formula
    try:
        tokens = tokens_of(formula)
    except Problem:
        return formula  # the engine says what is wrong with it
    open_calls: list[tuple[str, list[str]]] = [("", [""])]
    for token in tokens:
        if token.type == "FUNC" and token.subtype == "OPEN":
            open_calls.append((token.value, [""]))
        elif token.type == "FUNC" and token.subtype == "CLOSE":
            opening, arguments = open_calls.pop()
            open_calls[-1][1][-1] += _call(opening, arguments)
        elif token.type == "SEP" and len(open_calls) > 1 and token.subtype == "ARG":
            open_calls[-1][1].append("")
        else:
            open_calls[-1][1][-1] += token.value
    return "=" + ",".join(open_calls[0][1])


def _call(opening: str, arguments: list[str]) -> str:
    form = _PARTS.get(opening.rstrip("(").upper())
    if form is None or not arguments[0].strip() or _NEVER_EMPTY.match(arguments[0]):
        return f"{opening}{','.join(arguments)})"
    return form.format(arguments[0], "".join(f",{each}" for each in arguments[1:]))
