"""What reference solutions do with calendars again and again, with calls of tools alone; times by the owner's clock."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from toolyard.evaluators.proof import Agent

Event = Mapping[str, Any]
_DAY = len("2026-01-31")
_MINUTE = len("2026-01-31T10:30")


def coming(agent: Agent, title: str, until: str) -> list[Event]:
    """What is called so from now until a day; each date of a series is one."""
    found = agent.call("list_events", until=until, query=title, limit=200)["events"]
    return [one for one in found if one["title"] == title]


def look_at(agent: Agent, one: Event) -> Event:
    """All of an event of a list, or of a date of a series."""
    return agent.call("read_event", event_id=one["id"], occurrence=one["occurrence"] or "")


def guests_of(agent: Agent, events: Sequence[Event]) -> list[str]:
    """The addresses of all who are invited to any of them, in order."""
    return sorted({guest["address"] for one in events for guest in look_at(agent, one)["attendees"]})


def later(text: str, by: timedelta) -> str:
    """A day or a time so much later."""
    if len(text) == _DAY:
        return str(date.fromisoformat(text) + by)
    return (datetime.fromisoformat(text[:_MINUTE]) + by).isoformat()[:_MINUTE]


def day_of(text: str) -> date:
    """A day as letters write it, such as 1 March 2026."""
    return datetime.strptime(text, "%d %B %Y").date()  # noqa: DTZ007 - a day


def moment_of(text: str, zone: str) -> datetime:
    """A time of a zone as letters write it, such as 1 March 2026, 18:00."""
    return datetime.strptime(text, "%d %B %Y, %H:%M").replace(tzinfo=ZoneInfo(zone))


def edit_dates(text: str, which: Callable[[str], bool], by: timedelta) -> str:
    """A calendar file in which events, by their text, are shifted; they stand for the same dates of their series."""

    def moved(match: "re.Match[str]") -> str:
        return f"{match[1]}{datetime.strptime(match[2], '%Y%m%dT%H%M%S') + by:%Y%m%dT%H%M%S}"  # noqa: DTZ007

    def block(match: "re.Match[str]") -> str:
        return re.sub(r"(DT(?:START|END)[^:\n]*:)(\d{8}T\d{6})", moved, match[0]) if which(match[0]) else match[0]

    return re.sub(r"(?s)BEGIN:VEVENT.*?END:VEVENT", block, text)
