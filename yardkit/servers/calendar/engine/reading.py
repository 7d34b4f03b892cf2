"""Calendars and events as they are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from yardkit.apps.calendar import Answer, Attendee, Event, Status, When
from yardkit.servers.calendar.engine.events import FIRST_YEAR, LAST_YEAR, Series, is_full_day, to_moment, zone_name
from yardkit.servers.calendar.engine.occurrences import Happening, list_happenings
from yardkit.servers.calendar.engine.places import (
    Damaged,
    Place,
    calendar_named,
    find_event,
    list_stored_events,
    zone_of,
)
from yardkit.world import Problem
from yardkit.world.queries import fold_text, split_query

DAYS = 30
"""How far a list goes if nobody says until when."""
MAX_DAYS = 800
MAX_TEXT = 20_000
"""Characters of a description that is shown."""
_LISTED = 500
_DAY = 10
"""Characters of a date without a time."""


@dataclass(frozen=True)
class CalendarLine:
    """A calendar of the owner. events: its events and series."""

    name: str
    title: str
    time_zone: str
    events: int


@dataclass(frozen=True)
class CalendarList:
    """The owner's calendars, and whose calendars can be asked for free times. damaged: files that cannot be read."""

    owner: str
    time_zone: str
    calendars: list[CalendarLine]
    people: list[str]
    damaged: list[Damaged]


@dataclass(frozen=True)
class EventLine:
    """An event in a list.

    Attributes:
        starts, ends: by the clock of the owner's time zone; of whole days dates, the end not part of it any more.
        time_zone: that of the event, where it is another one.
        occurrence: names this date of a series in other tools; null where it is none.
        rule: of the series.
        my_answer: null where the owner is not invited by others.
    """

    id: str
    calendar: str
    title: str
    starts: str
    ends: str
    time_zone: str = ""
    location: str = ""
    occurrence: str | None = None
    rule: str = ""
    status: Status = "confirmed"
    busy: bool = True
    my_answer: Answer | None = None
    attendees: int = 0


@dataclass(frozen=True)
class Events:
    """A page of what happens, oldest first. damaged: files that cannot be read and may hold more."""

    events: list[EventLine]
    total: int
    next_offset: int | None
    time_zone: str
    damaged: list[Damaged]


@dataclass(frozen=True)
class ExceptionLine:
    """A date of a series that is another one than the series says. occurrence: the start that it stands for."""

    occurrence: str
    title: str
    starts: str
    ends: str
    status: Status
    location: str = ""


@dataclass(frozen=True)
class EventView:
    """An event, or a series.

    Attributes:
        starts, ends: by the clock of time_zone, of a series those of its first date; of whole days dates, the end not
            part of it any more.
        rule: how it is repeated; skipped: starts that do not happen; exceptions: dates that are otherwise.
        organizer: who invites; null where nobody is invited.
        busy: whether it takes the time of those who come.
    """

    id: str
    calendar: str
    title: str
    starts: str
    ends: str
    time_zone: str
    description: str
    location: str
    status: Status
    busy: bool
    organizer: Attendee | None
    attendees: list[Attendee]
    my_answer: Answer | None = None
    occurrence: str | None = None
    rule: str = ""
    skipped: list[str] | None = None
    exceptions: list[ExceptionLine] | None = None


@dataclass(frozen=True)
class Span:
    """From when to when."""

    since: datetime
    until: datetime


def list_calendars(place: Place) -> CalendarList:
    """The owner's calendars."""
    lines, damaged = [], []
    for info in place.calendars(place.owner):
        stored_events, broken = list_stored_events(place, place.owner, info.name)
        lines.append(CalendarLine(info.name, info.title, info.time_zone, len(stored_events)))
        damaged += broken
    return CalendarList(place.owner, str(zone_of(place, place.owner)), lines, place.users(), damaged)


def list_events(
    place: Place,
    since: str = "",
    until: str = "",
    query: str = "",
    calendar: str | None = None,
    offset: int = 0,
    limit: int = 50,
) -> Events:
    """What happens in the owner's calendars between two times, series written out, oldest first.

    Raises:
        Problem: a time cannot be read, or there is no such calendar.
    """
    zone = zone_of(place, place.owner)
    span = span_of(place, since, until)
    matching_happenings: list[tuple[str, Happening]] = []
    damaged = []
    for info in calendar_named(place, calendar):
        stored_events, broken = list_stored_events(place, place.owner, info.name)
        damaged += broken
        for stored_event in stored_events:
            within = list_happenings(stored_event.series, span.since, span.until, zone)
            matching_happenings += [
                (info.name, happening) for happening in within if _has_words(happening.event, query)
            ]
    matching_happenings.sort(key=lambda pair: (to_moment(pair[1].starts, zone), pair[1].event.title, pair[1].event.uid))
    event_lines = [
        _build_line(place, name, happening, zone) for name, happening in matching_happenings[offset : offset + limit]
    ]
    end = offset + len(event_lines)
    return Events(
        event_lines, len(matching_happenings), end if end < len(matching_happenings) else None, str(zone), damaged
    )


