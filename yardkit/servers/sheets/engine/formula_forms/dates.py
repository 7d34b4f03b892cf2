"""Days in the form in which the calculation engine gives what Excel gives.

- A date that is an empty cell counts as 0: in Excel the year 1900, January, day 0, a Saturday; for the engine an error.
- Days before March 1900 lie one day earlier for the engine; and 7 o'clock is at times a moment before.
- In a workbook of the 1904 date system all days are counted from 1904, which the engine does not know: dates that a
  function takes are brought to its days, and dates that one gives are brought back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

DAYS_TO_1904 = 1462
_EMPTY, _SECOND_EMPTY = "((({0})<1)*(({0})>=0))", "((({1})<1)*(({1})>=0))"  # 1 for an empty cell, and its times
_EARLY = "((({0})<60)*(({0})>=0))"
_LEAP_DAY = "((({0})>=60)*(({0})<61))"  # 29 February 1900, for the engine the 28th
_MONTHS_ON = "IF(({1})<0,EOMONTH(-1,0),EOMONTH(10,{1})-(({1})<1))"
_DAY_BEFORE = "IF(({1})<1,IF(({1})<0,EOMONTH(-1,0)),EOMONTH(10,({1})-1)-(({1})<2))+0"
_FORMS = {
    "YEAR": f"YEAR(({{0}})+10*{_EARLY})",
    "MONTH": f"MONTH(({{0}})+{_EARLY}+{_EMPTY})",
    "DAY": f"(DAY(({{0}})+{_EARLY})*(({{0}})>=1)+{_LEAP_DAY})",
    "WEEKDAY": f"WEEKDAY(({{0}})+7*{_EMPTY}{{2}})",
    "HOUR": "HOUR(({0})+5E-9)",
    "YEARFRAC": "YEARFRAC(MIN(({0})+0,({1})+0),MAX(({0})+0,({1})+0){2})",
    "EOMONTH": f"IF({_EMPTY},{_MONTHS_ON},EOMONTH({{0}},{{1}}))",
    "EDATE": f"IF({_EMPTY},{_DAY_BEFORE},EDATE({{0}},{{1}}))",
    "NETWORKDAYS": f"(NETWORKDAYS(({{0}})+7*{_EMPTY},({{1}})+7*{_SECOND_EMPTY}{{2}})+5*({_EMPTY}-{_SECOND_EMPTY}))",
    "WORKDAY": f"IF({_EMPTY}*(({{1}})<0),EOMONTH(-1,0),WORKDAY(({{0}})+7*{_EMPTY},{{1}}{{2}})-7*{_EMPTY})",
    "DATEDIF": f"(DATEDIF(({{0}})+2*{_EMPTY},({{1}})+2*{_SECOND_EMPTY}{{2}})+{{3}}*({_EMPTY}-{_SECOND_EMPTY}))",
}
_DAYS_OF_UNIT = {'"y"': "0", '"m"': "0", '"ym"': "0", '"d"': "2"}
_SECOND_NEEDED = frozenset({"DATEDIF", "EDATE", "EOMONTH", "NETWORKDAYS", "WORKDAY", "YEARFRAC"})
_TWO_DATES = frozenset({"DATEDIF", "NETWORKDAYS"})
_NEVER_EMPTY = re.compile(r"\s*(?:[1-9]\d\d|(?:TODAY|NOW|DATE|EDATE|EOMONTH)\()", re.IGNORECASE)
_EVEN_THEN = frozenset({"HOUR", "YEARFRAC"})
_TAKING = {
    **dict.fromkeys(("YEAR", "MONTH", "DAY", "WEEKDAY", "WEEKNUM", "ISOWEEKNUM", "EDATE", "EOMONTH"), (0,)),
    **dict.fromkeys(("DATEDIF", "DAYS360", "YEARFRAC"), (0, 1)),
    **dict.fromkeys(("NETWORKDAYS", "NETWORKDAYS.INTL"), (0, 1)),
    **dict.fromkeys(("WORKDAY", "WORKDAY.INTL"), (0,)),
}
"""The arguments that are dates."""
_GIVING = frozenset({"DATE", "DATEVALUE", "EDATE", "EOMONTH", "WORKDAY", "WORKDAY.INTL"})
_HOLIDAYS = {"NETWORKDAYS": 2, "WORKDAY": 2, "NETWORKDAYS.INTL": 3, "WORKDAY.INTL": 3}
DATED = frozenset({*_FORMS, *_TAKING, *_GIVING})
"""Functions with dates among their arguments or as their value."""


def form_of(name: str, arguments: Sequence[str], *, date1904: bool) -> str:
    """The call of a function for the engine; empty where it is right as it stands."""
    if date1904:
        return _in_1904(name, arguments)
    if name not in _FORMS or not arguments[0].strip():
        return ""
    dates = arguments[:2] if name in _TWO_DATES else arguments[:1]
    if name not in _EVEN_THEN and all(map(_NEVER_EMPTY.match, dates)):
        return ""
    if name not in _SECOND_NEEDED:
        return _FORMS[name].format(arguments[0], "", "".join(f",{argument}" for argument in arguments[1:]))
    if len(arguments) < 2 or not arguments[1].strip():
        return ""
    unit = arguments[-1].strip().lower()
    if name == "DATEDIF" and unit not in _DAYS_OF_UNIT:
        return ""
    rest = "".join(f",{argument}" for argument in arguments[2:])
    return _FORMS[name].format(*arguments[:2], rest, _DAYS_OF_UNIT.get(unit))


def _in_1904(name: str, arguments: Sequence[str]) -> str:
    if name not in DATED:
        return ""
    moved = [
        f"({argument})+{DAYS_TO_1904}" if argument.strip() and at in _TAKING.get(name, ()) else argument
        for at, argument in enumerate(arguments)
    ]
    holidays = _HOLIDAYS.get(name, len(moved))
    if holidays < len(moved) and moved[holidays].strip():
        moved[holidays] = f"({moved[holidays]})+{DAYS_TO_1904}"
    call = form_of(name, moved, date1904=False) or f"{name}({','.join(moved)})"
    return f"({call}-{DAYS_TO_1904})" if name in _GIVING else call
