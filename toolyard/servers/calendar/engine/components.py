"""Changing events inside their files: what a change does not name stays as another program wrote it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from toolyard.apps.calendar import Event, When, as_component, file_of
from toolyard.servers.calendar.engine.events import checked_rule, moment, read_calendar, read_series
from toolyard.servers.calendar.engine.occurrences import key_of
from toolyard.servers.calendar.engine.places import Kept
from toolyard.world import Problem

_FIELDS = {
    "title": "summary",
    "description": "description",
    "location": "location",
    "starts": "dtstart",
    "ends": "dtend",
    "rule": "rrule",
    "skipped": "exdate",
    "extra": "rdate",
    "attendees": "attendee",
    "organizer": "organizer",
    "status": "status",
    "busy": "transp",
    "sequence": "sequence",
    "stamp": "dtstamp",
    "occurrence": "recurrence-id",
}
"""Where iCalendar keeps the fields of an event."""


class Opened:
    """A file of events, open for changes."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.calendar = read_calendar(kept.file.data)

    def data(self) -> bytes:
        """The file as it is now, read once more before anybody else reads it."""
        data = file_of(self.calendar)
        read_series(data)
        return data

    def change(self, old: Event, new: Event) -> None:
        """Make one of its events another one."""
        component = self._component(old)
        fresh = as_component(new)
        for field, name in _FIELDS.items():
            if getattr(old, field) != getattr(new, field):
                component.pop(name, None)
                if name in fresh:
                    component.add(name, fresh[name], encode=False)
        if old.ends != new.ends or old.starts != new.starts:
            component.pop("duration", None)

    def add(self, event: Event, like: Event | None = None) -> None:
        """Add an exception, which has all that the series has and this one does not name."""
        component = as_component(event)
        if like is not None:
            for name, value in self._component(like).property_items(recursive=False):
                if name not in ("BEGIN", "END", "RRULE", "EXDATE", "RDATE", "DURATION") and name not in component:
                    component.add(name, value, encode=False)
            component.subcomponents = list(self._component(like).subcomponents)
        self.calendar.add_component(component)

    def drop(self, event: Event) -> None:
        """Take an event out."""
        self.calendar.subcomponents.remove(self._component(event))

    def _component(self, event: Event) -> Any:
        wanted = None if event.occurrence is None else key_of(event.occurrence, UTC)
        for component in self.calendar.walk("VEVENT"):
            value = component.get("RECURRENCE-ID")
            if (None if value is None else key_of(value.dt, UTC)) == wanted:
                return component
        raise KeyError(wanted)


def shifted(when: When, by: timedelta) -> When:
    """Later by the clock on the wall."""
    return when + by if isinstance(when, datetime) else date.fromordinal(when.toordinal() + by.days)


def moved_series(old: Event, new: Event, exceptions: Sequence[Event]) -> tuple[Event, list[Event]]:
    """A series on another time, with its rule, its skipped starts and the starts of its exceptions moved along."""
    by = _naive(new.starts) - _naive(old.starts)
    if not by and type(new.starts) is type(old.starts) and _zone(new.starts) == _zone(old.starts):
        return new, list(exceptions)
    skipped = tuple(_carried(when, by, new.starts) for when in old.skipped)
    extra = tuple(_carried(when, by, new.starts) for when in old.extra)
    moved = [replace(one, occurrence=_carried(one.occurrence, by, new.starts)) for one in exceptions if one.occurrence]
    rule = _turned(old, new) if new.rule == old.rule else new.rule
    return replace(new, skipped=skipped, extra=extra, rule=rule), moved


def until_in_utc(rule: str, starts: When) -> str:
    """A rule whose UNTIL is said as RFC 5545 wants it: a day for whole days, else a time in UTC.

    Raises:
        Problem: it is no rule.
    """
    parts = checked_rule(rule)
    last = parts.get("UNTIL", "").replace("-", "").replace(":", "")
    if last and isinstance(starts, datetime) and not last.endswith("Z"):
        wall = datetime.strptime(last if "T" in last else f"{last}T235959", "%Y%m%dT%H%M%S")  # noqa: DTZ007
        last = f"{wall.replace(tzinfo=starts.tzinfo).astimezone(UTC):%Y%m%dT%H%M%SZ}"
    if last:
        parts["UNTIL"] = last if isinstance(starts, datetime) else last[:8]
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _turned(old: Event, new: Event) -> str:
    """The rule of a series that moves to another weekday or day of the month.

    Raises:
        Problem: it names several days; then only a new rule says which ones are meant.
    """
    parts = checked_rule(old.rule) if old.rule else {}
    days = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
    was, now = days[old.starts.weekday()], days[new.starts.weekday()]
    if was != now and "BYDAY" in parts:
        if parts["BYDAY"] != was:
            raise Problem(
                f"the series is on {parts['BYDAY']} ({old.rule}); to move it to another day, give repeat anew"
            )
        parts["BYDAY"] = now
    if old.starts.day != new.starts.day and "BYMONTHDAY" in parts:
        if parts["BYMONTHDAY"] != str(old.starts.day):
            raise Problem(f"the series is on days {parts['BYMONTHDAY']} of the month; to move it, give repeat anew")
        parts["BYMONTHDAY"] = str(new.starts.day)
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _carried(when: When, by: timedelta, like: When) -> When:
    wall = _naive(when) + by
    return wall.replace(tzinfo=like.tzinfo) if isinstance(like, datetime) else wall.date()


def _naive(when: When) -> datetime:
    return moment(when, UTC).replace(tzinfo=None)


def _zone(when: When) -> object:
    return when.tzinfo if isinstance(when, datetime) else None
