"""Arguments that are left out between commas, as in SORT(A1:A9,,-1), where the calculation engine takes them for 0.

They are written as what Excel takes for them, and those at the end are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_DEFAULTS: dict[str, dict[int, str]] = {
    "ADDRESS": {2: "1", 3: "TRUE"},
    "CEILING.MATH": {1: "1"},
    "DROP": {1: "0"},
    "EXPAND": {1: "ROWS({0})"},
    "FIXED": {1: "2"},
    "FLOOR.MATH": {1: "1"},
    "OFFSET": {1: "0", 2: "0", 3: "ROWS({0})", 4: "COLUMNS({0})"},
    "RANDARRAY": {0: "1", 1: "1"},
    "SEQUENCE": {0: "1", 1: "1", 2: "1"},
    "SORT": {1: "1", 2: "1"},
    "SORTBY": dict.fromkeys(range(2, 253, 2), "1"),
    "TAKE": {1: "ROWS({0})"},
    "TEXTAFTER": {2: "1", 3: "0", 4: "0"},
    "TEXTBEFORE": {2: "1", 3: "0", 4: "0"},
    **{
        name: {}
        for name in ("AVERAGEIF", "NETWORKDAYS", "SUMIF", "UNIQUE", "WORKDAY", "WRAPCOLS", "WRAPROWS", "XLOOKUP")
    },
}
_OMITTED = re.compile(r"[(,]\s*,|,\s*\)")


def omits_arguments(formula: str) -> bool:
    """Whether an argument is left out before a comma or a closing bracket."""
    return _OMITTED.search(formula) is not None


def with_defaults(name: str, arguments: Sequence[str]) -> list[str]:
    """The arguments of a function with what stands for those that are left out."""
    given = list(arguments)
    if name == "AND" and len(given) > 1:
        return [argument if argument.strip() else "FALSE" for argument in given]
    if name not in _DEFAULTS:
        return given
    while len(given) > 1 and not given[-1].strip():
        given.pop()
    defaults = _DEFAULTS[name]
    return [
        argument if argument.strip() or at not in defaults else defaults[at].format(given[0])
        for at, argument in enumerate(given)
    ]
