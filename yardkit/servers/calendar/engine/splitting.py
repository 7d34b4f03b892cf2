"""A series in two at one of its dates: what is before, and that date with all that follows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice

from yardkit.apps.calendar import Event, When
from yardkit.servers.calendar.engine.components import shifted
from yardkit.servers.calendar.engine.events import Series, checked_rule, moment, until_at, written_rule
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


def split(series: Series, occurrence: When, zone: tzinfo) -> Halves:
    """A series in two, of which the second begins with one of its dates. Both have the UID of the whole.

    Days, and times without a zone, are those of `zone`.
    """
    at = moment(occurrence, zone)
    kept = tuple(one for one in series.exceptions if one.occurrence and moment(one.occurrence, zone) < at)
    gone = tuple(one for one in series.exceptions if one not in kept)
    main = series.main
    before, rest = (None, None) if main is None else _halves(main, at, zone)
    happens = kept or (main is not None and starts_of(main, at, zone))
    return Halves(Series(before, kept) if happens else None, Series(rest, gone))


def _halves(main: Event, at: datetime, zone: tzinfo) -> tuple[Event | None, Event | None]:
    """The event of a series before a time, and from it on; null where it has no starts there."""
    parts = checked_rule(main.rule) if main.rule else {}
    before, first = _ruled_until(main, at, zone)
    ended, begun = dict(parts), dict(parts)
    if "COUNT" in parts:
        ended["COUNT"], begun["COUNT"] = str(len(before)), str(int(parts["COUNT"]) - len(before))
    elif parts and before:
        ended["UNTIL"] = until_at(before[-1])
    return (
        _half(main, main.starts if before else None, ended, lambda when: moment(when, zone) < at, zone),
        _half(main, first, begun, lambda when: moment(when, zone) >= at, zone),
    )


def _half(
    main: Event, first: When | None, parts: dict[str, str], holds: Callable[[When], bool], zone: tzinfo
) -> Event | None:
    extra = sorted(filter(holds, main.extra), key=lambda when: moment(when, zone))
    if first is None:
        if not extra:
            return None
        first, parts = extra.pop(0), {}
    return replace(
        main,
        starts=first,
        ends=shifted(main.ends, wall_of(first) - wall_of(main.starts)),
        rule=written_rule(parts),
        skipped=tuple(filter(holds, main.skipped)),
        extra=tuple(extra),
    )


def _ruled_until(main: Event, at: datetime, zone: tzinfo) -> tuple[list[When], When | None]:
    """The starts by the rule before a time, and the first from it on."""
    before: list[When] = []
    for start in islice(ruled_starts(main), MAX_STARTS):
        if moment(start, zone) >= at:
            return before, start
        before.append(start)
    return before, None
