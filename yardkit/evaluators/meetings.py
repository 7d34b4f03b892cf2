"""When people are busy, by the calendars of a world, for checking arranged meetings."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from yardkit.evaluators.readers.events import SeenEvent, When, list_happenings, read_events
from yardkit.evaluators.submission import Submission

Span = tuple[datetime, datetime]
_LONGEST_ABSENCE = timedelta(days=30)
"""How long before a period an absence in it may have begun: events are listed by their start."""


def find_busy(submission: Submission, user: str, owner: str, since: datetime, until: datetime) -> list[SeenEvent]:
    """Find when a person is busy, by their own calendars and by invitations in the owner's calendars."""
    invited = list_happenings(read_events(submission, owner), since, until) if user != owner else []
    return _find_own_busy(submission, user, invited, since, until)


def _find_own_busy(
    submission: Submission, user: str, invited: Iterable[SeenEvent], since: datetime, until: datetime
) -> list[SeenEvent]:
    own = list_happenings(read_events(submission, user), since, until)
    shared = (event for event in invited if user in dict(event.guests))
    return [event for event in (*own, *shared) if event.busy and dict(event.guests).get(user) != "declined"]


def find_away(submission: Submission, owner: str, name: str, since: datetime, until: datetime) -> list[date]:
    """Find the days on which a person is away, by the titles of all-day events in the owner's calendars."""
    events = list_happenings(read_events(submission, owner), since - _LONGEST_ABSENCE, until)
    return _list_days_away(events, name, since, until)


def _list_days_away(events: Iterable[SeenEvent], name: str, since: datetime, until: datetime) -> list[date]:
    spans = (event for event in events if event.title == f"{name} away" and not isinstance(event.starts, datetime))
    days = (event.starts + timedelta(days=number) for event in spans for number in range(_count_days(event)))
    return sorted({day for day in days if since.date() <= day <= until.date()})


def find_overlapping(span: Span, events: Iterable[SeenEvent], zone: str) -> list[SeenEvent]:
    """Find the events that a span overlaps; all-day events begin at midnight of a zone."""
    return [
        event for event in events if span[0] < _to_moment(event.ends, zone) and _to_moment(event.starts, zone) < span[1]
    ]


def within_hours(span: Span, zone: str, first: time, last: time) -> bool:
    """Whether a span is on a workday between two times by the clock of a zone."""
    starts, ends = (moment.astimezone(ZoneInfo(zone)) for moment in span)
    return starts.weekday() < 5 and starts.date() == ends.date() and first <= starts.time() and ends.time() <= last


def find_clashes(
    submission: Submission,
    owner: str,
    span: Span,
    people: Mapping[str, tuple[str, str]],
    hours: tuple[time, time] = (time(9), time(17)),
) -> Iterator[str]:
    """Find why a span does not suit some people, by the initial calendars; `people`: name and time zone by address.

    They are busy then, away on that day, or outside their working hours by their own clock.
    """
    before, (since, until) = submission.untouched, (span[0] - timedelta(days=1), span[1] + timedelta(days=1))
    known = list_happenings(read_events(before, owner), since - _LONGEST_ABSENCE, until)
    around = [event for event in known if _to_moment(event.starts, "UTC") >= since]
    for address, (name, zone) in people.items():
        invited = around if address != owner else []
        day = span[0].astimezone(ZoneInfo(zone)).date()
        taken = find_overlapping(span, _find_own_busy(before, address, invited, since, until), zone)
        yield from (f"{address} has {event.title!r} at {span[0]}" for event in taken)
        if day in _list_days_away(known, name, since, until):
            yield f"{name} is away on {day}"
        if not within_hours(span, zone, *hours):
            yield f"{span[0]} is not in the hours of {address}"


def _count_days(event: SeenEvent) -> int:
    return (date(*event.ends.timetuple()[:3]) - date(*event.starts.timetuple()[:3])).days


def _to_moment(when: When, zone: str) -> datetime:
    if isinstance(when, datetime):
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    return datetime.combine(when, time.min, ZoneInfo(zone))
