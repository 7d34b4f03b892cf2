"""Texts that are numbers: what Excel (English, United States) reads where a formula computes with a text.

The calculation engine reads plain numbers, amounts, percentages and few ways to write a date. Excel reads also
``31-Mar-2026``, ``March 31, 2026``, ``2026-03-31 14:30``, ``25:30``, ``(5.00)`` and ``1 1/2``, and it does not read a
number beside a no-break space or in ``31.03.2026``. Which texts the two read differently is found by asking the engine.
"""

from __future__ import annotations

import re
import threading
from datetime import date
from functools import lru_cache
from typing import Any, Literal, NamedTuple

Way = Literal["+0", "VALUE", "DATEVALUE", "TIMEVALUE"]
"""How a formula reads a text: by computing with it, or by a function."""
Reading = float | str | None
"""What Excel reads where the engine does not: a number, `FAILS`, or why that is not known here; None for the same."""
UNCLEAR = "the engine does not implement the way in which a text that is computed with writes a date"
YEARLESS = "it reads a text that is a date without a year, which is another date each year"
FAILS = 'VALUE("")'  # #VALUE!
_LONGEST = 60
_EPOCH = date(1899, 12, 30).toordinal()
_FIRST_OF_MARCH = 61
_SPACES = re.compile(r"[^\S ]")  # spaces that are none for Excel
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_NAMED = re.compile(r"[^\W\d_]{3,}")
_MONTH = "|".join([*_MONTHS, *(month[:3] for month in _MONTHS)])
_YEAR = r"(?P<y>\d{4}|\d{2})"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})([-/])(?P<m>\d{1,2})\2(?P<d>\d{1,2})",
        rf"(?P<m>\d{{1,2}})([-/])(?P<d>\d{{1,2}})\2{_YEAR}",
        rf"(?P<d>\d{{1,2}})([-/ ])(?P<n>{_MONTH})\2{_YEAR}",
        rf"(?P<n>{_MONTH}) (?P<d>\d{{1,2}}), ?(?P<y>\d{{4}})",
        rf"(?P<n>{_MONTH})[-/ ](?P<y>\d{{4}})",
        r"(?P<m>\d{1,2})[-/](?P<y>\d{4})",
        r"(?P<y>\d{4})[-/](?P<m>\d{1,2})",
    )
)
_YEARLESS = re.compile(rf"\d{{1,2}}[-/]\d{{1,2}}|\d{{1,2}}[-/ ](?:{_MONTH})|(?:{_MONTH})[-/ ]\d{{1,2}}", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,4}):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?(?: ?([ap])m?)?", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\$?\((\$?\d[\d,.]*%?)\)")
_DOTTED = re.compile(r"\d{1,4}\.\d{1,2}\.\d{1,4}")  # no date in English Excel, and one of any order for the engine
_FRACTION = re.compile(r"([-+]?)(\d{1,15}) (\d{1,5})/(\d{1,5})")
_MAY_BE = re.compile(
    r" *(?:[-+]?\d+ \d+/\d|\$?\(\$?\d|\d{1,4}(?:[-/:]|\.\d{1,2}\.)\d"
    rf"|\d{{1,2}}[-/ ](?:{_MONTH})|(?:{_MONTH})[-/ ]?)|.*[^\S ]",
    re.IGNORECASE,
)
_CRITERION = re.compile(r"<>.|[<>]=?[^\W\d]")
_DIGIT = re.compile(r"\d")


class Moment(NamedTuple):
    """A date in days and a time as a part of a day, where a text writes them."""

    days: int | None
    time: float | None


def read_apart(text: str, way: Way) -> Reading:
    """What Excel reads in a text that the engine reads otherwise."""
    if len(text) > _LONGEST or not _DIGIT.search(text) or not _MAY_BE.match(text):
        return None
    told, known = _excel(text, way), _engine(text, way)
    if told is None or isinstance(told, str):
        return None if told is None or (told == FAILS and known is None) else told
    return None if known is not None and abs(known - told) < 1e-9 * max(1.0, abs(told)) else told


