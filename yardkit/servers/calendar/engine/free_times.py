"""Times at which several people are free."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from email.utils import getaddresses

from yardkit.servers.calendar.engine.events import to_moment
from yardkit.servers.calendar.engine.occurrences import list_happenings
from yardkit.servers.calendar.engine.places import Damaged, Place, list_stored_events, takes_time, zone_of
from yardkit.servers.calendar.engine.reading import format_when, span_of
from yardkit.world import Problem

MAX_SPANS = 200
_SATURDAY = 5

Busy = tuple[datetime, datetime]


@dataclass(frozen=True)
class FreeTime:
    """A span in which all are free, by the clock of the owner's time zone."""

    starts: str
    ends: str
    minutes: int


@dataclass(frozen=True)
class FreeTimes:
    """When all are free.

    Attributes:
        people: whose calendars were looked at, with their time zones.
        unknown: those whose calendars cannot be seen; nothing is said of them.
        total: of all spans; next_offset: where the list goes on, null at its end.
        damaged: files that cannot be read; they may hold events.
    """

    free: list[FreeTime]
    total: int
    next_offset: int | None
    people: dict[str, str]
    unknown: list[str]
    damaged: list[Damaged]


@dataclass(frozen=True)
class Hours:
    """The hours of a day in which people can be met, by their own clocks."""

    first: time
    last: time
    weekends: bool


def find_free_times(
    place: Place,
    people: Sequence[str],
    since: str,
    until: str,
    minutes: int,
    day_starts: str = "09:00",
    day_ends: str = "17:00",
    *,
    weekends: bool = False,
    offset: int = 0,
) -> FreeTimes:
    """Spans of at least so many minutes in which the owner and all `people` are free and within their own hours.

    Raises:
        Problem: a time cannot be read.
    """
    span, zone = span_of(place, since, until), zone_of(place, place.owner)
    hours = Hours(_parse_clock(day_starts), _parse_clock(day_ends), weekends)
    if hours.first >= hours.last:
        raise Problem(f"the day ends at {day_ends} before it starts at {day_starts}")
    users = {user.casefold() for user in place.users()}
    asked = list(dict.fromkeys([place.owner, *map(_get_address, people)]))
    seen = [user for user in asked if user.casefold() in users or user == place.owner]
    busy, damaged = [], []
    for user in seen:
        taken, broken = _list_busy(place, user, span.since, span.until)
        busy += [*taken, *_list_closed(hours, zone_of(place, user), span.since, span.until)]
        damaged += broken
    for user in set(asked) - set(seen):
        busy += _list_invitations(place, user, span.since, span.until)
    spans = [
        free for free in _list_gaps(busy, span.since, span.until) if free[1] - free[0] >= timedelta(minutes=minutes)
    ]
    shown_spans = spans[offset : offset + MAX_SPANS]
    end = offset + len(shown_spans)
    zones = {user: str(zone_of(place, user)) for user in seen}
    unknown = [user for user in asked if user not in seen]
    return FreeTimes(
        [_build_free_time(free_span, zone) for free_span in shown_spans],
        len(spans),
        end if end < len(spans) else None,
        zones,
        unknown,
        damaged,
    )


def _list_busy(place: Place, user: str, since: datetime, until: datetime) -> tuple[list[Busy], list[Damaged]]:
    """When somebody has something, by the own calendars and what the owner invited to."""
    zone = zone_of(place, user)
    busy_times, damaged = [] if user == place.owner else _list_invitations(place, user, since, until), []
    for info in place.calendars(user):
        stored_events, broken = list_stored_events(place, user, info.name)
        damaged += broken
        for stored_event in stored_events:
            busy_times += [
                (to_moment(within.starts, zone), to_moment(within.ends, zone))
                for within in list_happenings(stored_event.series, since, until, zone)
                if takes_time(within.event, user)
            ]
    return busy_times, damaged


def _list_invitations(place: Place, user: str, since: datetime, until: datetime) -> list[Busy]:
    """What the owner's calendars say of somebody: an invitation stands there before it is in the guest's calendar."""
    zone = zone_of(place, place.owner)
    return [
        (to_moment(within.starts, zone), to_moment(within.ends, zone))
        for info in place.calendars(place.owner)
        for stored_event in list_stored_events(place, place.owner, info.name)[0]
        for within in list_happenings(stored_event.series, since, until, zone)
        if any(guest.address.casefold() == user.casefold() for guest in within.event.attendees)
        and takes_time(within.event, user)
    ]


def _get_address(person: str) -> str:
    """The address of somebody who may be written as ``Ada Berg <ada.berg@example.com>``."""
    return getaddresses([person])[0][1] or person


def _list_closed(hours: Hours, zone: tzinfo, since: datetime, until: datetime) -> Iterable[Busy]:
    """When somebody cannot be met: nights and weekends by the own clock."""
    day = since.astimezone(zone).date() - timedelta(days=1)
    while datetime.combine(day, time.min, zone) < until:
        midnight, tomorrow = (datetime.combine(day + timedelta(days=n), time.min, zone) for n in (0, 1))
        if day.weekday() >= _SATURDAY and not hours.weekends:
            yield midnight, tomorrow
        else:
            yield midnight, datetime.combine(day, hours.first, zone)
            yield datetime.combine(day, hours.last, zone), tomorrow
        day += timedelta(days=1)


def _list_gaps(busy: Iterable[Busy], since: datetime, until: datetime) -> Iterable[Busy]:
    free_from = since
    for starts, ends in sorted(busy, key=lambda busy_time: (busy_time[0].timestamp(), busy_time[1].timestamp())):
        if starts > free_from:
            yield free_from, min(starts, until)
        free_from = max(free_from, ends)
        if free_from >= until:
            return
    if free_from < until:
        yield free_from, until


def _build_free_time(span: Busy, zone: tzinfo) -> FreeTime:
    starts, ends = (span_end.astimezone(zone) for span_end in span)
    return FreeTime(format_when(starts), format_when(ends), int((span[1] - span[0]).total_seconds() // 60))


def _parse_clock(text: str) -> time:
    try:
        return time.max if text == "24:00" else time.fromisoformat(text)
    except ValueError as error:
        raise Problem(f"{text!r} is not a valid time of day; use one such as 09:00") from error
