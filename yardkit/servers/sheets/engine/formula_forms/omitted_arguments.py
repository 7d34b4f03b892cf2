"""Arguments that are left out between commas, as in SORT(A1:A9,,-1).

The calculation engine takes them for 0. Where Excel takes something else for them, they are written as that, and those
at the end are left out. Where it is not known here what Excel takes, the formula has no value: a function must stand in
one of the tables to be computed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from yardkit.servers.sheets.engine.notation.formulas import PREFIX, as_formula, tokens_of
from yardkit.world import Problem

_LEFT_OUT = ""
_DEFAULTS: dict[str, dict[int, str]] = {
    "ADDRESS": {2: "1", 3: "TRUE", 4: _LEFT_OUT},
    "DROP": {1: "0", 2: "0"},
    "EXPAND": {1: "ROWS({0})", 2: "COLUMNS({0})", 3: _LEFT_OUT},
    "FIXED": {1: "2", 2: _LEFT_OUT},
    "OFFSET": {1: "0", 2: "0", 3: "ROWS({0})", 4: "COLUMNS({0})"},
    "SEQUENCE": {0: "1", 1: "1", 2: "1", 3: "1"},
    "SORT": {1: "1", 2: "1", 3: _LEFT_OUT},
    "SORTBY": dict.fromkeys(range(2, 253, 2), "1"),
    "TAKE": {1: "ROWS({0})", 2: "COLUMNS({0})"},
    "UNIQUE": {1: _LEFT_OUT, 2: _LEFT_OUT},
    "XLOOKUP": {3: _LEFT_OUT, 4: _LEFT_OUT, 5: _LEFT_OUT},
    **{name: {2: _LEFT_OUT} for name in ["AVERAGEIF", "NETWORKDAYS", "SUMIF", "WORKDAY", "WRAPCOLS", "WRAPROWS"]},
    **{name: {1: "1", 2: _LEFT_OUT} for name in ["CEILING.MATH", "FLOOR.MATH"]},
    **{name: {2: "1", 3: "0", 4: "0", 5: _LEFT_OUT} for name in ["TEXTAFTER", "TEXTBEFORE"]},
}
"""What is written for an argument, by its place; some are left out, where none follows."""
_ALL = range(255)
_NOTHING_NAMES = {
    "AND AVERAGE CHOOSE CONCAT CONCATENATE COUNT COUNTA IF IFERROR IFNA IFS MAX MEDIAN MIN OR PRODUCT SUM": _ALL,
    "DATE FV IPMT NPER PMT PPMT PV RATE ROUND ROUNDDOWN ROUNDUP SWITCH TEXTJOIN TIME TRUNC XOR": _ALL,
    "CEILING FLOOR IRR LEFT LOG MOD POWER REPT RIGHT TEXT": (1,),
    "AGGREGATE INDEX NORM.S.DIST TOCOL TOROW UNIQUE": (1, 2),
    "DAYS360 FILTER FIXED MATCH MID NETWORKDAYS.INTL RANK RANK.EQ": (2, 3),
    "SORT SUBSTITUTE WORKDAY.INTL XMATCH YEARFRAC": (2, 3),
    "HLOOKUP REPLACE VLOOKUP": (3,),
    "NORM.DIST": (0, 1),
    "TEXTSPLIT": range(1, 6),
    "XLOOKUP": (3, 4),
}
_AS_NOTHING: dict[str, Sequence[int]] = {
    name: places for names, places in _NOTHING_NAMES.items() for name in names.split()
}
"""Places at which Excel, too, takes 0, FALSE or an empty text for what is left out."""
_OMITTED = re.compile(r"[(,]\s*,|,\s*\)")


def omits_arguments(formula: str) -> bool:
    """Whether an argument is left out before a comma or a closing bracket."""
    return _OMITTED.search(formula) is not None


def with_defaults(name: str, arguments: Sequence[str]) -> list[str]:
    """The arguments of a function with what stands for those that are left out."""
    given = list(arguments)
    if name == "AND" and len(given) > 1:
        return [argument if argument.strip() else "FALSE" for argument in given]
    if name == "TEXT" and len(given) > 1 and not given[1].strip():
        return [given[0], '""']
    defaults = _DEFAULTS.get(name, {})
    filled = [
        argument if argument.strip() or at not in defaults else defaults[at].format(given[0])
        for at, argument in enumerate(given)
    ]
    while len(filled) - 1 in defaults and not filled[-1].strip():
        filled.pop()
    return filled


def find_unknown(formula: str) -> str:
    """The first function for whose omitted argument it is not known what Excel takes; empty if there is none."""
    if not omits_arguments(formula):
        return ""
    try:
        tokens = tokens_of(as_formula(formula))
    except Problem:
        return ""  # the engine says what is wrong with it
    calls: list[tuple[str, list[bool]]] = [("", [False])]  # the open brackets, and which of their arguments are given
    for token in tokens:
        if token.subtype == "CLOSE":
            name, given = calls.pop()
            if len(given) > 1 and not all(full or _is_known(name, at, given) for at, full in enumerate(given)):
                return name
        elif token.type == "SEP":
            calls[-1][1].append(False)
        elif token.type != "WHITE-SPACE":
            calls[-1][1][-1] = True
            if token.subtype == "OPEN":
                calls.append((PREFIX.sub("", token.value).rstrip("(").upper(), [False]))
    return ""


def _is_known(name: str, at: int, given: Sequence[bool]) -> bool:
    default = _DEFAULTS.get(name, {}).get(at)
    return bool(default) or (default == _LEFT_OUT and not any(given[at:])) or at in _AS_NOTHING.get(name, ())