def is_apart(value: object) -> bool:
    """Whether a value is a text with which Excel computes otherwise than the engine, as a number or as a criterion."""
    if not isinstance(value, str):
        return False
    return _CRITERION.match(value) is not None or read_apart(value.lstrip("<>="), "+0") is not None


def moment_in(text: str) -> Moment | str | None:
    """The date and time that a text writes, or the reason why they are not known; None where it writes none."""
    said = " ".join(text.strip(" ").split(" "))
    if found := _TIME.fullmatch(said):
        return None if (time := _time(found)) is None else Moment(None, time)
    first, time = said, None
    for at in (found.start() for found in re.finditer(" ", said)):
        clock = _TIME.fullmatch(said[at + 1 :])
        if clock and (time := _time(clock)) is not None:
            first = said[:at].rstrip()
            break
    if _YEARLESS.fullmatch(first):
        return YEARLESS
    written = next((found for pattern in _DATES if (found := pattern.fullmatch(first))), None)
    if written is not None:
        return None if (days := _days(written)) is None else Moment(days, time)
    names = {word.lower() for word in _NAMED.findall(first)}
    return UNCLEAR if names and names <= {*_MONTHS, *(month[:3] for month in _MONTHS), "sept"} else None


def _days(found: re.Match[str]) -> int | None:
    parts = found.groupdict()
    year, day = int(parts["y"]), int(parts.get("d") or 1)
    if len(parts["y"]) == 2:
        year += 2000 if year < 30 else 1900
    month = _month(parts["n"]) if parts.get("n") else int(parts["m"])
    try:
        serial = date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        return None
    return None if serial < 2 else serial - (serial < _FIRST_OF_MARCH)


def _month(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month[:3] == name[:3].lower())


def _time(found: re.Match[str]) -> float | None:
    hours, minutes, seconds = int(found[1]), int(found[2]), float(found[3] or 0)
    if minutes > 59 or seconds >= 60 or (found[4] and hours > 12):
        return None
    if found[4]:
        hours = hours % 12 + (12 if found[4].lower() == "p" else 0)
    return (hours * 3600 + minutes * 60 + seconds) / 86400


def _excel(text: str, way: Way) -> float | str | None:
    """What Excel reads; None where that is what the engine reads."""
    if _SPACES.search(text) or _DOTTED.fullmatch(text.strip(" ")):
        return FAILS
    moment = moment_in(text)
    if isinstance(moment, str):
        return moment
    if way in ("DATEVALUE", "TIMEVALUE"):
        if moment is None:
            return FAILS
        return float(moment.days or 0) if way == "DATEVALUE" else (moment.time or 0.0) % 1
    return _amount(text.strip(" ")) if moment is None else (moment.days or 0) + (moment.time or 0.0)


def _amount(said: str) -> float | None:
    if bracketed := _IN_BRACKETS.fullmatch(said):
        within = _engine(bracketed[1], "+0")
        return None if within is None else -within
    found = _FRACTION.fullmatch(said)
    if found is None or not int(found[4]):
        return None
    return (-1 if found[1] == "-" else 1) * (int(found[2]) + int(found[3]) / int(found[4]))


_lock = threading.Lock()


@lru_cache(4096)
def _engine(text: str, way: Way) -> float | None:
    """What the engine reads in a text; None for an error."""
    model = _model()
    with _lock:
        model.set_user_input(0, 1, 1, f"'{text}")
        model.set_user_input(0, 1, 2, "=A1+0" if way == "+0" else f"={way}(A1)")
        model.evaluate()
        value = model.get_cell_value(0, 1, 2)
    return float(value) if isinstance(value, int | float) else None


@lru_cache(1)
def _model() -> Any:
    import ironcalc

    return ironcalc.create("texts", "en", "UTC", "en")
