"""Criteria such as ``<>Paid`` in the form in which the calculation engine gives what Excel gives.

In Excel all cells are unequal to a text but those that hold it; the engine takes texts alone. Those that hold no text
at all (numbers, truth values, errors, nothing) are what it finds for ``<>*``; so both are added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

_NO_TEXT = '"<>*"'
_NUMBERS = '">=-1E+307"'
_FIRST = {"AVERAGEIF": 1, "COUNTIF": 1, "SUMIF": 1, "AVERAGEIFS": 2, "COUNTIFS": 1, "SUMIFS": 2}
"""Where criteria begin; those of the plural forms stand at each second place from there on."""
NOT_ADDED = frozenset({"MAXIFS", "MINIFS"})
_UNEQUAL_CRITERION = re.compile(r'\s*"<>([^"]*)"\s*(&?)')
_UNEQUAL = re.compile(r'"<>[^"]')
_UNEQUAL_TO_WHAT = re.compile(r'"<>"\s*&')
_NUMBER = re.compile(r"\s*[-+]?(?:\d[\d.,:/ -]*%?|\.\d+)(?:E[-+]?\d+)?\s*|TRUE|FALSE|#[A-Z/0!?]+", re.IGNORECASE)
# What a computed criterion is unequal to, is text.
_IS_TEXT = (
    'AND(LEFT({0},2)="<>",LEN({0})>2,ISERROR(VALUE(MID({0},3,999))),ISERROR(FIND("*",{0})),ISERROR(FIND("?",{0})),'
    'MID({0},3,1)<>"#",UPPER(MID({0},3,9))<>"TRUE",UPPER(MID({0},3,9))<>"FALSE")'
)


def may_be_unequal(formula: str) -> bool:
    """Whether there may be a criterion that is unequal to a text."""
    return _UNEQUAL.search(formula) is not None or _UNEQUAL_TO_WHAT.search(formula) is not None


def form_of(name: str, arguments: Sequence[str]) -> str:
    """The call for the engine; empty for another function, and where no criterion is unequal to a text."""
    if name not in _FIRST or len(arguments) < 2:
        return ""
    places = list(_list_criteria_indices(name, arguments))
    unequal = {at: condition for at in places if (condition := _analyze_criterion(arguments[at])) is not None}
    if not unequal:
        return ""
    if not name.startswith("AVERAGE"):
        return f"({_add_choices(name, arguments, unequal)})"
    if name == "AVERAGEIF":
        values = arguments[2] if len(arguments) > 2 and arguments[2].strip() else arguments[0]
        pairs = [values, arguments[0], arguments[1]]
        return form_of("AVERAGEIFS", pairs)
    total = _add_choices("SUMIFS", arguments, unequal)
    counted = [*arguments[1:], arguments[0], _NUMBERS]
    count = _add_choices("COUNTIFS", counted, {at - 1: condition for at, condition in unequal.items()})
    return f"(({total})/({count}))"


def _list_criteria_indices(name: str, arguments: Sequence[str]) -> Iterator[int]:
    if name.endswith("IFS"):
        yield from range(_FIRST[name], len(arguments), 2)
    else:
        yield 1


def _analyze_criterion(criterion: str) -> str | None:
    """Whether a criterion is unequal to a text: "" for yes, what tells it where it is computed, None for no."""
    comparison_match = _UNEQUAL_CRITERION.match(criterion)
    if comparison_match is None:
        return None
    rest = criterion[comparison_match.end() :].strip()
    if comparison_match[2] or rest:
        return _IS_TEXT.format(criterion.strip())
    text = comparison_match[1]
    return None if not text or _NUMBER.fullmatch(text) or "*" in text or "?" in text else ""


def _add_choices(name: str, arguments: Sequence[str], unequal: dict[int, str]) -> str:
    """The call as it stands, and with each choice of the criteria for cells that hold no text."""
    terms = [f"{name}({','.join(arguments)})"]
    for count in range(1, len(unequal) + 1):
        for chosen in combinations(unequal, count):
            given = [_NO_TEXT if at in chosen else argument for at, argument in enumerate(arguments)]
            call = f"{name}({','.join(given)})"
            conditions = [unequal[at] for at in chosen if unequal[at]]
            terms.append(f"IF(AND({','.join(conditions)}),{call},0)" if conditions else call)
    return "+".join(terms)
