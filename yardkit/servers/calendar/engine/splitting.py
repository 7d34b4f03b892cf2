"""A series in two at one of its dates: what is before, and that date with all that follows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice

from yardkit.apps.calendar import Event, When
from yardkit.servers.calendar.engine.components import shift_time
from yardkit.servers.calendar.engine.events import Series, checked_rule, to_moment, until_at, written_rule
from yardkit.servers.calendar.engine.occurrences import MAX_STARTS, ruled_starts, starts_of, wall_of


@dataclass(frozen=True)
class Halves:
    """A series in two.

    Attributes:
        before: the series as it ends before the date; null where nothing happens before it.
        rest: the series as it begins with the date; without its main event where only exceptions are left.
    """

    before: Series | None
    rest: Series


def split_series(series: Series, occurrence: When, zone: tzinfo) -> Halves:
    """A series in two, of which the second begins with one of its dates. Both have the UID of the whole.

    Days, and times without a zone, are those of `zone`.
    """
    at = to_moment(occurrence, zone)
    early_exceptions = tuple(
        series_exception
        for series_exception in series.exceptions
        if series_exception.occurrence and to_moment(series_exception.occurrence, zone) < at
    )
    gone = tuple(series_exception for series_exception in series.exceptions if series_exception not in early_exceptions)
    main = series.main
    before, rest = (None, None) if main is None else _split_event(main, at, zone)
    happens = early_exceptions or (main is not None and starts_of(main, at, zone))
    return Halves(Series(before, early_exceptions) if happens else None, Series(rest, gone))


def _split_event(main: Event, at: datetime, zone: tzinfo) -> tuple[Event | None, Event | None]:
    """The event of a series before a time, and from it on; null where it has no starts there."""
    parts = checked_rule(main.rule) if main.rule else {}
    before, first = _ruled_until(main, at, zone)
    ended, begun = dict(parts), dict(parts)
    if "COUNT" in parts:
        ended["COUNT"], begun["COUNT"] = str(len(before)), str(int(parts["COUNT"]) - len(before))
    elif parts and before:
        ended["UNTIL"] = until_at(before[-1])
    return (
        _make_half(main, main.starts if before else None, ended, lambda when: to_moment(when, zone) < at, zone),
        _make_half(main, first, begun, lambda when: to_moment(when, zone) >= at, zone),
    )


def _make_half(
    main: Event, first: When | None, parts: dict[str, str], holds: Callable[[When], bool], zone: tzinfo
) -> Event | None:
    extra = sorted(filter(holds, main.extra), key=lambda when: to_moment(when, zone))
    if first is None:
        if not extra:
            return None
        first, parts = extra.pop(0), {}
    return replace(
        main,
        starts=first,
        ends=shift_time(main.ends, wall_of(first) - wall_of(main.starts)),
        rule=written_rule(parts),
        skipped=tuple(filter(holds, main.skipped)),
        extra=tuple(extra),
    )


def _ruled_until(main: Event, at: datetime, zone: tzinfo) -> tuple[list[When], When | None]:
    """The starts by the rule before a time, and the first from it on."""
    before: list[When] = []
    for start in islice(ruled_starts(main), MAX_STARTS):
        if to_moment(start, zone) >= at:
            return before, start
        before.append(start)
    return before, None
