"""Changing events inside their files: what a change does not name stays as another program wrote it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from yardkit.apps.calendar import Event, When, as_component, file_of
from yardkit.apps.calendar_zones import find_zone
from yardkit.servers.calendar.engine.calendar_files import read_calendar
from yardkit.servers.calendar.engine.events import (
    Series,
    align_start,
    checked_rule,
    last_by,
    read_series,
    until_at,
    written_rule,
)
from yardkit.servers.calendar.engine.occurrences import key_of, on_clock, wall_of
from yardkit.servers.calendar.engine.places import StoredEvent
from yardkit.world import Problem

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

    def __init__(self, stored_event: StoredEvent) -> None:
        self.kept = stored_event
        self.calendar = read_calendar(stored_event.file.data)
        if any(name is None for component in self.calendar.walk() for name, _ in component.errors):
            raise Problem(
                f"the file {stored_event.file.name} of this event has lines that cannot be read and that a change "
                "would lose; cancel the event as a whole, or change it in the program that wrote it"
            )

    def data(self) -> bytes:
        """The file as it is now, read once more before anybody else reads it."""
        data = file_of(self.calendar)
        read_series(data)
        return data

    def change_event(self, old: Event, new: Event) -> None:
        """Make one of its events another one."""
        self.change_each([(old, new)])

    def change_each(self, changes: Sequence[tuple[Event, Event]]) -> None:
        """Make events of it others. All are found first: one may come to stand for the start of another."""
        component_changes = [(self._find_component(old), old, new) for old, new in changes]
        for component, old, new in component_changes:
            _change_component(component, old, new)

    def add(self, event: Event, like: Event | None = None) -> None:
        """Add an exception, which has all that the series has and this one does not name."""
        component = as_component(event)
        if like is not None:
            for name, value in self._find_component(like).property_items(recursive=False):
                if name not in ("BEGIN", "END", "RRULE", "EXDATE", "RDATE", "DURATION") and name not in component:
                    component.add(name, value, encode=False)
            component.subcomponents = list(self._find_component(like).subcomponents)
        self.calendar.add_component(component)

    def drop_event(self, event: Event) -> None:
        """Take an event out."""
        self.calendar.subcomponents.remove(self._find_component(event))

    def keep(self, half: Series) -> None:
        """Leave only a half of the series in it."""
        full_series, remaining_dates = (
            self.kept.series,
            {series_exception.occurrence for series_exception in half.exceptions},
        )
        for exception in full_series.exceptions:
            if exception.occurrence not in remaining_dates:
                self.drop_event(exception)
        if full_series.main is not None and half.main is None:
            self.drop_event(full_series.main)
        elif full_series.main is not None and half.main is not None:
            self.change_event(full_series.main, half.main)

    def take_exceptions(self, other: "Opened") -> None:
        """Take in the exceptions of another file, in the place of its own for the same starts."""
        own = {
            key_of(series_exception.occurrence, UTC): series_exception
            for series_exception in self.kept.series.exceptions
            if series_exception.occurrence
        }
        zones = {str(zone.get("TZID")): zone.to_ical() for zone in self.calendar.walk("VTIMEZONE")}
        for zone in other.calendar.walk("VTIMEZONE"):
            name, text = str(zone.get("TZID")), zone.to_ical()
            if name not in zones:
                self.calendar.subcomponents.insert(0, zone)
            elif zones[name] != text and find_zone(name, None) is None:
                raise Problem(
                    f"the invitation and the event describe the time zone {name!r} differently; answer it in the "
                    "program that it came from"
                )
        for exception in other.kept.series.exceptions:
            if exception.occurrence and (old := own.get(key_of(exception.occurrence, UTC))):
                self.drop_event(old)
            self.calendar.add_component(other._find_component(exception))

    def name(self, uid: str) -> None:
        """Give all that is in it another UID."""
        for component in self.calendar.walk("VEVENT"):
            component.pop("uid")
            component.add("uid", uid)

    def _find_component(self, event: Event) -> Any:
        occurrence_key = None if event.occurrence is None else key_of(event.occurrence, UTC)
        for component in self.calendar.walk("VEVENT"):
            if self._key_of_component(component) == occurrence_key:
                return component
        raise KeyError(occurrence_key)

    def _key_of_component(self, component: Any) -> str | None:
        value, main = component.get("RECURRENCE-ID"), self.kept.series.main
        if value is None:
            return None
        return key_of(align_start(value.dt, main.starts) if main else value.dt, UTC)


def _change_component(component: Any, old: Event, new: Event) -> None:
    if old.periods and old.extra != new.extra:
        raise Problem(
            "the series has extra dates with other lengths (RDATE;VALUE=PERIOD), which a change of all of it "
            "would lose; change its dates one by one"
        )
    fresh = as_component(new)
    for field, name in _FIELDS.items():
        if getattr(old, field) != getattr(new, field):
            component.pop(name, None)
            if name in fresh:
                component.add(name, fresh[name], encode=False)
    if old.ends != new.ends or old.starts != new.starts:
        component.pop("duration", None)


def shift_time(when: When, by: timedelta) -> When:
    """Later by the clock on the wall."""
    return when + by if isinstance(when, datetime) else date.fromordinal(when.toordinal() + by.days)


def moved_series(old: Event, new: Event, exceptions: Sequence[Event]) -> tuple[Event, list[Event]]:
    """A series on another time, with its rule, its skipped starts and the starts of its exceptions moved along."""
    by = wall_of(new.starts) - wall_of(old.starts)
    if not by and type(new.starts) is type(old.starts) and _get_zone(new.starts) == _get_zone(old.starts):
        return new, list(exceptions)
    skipped, extra = (tuple(_carry_start(when, old, new) for when in times) for times in (old.skipped, old.extra))
    moved = [
        _move_exception(series_exception, _carry_start(series_exception.occurrence, old, new))
        for series_exception in exceptions
        if series_exception.occurrence
    ]
    rule = _turn_rule(old, new, by) if new.rule == old.rule else new.rule
    return replace(new, skipped=skipped, extra=extra, rule=rule), moved


def _move_exception(exception: Event, occurrence: When) -> Event:
    """An exception that stands for another start; one that begins with that start does so still."""
    if exception.starts != exception.occurrence:
        return replace(exception, occurrence=occurrence)
    length = wall_of(exception.ends) - wall_of(exception.starts)
    return replace(exception, occurrence=occurrence, starts=occurrence, ends=shift_time(occurrence, length))


def with_until_at(rule: str, starts: When) -> str:
    """A rule whose UNTIL is said as RFC 5545 wants it for a series with such a start.

    Raises:
        Problem: it is not a rule.
    """
    parts = checked_rule(rule)
    if last := parts.get("UNTIL", "").replace("-", "").replace(":", ""):
        try:
            parts["UNTIL"] = until_at(on_clock(last_by(last, starts), starts))
        except ValueError as error:
            raise Problem(f"UNTIL={last} in the rule is not a valid date or time; use one such as 20260407") from error
    return written_rule(parts)


def _turn_rule(old: Event, new: Event, by: timedelta) -> str:
    """The rule of a series that moves, maybe to another weekday or day of the month, with its last date.

    Raises:
        Problem: it names several days; then only a new rule says which ones are meant.
    """
    parts = checked_rule(old.rule) if old.rule else {}
    days = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
    was, now = days[old.starts.weekday()], days[new.starts.weekday()]
    if was != now and "BYDAY" in parts:
        if parts["BYDAY"] != was:
            raise Problem(
                f"the series is on {parts['BYDAY']} ({old.rule}); give a new repeat to move it to another day"
            )
        parts["BYDAY"] = now
    if old.starts.day != new.starts.day and "BYMONTHDAY" in parts:
        if parts["BYMONTHDAY"] != str(old.starts.day):
            raise Problem(f"the series is on days {parts['BYMONTHDAY']} of the month; give a new repeat to move it")
        parts["BYMONTHDAY"] = str(new.starts.day)
    if "UNTIL" in parts:
        parts["UNTIL"] = until_at(on_clock(last_by(parts["UNTIL"], old.starts) + by, new.starts))
    return written_rule(parts)


def _carry_start(when: When, old: Event, new: Event) -> When:
    """A start of the old series, which may be said in UTC, as one of the new."""
    zone = _get_zone(old.starts)
    own = when.astimezone(zone) if isinstance(when, datetime) and when.tzinfo and zone else when
    return on_clock(wall_of(own) + (wall_of(new.starts) - wall_of(old.starts)), new.starts)


def _get_zone(when: When) -> tzinfo | None:
    return when.tzinfo if isinstance(when, datetime) else None
