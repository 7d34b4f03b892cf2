"""When events happen: series written out, with their exceptions, between two times."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice, takewhile

from yardkit.apps.calendar import Event, When
from yardkit.servers.calendar.engine.events import Series, checked_rule, is_full_day, last_by, to_moment, written_rule
from yardkit.world import Problem

MAX_STARTS = 50_000
"""Starts of one series that are looked at: a day after the other over more than a century."""
_AWAY = 19 * timedelta(days=146_097)
"""So far before the year 9999 events lie, in cycles of 400 years, after which weekdays and dates are the same again."""


@dataclass(frozen=True)
class Happening:
    """An event on its time. occurrence: the start that the rule gives it, null where it is no part of a series."""

    event: Event
    starts: When
    ends: When
    occurrence: When | None


def list_happenings(series: Series, since: datetime, until: datetime, zone: tzinfo) -> list[Happening]:
    """What happens of a file at any moment between two times, oldest first.

    Days, and times without a zone, are those of `zone`.
    """
    main, moved = (
        series.main,
        {
            key_of(series_exception.occurrence, zone)
            for series_exception in series.exceptions
            if series_exception.occurrence
        },
    )
    all_happenings = [
        Happening(series_exception, series_exception.starts, series_exception.ends, series_exception.occurrence)
        for series_exception in series.exceptions
    ]
    if main is not None:
        length = wall_of(main.ends) - wall_of(main.starts)
        repeated = bool(main.rule or main.extra)
        own_ends = {key_of(first, zone): last for first, last in main.periods}
        all_happenings += [
            Happening(
                main,
                start,
                own_ends.get(key_of(start, zone)) or _add_length(start, length),
                start if repeated else None,
            )
            for start in starts_of(main, until, zone)
            if key_of(start, zone) not in moved
        ]
    return sorted(
        (happening for happening in all_happenings if _meets_span(happening, since, until, zone)),
        key=lambda happening: to_moment(happening.starts, zone),
    )


def starts_of(event: Event, until: datetime, zone: tzinfo) -> list[When]:
    """The starts of an event or series before a time, without those that are skipped, oldest first."""
    skipped = {key_of(when, zone) for when in event.skipped}
    by_rule = takewhile(lambda start: to_moment(start, zone) < until, ruled_starts(event))
    starts = {key_of(start, zone): start for start in [*islice(by_rule, MAX_STARTS), *event.extra]}
    remaining_starts = [start for key, start in starts.items() if key not in skipped]
    return sorted(
        (start for start in remaining_starts if to_moment(start, zone) < until),
        key=lambda start: to_moment(start, zone),
    )


def key_of(when: When, zone: tzinfo) -> str:
    """What is equal for equal starts: the day, or the moment in UTC."""
    return when.isoformat() if is_full_day(when) else to_moment(when, zone).astimezone(UTC).isoformat()


def require_start(event: Event) -> None:
    """Refuse a rule by which nothing ever happens, or that says no sense.

    Raises:
        Problem: so it is.
    """
    if next(ruled_starts(event), None) is None:
        raise Problem(f"the rule {event.rule!r} has no occurrences; check BYDAY, BYMONTHDAY and UNTIL")


def ruled_starts(event: Event) -> Iterator[When]:
    """The starts by the rule, by the clock of the event's zone.

    dateutil looks for the next start until the year 9999, which takes seconds where there is none. So it works in the
    last such years: weekdays and dates are the same there.
    """
    if not event.rule:
        yield event.starts
        return
    from dateutil.rrule import rrulestr

    parts = checked_rule(event.rule)
    try:
        if "UNTIL" in parts:
            parts["UNTIL"] = f"{last_by(parts['UNTIL'], event.starts) + _AWAY:%Y%m%dT%H%M%S}"
        for start in rrulestr(written_rule(parts), dtstart=wall_of(event.starts) + _AWAY):
            yield on_clock(start - _AWAY, event.starts)
    except (ValueError, TypeError, OverflowError) as error:
        raise Problem(f"the rule {event.rule!r} cannot be read ({error})") from error


def wall_of(when: When) -> datetime:
    """As the clock on the wall shows it."""
    return when.replace(tzinfo=None) if isinstance(when, datetime) else datetime(when.year, when.month, when.day)  # noqa: DTZ001


def on_clock(wall: datetime, like: When) -> When:
    return wall.replace(tzinfo=like.tzinfo) if isinstance(like, datetime) else wall.date()


def _add_length(start: When, length: timedelta) -> When:
    return start + length if isinstance(start, datetime) else date.fromordinal(start.toordinal() + length.days)


def _meets_span(happening: Happening, since: datetime, until: datetime, zone: tzinfo) -> bool:
    starts, ends = to_moment(happening.starts, zone), to_moment(happening.ends, zone)
    return starts < until and (ends > since or starts >= since)
