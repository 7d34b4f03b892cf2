"""Series of values that go on from their first ones, as spreadsheets fill them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from yardkit.servers.sheets.engine.notation.values import Scalar, to_stored_value

_ENDS_IN_NUMBER = re.compile(r"(.*?)(\d+)", re.DOTALL)
_QUARTER = re.compile(r"(Q|Qtr ?|Quarter )([1-4])(?:(\D{1,3})(\d{4}))?", re.IGNORECASE)
_LISTS = tuple(
    tuple(names)
    for names in (
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
        (
            *("January", "February", "March", "April", "May", "June"),
            *("July", "August", "September", "October", "November", "December"),
        ),
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    )
)
Continued = Callable[[int], Scalar]
"""The value at an index of a series, counted from its first."""


def continue_series(seeds: list[Scalar]) -> Continued:
    """How a series goes on that begins with `seeds`, of which there is at least one.

    Numbers, dates (by days or whole months), names of days and months, quarters and texts that end in a number count
    on by the distance of the first two, or by one; other values are repeated. Texts come as they are to be written,
    with an apostrophe.
    """
    first, second = seeds[0], seeds[1] if len(seeds) > 1 else None
    return (
        _continue_numbers(first, second) or _continue_dates(first, second) or _continue_names(first, second)
        or _continue_quarters(first, second) or _continue_numbered(first, second) or _repeat_seeds(seeds)
    )  # fmt: skip


def _continue_numbers(first: Scalar, second: Scalar) -> Continued | None:
    if not _is_number(first):
        return None
    start: Any = first
    step: Any = second - start if _is_number(second) else 1
    return lambda index: start + step * index


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _continue_dates(first: Scalar, second: Scalar) -> Continued | None:
    start, then = _parse_moment(first), _parse_moment(second)
    if start is None:
        return None
    is_date_only = isinstance(first, str) and len(first) == len("2026-03-16")
    distance = timedelta(days=1) if then is None else then - start
    months, at_end = (0, False) if then is None else _months_between(start, then)

    def at(index: int) -> str:
        moment = _in_months(start, months * index, at_end=at_end) if months else start + distance * index
        return moment.date().isoformat() if is_date_only else moment.isoformat()

    return at


def _parse_moment(value: Scalar) -> datetime | None:
    stored_value = to_stored_value(value) if isinstance(value, str) else None
    if isinstance(stored_value, datetime):
        return stored_value
    return datetime(stored_value.year, stored_value.month, stored_value.day) if isinstance(stored_value, date) else None  # noqa: DTZ001


def _months_between(start: datetime, then: datetime) -> tuple[int, bool]:
    """The whole months between two moments, and whether both are ends of months; 0 where days are left over."""
    months = (then.year - start.year) * 12 + then.month - start.month
    for at_end in (start.day == _last_day(start.year, start.month), False):
        if _in_months(start, months, at_end=at_end) == then:
            return months, at_end
    return 0, False


def _in_months(start: datetime, months: int, *, at_end: bool) -> datetime:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = _last_day(year, month + 1)
    return start.replace(year=year, month=month + 1, day=last if at_end else min(start.day, last))


def _last_day(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def _continue_names(first: Scalar, second: Scalar) -> Continued | None:
    if not isinstance(first, str):
        return None
    for names in _LISTS:
        normalized_names = [name.casefold() for name in names]
        if first.casefold() in normalized_names:
            start = normalized_names.index(first.casefold())
            known = isinstance(second, str) and second.casefold() in normalized_names
            step = normalized_names.index(second.casefold()) - start if known else 1  # type: ignore[union-attr]
            return lambda index: "'" + _in_case_of(first, names[(start + step * index) % len(names)])
    return None


def _in_case_of(model: str, name: str) -> str:
    return name.upper() if model.isupper() else name.lower() if model.islower() else name


def _continue_quarters(first: Scalar, second: Scalar) -> Continued | None:
    start, then = (_QUARTER.fullmatch(name) if isinstance(name, str) else None for name in (first, second))
    if start is None:
        return None
    step = _number_quarter(then) - _number_quarter(start) if then is not None else 1
    word, between, dated = start[1], start[3] or "", start[4] is not None

    def at(index: int) -> str:
        year, quarter = divmod(_number_quarter(start) + step * index, 4)
        return f"'{word}{quarter + 1}{between}{year if dated else ''}"

    return at


def _number_quarter(match: re.Match[str]) -> int:
    """The number of a quarter since the year 0, where it says its year."""
    return int(match[4] or 0) * 4 + int(match[2]) - 1


def _continue_numbered(first: Scalar, second: Scalar) -> Continued | None:
    start, then = (_ENDS_IN_NUMBER.fullmatch(name) if isinstance(name, str) else None for name in (first, second))
    if start is None or (isinstance(second, str) and (then is None or then[1] != start[1])):
        return None
    step = int(then[2]) - int(start[2]) if then is not None else 1
    text, number, width = start[1], int(start[2]), len(start[2])
    return lambda index: f"'{text}{max(0, number + step * index):0{width}d}"


def _repeat_seeds(seeds: list[Scalar]) -> Continued:
    def at(index: int) -> Scalar:
        value = seeds[index % len(seeds)]
        return "'" + value if isinstance(value, str) else value

    return at
