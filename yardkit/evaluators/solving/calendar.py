"""Shared steps of proofs with calendars; solutions use only tool calls. Times are by the owner's clock."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss, Solved

Event = Mapping[str, Any]
ZONES = {
    "Denmark": "Europe/Copenhagen", "Germany": "Europe/Berlin", "Sweden": "Europe/Stockholm",
    "Portugal": "Europe/Lisbon", "Austria": "Europe/Vienna", "Poland": "Europe/Warsaw",
    "Netherlands": "Europe/Amsterdam",
}  # fmt: skip
"""By whose clocks countries go."""
_DAY = len("2026-01-31")
_MINUTE = len("2026-01-31T10:30")


def list_coming_events(agent: Agent, title: str, until: str) -> list[Event]:
    """List the events with this title from now until a day; each date of a series counts as one."""
    listed_events = agent.call("list_events", until=until, query=title, limit=200)["events"]
    return [event for event in listed_events if event["title"] == title]


def look_at(agent: Agent, event: Event) -> Event:
    """Read all fields of an event in a list, or of a date of a series."""
    return agent.call("read_event", event_id=event["id"], occurrence=event["occurrence"] or "")


def copy_event_fields(view: Event) -> dict[str, Any]:
    """Copy the place and guests of an event for one that replaces it."""
    return {"location": view["location"], "attendees": [guest["address"] for guest in view["attendees"]]}


def guests_of(agent: Agent, events: Sequence[Event]) -> list[str]:
    """List the addresses of all guests of the events, in order."""
    return sorted({guest["address"] for event in events for guest in look_at(agent, event)["attendees"]})


def shift_text(text: str, by: timedelta) -> str:
    """Shift a day or a time by a duration."""
    if len(text) == _DAY:
        return str(date.fromisoformat(text) + by)
    return (datetime.fromisoformat(text[:_MINUTE]) + by).isoformat()[:_MINUTE]


def free_starts(
    agent: Agent, people: Sequence[str], minutes: int, since: str, until: str, **hours: str
) -> list[datetime]:
    """List the starts, in steps of 15 minutes by the owner's clock, of a meeting for which all are free and at work."""
    search_arguments = {"people": list(people), "minutes": minutes, "since": since, "until": until} | hours
    starts = []
    for free in agent.call("find_free_times", **search_arguments)["free"]:
        first, last = datetime.fromisoformat(free["starts"]), datetime.fromisoformat(free["ends"])
        count = (last - first - timedelta(minutes=minutes)) // timedelta(minutes=15)
        starts += [first + timedelta(minutes=15 * number) for number in range(count + 1)]
    return starts


def list_holidays(agent: Agent, since: str, until: str, calendar: str = "holidays") -> dict[str, set[date]]:
    """List the all-day events of a calendar by their place."""
    days_by_location: dict[str, set[date]] = {}
    for event in agent.call("list_events", since=since, until=until, calendar=calendar, limit=200)["events"]:
        days_by_location.setdefault(event["location"], set()).add(date.fromisoformat(event["starts"]))
    return days_by_location


def working_days(after: date, until: date, off: set[date]) -> int:
    """List Mondays to Fridays after one day, up to and including another, except days off."""
    days = (after + timedelta(days=number) for number in range(1, (until - after).days + 1))
    return sum(day.weekday() < 5 and day not in off for day in days)


def service_minutes(start: datetime, end: datetime, hours: tuple[int, int], zone: str, off: set[date]) -> int:
    """Count the minutes between two moments in the working hours of a zone, on Mondays to Fridays except days off."""
    clocks, total = ZoneInfo(zone), timedelta()
    for number in range((end.date() - start.date()).days + 2):
        day = start.astimezone(clocks).date() + timedelta(days=number)
        opens, closes = (datetime.combine(day, time(hour), clocks).astimezone(UTC) for hour in hours)
        if day.weekday() < 5 and day not in off:
            total += max(timedelta(), min(end, closes) - max(start, opens))
    return round(total / timedelta(minutes=1))


def day_of(text: str) -> date:
    """Format a day as in letters, such as 1 March 2026."""
    return datetime.strptime(text, "%d %B %Y").date()  # noqa: DTZ007 - a day


def moment_of(text: str, zone: str) -> datetime:
    """Format a time of a zone as in letters, such as 1 March 2026, 18:00."""
    return datetime.strptime(text, "%d %B %Y, %H:%M").replace(tzinfo=ZoneInfo(zone))


def dates_moved(title: str, which: Callable[[str, Facts], bool], by: timedelta, caught_by: str) -> Miss:
    """A near miss: some events of the seeded series named by the fact `title`, chosen by their text, have another time.

    Exceptions still replace the same dates of their series.
    """

    def moved(match: "re.Match[str]") -> str:
        return f"{match[1]}{datetime.strptime(match[2], '%Y%m%dT%H%M%S') + by:%Y%m%dT%H%M%S}"  # noqa: DTZ007

    def change(text: str, work: Solved) -> str:
        def block(match: "re.Match[str]") -> str:
            chosen = which(match[0], work.facts)
            return re.sub(r"(DT(?:START|END)[^:\n]*:)(\d{8}T\d{6})", moved, match[0]) if chosen else match[0]

        return re.sub(r"(?s)BEGIN:VEVENT.*?END:VEVENT", block, text)

    return misses.event_changed(lambda work: _file_of(work, work.facts[title]), change, caught_by=caught_by)


def _file_of(work: Solved, title: str) -> str:
    """The file of a seeded series in the owner's primary calendar."""
    owner = work.facts["owner"]
    uid = f"{title.casefold().replace(' ', '-')}@{owner.partition('@')[2]}"
    return f"calendar/{owner}/primary/{uid}.ics"
