"""Formulas for which IronCalc is known to give wrong values without an error."""

import re
from functools import lru_cache
from typing import Any

from yardkit.evaluators.readers.engines.formula_tokens import MAX_FORMULA, tokenize_formula

_SCALAR_FUNCTION_OVER_RANGE = re.compile(
    r"\b(?:DAY|IS[A-Z]+|LEFT|LEN|MID|MOD|MONTH|RIGHT|ROUND|TEXT|VALUE|WEEKDAY|YEAR)\([^()]*[:\[]", re.I
)
_FUNCTION = re.compile(r"(?:_xlfn\.)?(?:_xlws\.)?([A-Z][A-Z0-9.]*)\(", re.I)
_TEXT = re.compile(r'"[^"]*"')


_RIGHT_IN_SUMPRODUCT = frozenset({"SUMPRODUCT", "DATE", "EDATE", "EOMONTH"})
_EXACTNESS_ARGUMENT = {"HLOOKUP": 3, "LOOKUP": 3, "MATCH": 2, "VLOOKUP": 3}
"""Lookups, and which argument says that they are exact."""


_EXACTNESS_VALUES = frozenset({"", "0", "FALSE"})


_FUNCTIONS_COUNTING_FALSE = frozenset({"AVERAGE", "MEDIAN"})
_CRITERIA_FUNCTION = re.compile(r"(?:COUNT|SUM|AVERAGE|MAX|MIN)IFS?\(", re.I)
_UNEQUAL_CRITERION = re.compile(r""""<>(?:"\s*&|[^"\d*?#][^"*?]*")""")
"""Criteria that are unequal to a text: for IronCalc only other texts are, and not numbers and empty cells."""
_MISREAD_FUNCTIONS = frozenset({"DATEVALUE", "HOUR", "TEXT", "TEXTJOIN", "TIMEVALUE", "VALUE"})
"""IronCalc shows -1 as 1 and 14:30 as 14:29, has 7 o'clock at 6, takes empty texts for texts, and reads few dates."""


_TOO_EXACT = re.compile(r"(?<!\d)(?=[\d.]{17})\d+\.\d+")
"""A number of more than 15 figures within a text: IronCalc joins 0.1+0.2 to a text as 0.30000000000000004."""


_FAILED_VALUES = frozenset({None, "#VALUE!", "#NAME?", "#N/IMPL!", "#ERROR!"})


def is_doubted(written: Any, value: Any) -> bool:
    """Whether IronCalc's value of a formula may be wrong."""
    if isinstance(value, str) and _TOO_EXACT.search(value):
        return True
    return is_unsafe(written) or (not isinstance(value, float | int) and value in _FAILED_VALUES)


def is_unsafe(written: Any) -> bool:
    """Whether IronCalc is known to fail without an error on such formulas: most functions over arrays."""
    over_array = not isinstance(written, str)
    return _is_unsafe_text(str(written.text) if over_array else written, over_array)


@lru_cache(maxsize=4096)  # copies of a workbook, and trials with other contents, have the same formulas
def _is_unsafe_text(text: str, over_array: bool) -> bool:
    criteria = _CRITERIA_FUNCTION.search(text)
    if len(text) > MAX_FORMULA or (criteria and _UNEQUAL_CRITERION.search(text, criteria.end())):
        return True
    if not _MISREAD_FUNCTIONS.isdisjoint(find_functions(text)):
        return True
    if over_array:
        called = find_functions(text)
        return "IF" in called and not called.isdisjoint(_FUNCTIONS_COUNTING_FALSE)
    text_without_literals = _TEXT.sub('""', text)
    called = find_functions(text_without_literals)
    product = "SUMPRODUCT" in called and not called <= _RIGHT_IN_SUMPRODUCT
    if not called.isdisjoint(_EXACTNESS_ARGUMENT) and _is_approximate(text_without_literals):
        return True
    return (
        product or "{" in text_without_literals or _SCALAR_FUNCTION_OVER_RANGE.search(text_without_literals) is not None
    )


def _is_approximate(formula: str) -> bool:
    """Whether a formula has an approximate lookup, which IronCalc only gets right if no cell is empty."""
    calls: list[tuple[str, list[str]]] = [("", [""])]
    for token in tokenize_formula(formula):
        if token.subtype == "OPEN":
            calls.append((token.value.rstrip("(").upper(), [""]))
        elif token.subtype == "CLOSE":
            name, arguments = calls.pop()
            place = _EXACTNESS_ARGUMENT.get(name, -1)
            if place >= 0 and "".join(arguments[place : place + 1] or ["1"]).strip().upper() not in _EXACTNESS_VALUES:
                return True
        elif token.type == "SEP":
            calls[-1][1].append("")
        else:
            calls[-1][1][-1] += token.value
    return False


def find_functions(text: str) -> set[str]:
    """Find the names of the functions that a formula calls, in upper case."""
    return {name.upper() for name in _FUNCTION.findall(_TEXT.sub('""', text))}