def read_event(place: Place, event_id: str, occurrence: str = "") -> EventView:
    """An event or series; with `occurrence`, one date of the series.

    Raises:
        Problem: there is no such event or date.
    """
    stored_event = find_event(place, event_id)
    zone = zone_of(place, place.owner)
    if occurrence:
        happening = date_of_series(stored_event.series, occurrence, zone)
        return _build_view(
            place, stored_event.calendar, happening.event, happening.starts, happening.ends, happening.occurrence
        )
    head = stored_event.series.head
    view = _build_view(place, stored_event.calendar, head, head.starts, head.ends, head.occurrence)
    if not head.rule and not head.extra:
        return view
    others = [
        ExceptionLine(
            format_when(series_exception.occurrence),
            series_exception.title,
            format_when(series_exception.starts),
            format_when(series_exception.ends),
            series_exception.status,
            series_exception.location,
        )
        for series_exception in stored_event.series.exceptions
        if series_exception.occurrence is not None and series_exception is not head
    ]
    return EventView(
        **{**vars(view), "rule": head.rule, "skipped": list(map(format_when, head.skipped)), "exceptions": others}
    )


def date_of_series(series: Series, occurrence: str, zone: tzinfo) -> Happening:
    """The date of a series whose occurrence, as lists show it, this is.

    Raises:
        Problem: the series has none; the near ones are named.
    """
    requested_moment = to_moment(parse_when(occurrence, zone), zone)
    around = list_happenings(
        series, requested_moment - timedelta(days=400), requested_moment + timedelta(days=400), zone
    )
    dates = [happening for happening in around if happening.occurrence is not None]
    for happening in dates:
        # in UTC, since Python holds a time that clocks skip for equal to none of another zone
        if happening.occurrence is not None and to_moment(happening.occurrence, zone).astimezone(
            UTC
        ) == requested_moment.astimezone(UTC):
            return happening
    near = sorted(dates, key=lambda happening: abs(to_moment(happening.starts, zone) - requested_moment))[:5]
    named = ", ".join(format_when(happening.occurrence) for happening in near if happening.occurrence) or "none near it"
    raise Problem(f"{occurrence!r} is not an occurrence of event {series.uid}; it has: {named}")


def span_of(place: Place, since: str, until: str) -> Span:
    """Two times as a caller gives them: from now, and for `DAYS`, if nothing is said; a day counts whole.

    Raises:
        Problem: one cannot be read, or they are too far from each other.
    """
    zone = zone_of(place, place.owner)
    first = to_moment(parse_when(since, zone), zone) if since else place.now
    last = first + timedelta(days=DAYS)
    if until:
        end = _time_of(until, zone)
        end = end if end.year <= LAST_YEAR else date(LAST_YEAR, 12, 31)
        last = to_moment(end + timedelta(days=1) if is_full_day(end) else end, zone)
    if not timedelta(0) < last - first <= timedelta(days=MAX_DAYS):
        raise Problem(f"{first} to {last} is not a span of up to {MAX_DAYS} days; give since and a later until")
    return Span(first, last)


def parse_when(text: str, zone: tzinfo) -> When:
    """A day, or a time, by the clock of `zone` where it says no offset.

    Raises:
        Problem: it is not valid, or beyond the years of events.
    """
    when = _time_of(text, zone)
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise Problem(f"{text!r} is outside the supported years {FIRST_YEAR} to {LAST_YEAR}")
    return when


def _time_of(text: str, zone: tzinfo) -> When:
    try:
        if len(text) <= _DAY:
            return datetime.fromisoformat(text).date()
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise Problem(
            f"{text[:60]!r} is not a valid date or time; use one such as 2026-03-16 or 2026-03-16T09:30"
        ) from error
    return when if when.tzinfo else when.replace(tzinfo=zone)


def format_when(when: When | None) -> str:
    """A time or day as it is shown."""
    return "" if when is None else when.isoformat()


def my_answer(place: Place, event: Event) -> Answer | None:
    """What the owner answered to an invitation of others."""
    return next(
        (attendee.answer for attendee in event.attendees if attendee.address.casefold() == place.owner.casefold()), None
    )


def _build_line(place: Place, calendar: str, happening: Happening, zone: tzinfo) -> EventLine:
    event = happening.event
    starts, ends = (
        # By way of UTC: a time that clocks skip when summer begins is shown as it happens.
        when if is_full_day(when) else to_moment(when, zone).astimezone(UTC).astimezone(zone)
        for when in _ends_of(happening)
    )
    own = f"{event.unknown_zone} (unknown)" if event.unknown_zone else zone_name(event.starts)
    return EventLine(
        event.uid,
        calendar,
        event.title,
        format_when(starts),
        format_when(ends),
        own if own != str(zone) else "",
        event.location[:_LISTED],
        format_when(happening.occurrence) if happening.occurrence is not None else None,
        event.rule,
        event.status,
        event.busy,
        my_answer(place, event),
        len(event.attendees),
    )


def _ends_of(happening: Happening) -> Sequence[When]:
    return happening.starts, happening.ends


def _build_view(
    place: Place, calendar: str, event: Event, starts: When, ends: When, occurrence: When | None
) -> EventView:
    return EventView(
        event.uid,
        calendar,
        event.title,
        format_when(starts),
        format_when(ends),
        f"{event.unknown_zone} (unknown)" if event.unknown_zone else zone_name(starts),
        event.description[:MAX_TEXT],
        event.location,
        event.status,
        event.busy,
        event.organizer,
        list(event.attendees),
        my_answer(place, event),
        format_when(occurrence) if occurrence is not None else None,
    )


def _has_words(event: Event, query: str) -> bool:
    people = [
        f"{person.name} {person.address}"
        for person in (*event.attendees, *([event.organizer] if event.organizer else []))
    ]
    searched_text = fold_text(" ".join([event.title, event.description, event.location, *people]))
    return all(word in searched_text for word in split_query(query))
