"""The calendar in the dialect of Toolathlon's google_calendar: five tools on the primary one, with Google's objects.

Nobody is invited by them, and a list ends after ten events if nobody says otherwise, as there.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from yardkit.apps.calendar import PRIMARY, Attendee
from yardkit.servers.calendar.engine import reading, updates
from yardkit.servers.calendar.engine.places import Place
from yardkit.servers.calendar.place import current_place
from yardkit.world import Problem


@dataclass(frozen=True)
class GoogleTime:
    """A time as Google writes it: `dateTime` with `timeZone`, or `date` for whole days."""

    dateTime: str | None = None  # noqa: N815 - Google's names
    timeZone: str | None = None  # noqa: N815
    date: str | None = None


_INSTANCE = re.compile(r"(?P<id>.+)_(?P<start>\d{8}(T\d{6}Z)?)")
_OFFSET = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


def create_event(
    summary: str, start: GoogleTime, end: GoogleTime, description: str | None = None, location: str | None = None
) -> str:
    event_changes = updates.EventWishes(
        summary, _get_time_text(start), _get_time_text(end), start.timeZone, description, location
    )
    done = updates.create_event(current_place(), event_changes)
    lines = [
        f"Event created with ID: {done.id}",
        f"Title: {summary}",
        f"Start: {_get_time_text(start)}",
        f"End: {_get_time_text(end)}",
    ]
    return "\n".join(lines)


def get_event(eventId: str) -> str:
    place = current_place()
    return _format_json(_build_event_object(place, _view_event(place, eventId)))


def update_event(
    eventId: str,
    summary: str | None = None,
    start: GoogleTime | None = None,
    end: GoogleTime | None = None,
    description: str | None = None,
    location: str | None = None,
) -> str:
    place = current_place()
    view = _view_event(place, eventId)
    starts, ends = (None if when is None else _get_time_text(when) for when in (start, end))
    zone = next((when.timeZone for when in (start, end) if when is not None and when.timeZone), None)
    event_changes = updates.EventWishes(summary, starts, ends, zone, description, location)
    if event_changes != updates.EventWishes():
        updates.update_event(place, view.id, event_changes, view.occurrence or "")
    news = (("title", summary), ("start", starts), ("end", ends))
    lines = [f"New {name}: {value or '(unchanged)'}" for name, value in news]
    return "\n".join([f"Event updated: {eventId}", *lines])


def delete_event(eventId: str) -> str:
    place = current_place()
    view = _view_event(place, eventId)
    updates.cancel_event(place, view.id, view.occurrence or "")
    return f"Event deleted: {eventId}"


def list_events(timeMin: str, timeMax: str, maxResults: int = 10, orderBy: str = "startTime") -> str:
    place = current_place()
    since, until = (_check_bound(name, text) for name, text in (("timeMin", timeMin), ("timeMax", timeMax)))
    listed = reading.list_events(place, since, until, calendar=PRIMARY, limit=10_000).events
    active_lines = [line for line in listed if line.status != "cancelled"]
    items = [
        _build_event_object(place, reading.read_event(place, event_line.id, event_line.occurrence or ""))
        for event_line in active_lines[:maxResults]
    ]
    if orderBy == "updated":
        items.sort(key=lambda item: str(item["updated"]))
    return f"Found {len(items)} events:\n{_format_json(items)}"


def _view_event(place: Place, event_id: str) -> reading.EventView:
    """An event by Google's id: that of a date of a series ends in its start in UTC."""
    match = _INSTANCE.fullmatch(event_id)
    try:
        if match:
            start = match["start"]
            when = datetime.strptime(start[:8], "%Y%m%d").replace(tzinfo=UTC)
            if "T" in start:
                when = datetime.strptime(start, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            return reading.read_event(place, match["id"], when.isoformat() if "T" in start else f"{when.date()}")
        view = reading.read_event(place, event_id)
    except (Problem, ValueError) as problem:
        raise Problem(f"Error: Not Found: {problem}") from problem
    if view.calendar != PRIMARY:
        raise Problem(
            f"Error: Not Found: the event {event_id!r} is in the calendar {view.calendar!r}, not in the primary"
        )
    return view


def _get_time_text(when: GoogleTime) -> str:
    time_text = when.dateTime or when.date
    if not time_text:
        raise Problem("Error: Bad Request: a start or end has dateTime, such as 2026-03-17T10:00:00, or date")
    return time_text


def _check_bound(name: str, text: str) -> str:
    if not _OFFSET.fullmatch(text):
        raise Problem(f"Error: Bad Request: {name} {text!r} is no RFC 3339 time with an offset: 2026-03-17T00:00:00Z")
    return text.upper()


def _build_event_object(place: Place, view: reading.EventView) -> dict[str, Any]:
    owner = {"email": place.owner, "self": True}
    facts: dict[str, Any] = {
        "kind": "calendar#event",
        "id": view.id,
        "status": view.status,
        "htmlLink": f"https://www.google.com/calendar/event?eid={quote(view.id)}",
        "created": place.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "updated": place.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "summary": view.title,
        "description": view.description,
        "location": view.location,
        "creator": owner,
        "organizer": owner if view.organizer is None else _build_person(place, view.organizer),
        "start": _build_time(view.starts, view.time_zone),
        "end": _build_time(view.ends, view.time_zone),
        "transparency": "" if view.busy else "transparent",
        "iCalUID": view.id if "@" in view.id else f"{view.id}@google.com",
        "attendees": [_build_guest(place, attendee) for attendee in view.attendees],
        "recurrence": [f"RRULE:{view.rule}"] if view.rule else [],
        "reminders": {"useDefault": True},
        "eventType": "default",
    }
    if view.occurrence:
        facts["recurringEventId"] = view.id
        facts["originalStartTime"] = _build_time(view.occurrence, view.time_zone)
        facts["id"] = f"{view.id}_{_compact_start(view.occurrence)}"
    return {name: value for name, value in facts.items() if value not in ("", [])}


def _build_person(place: Place, attendee: Attendee) -> dict[str, Any]:
    facts: dict[str, Any] = {"email": attendee.address} | ({"displayName": attendee.name} if attendee.name else {})
    return facts | ({"self": True} if attendee.address.casefold() == place.owner.casefold() else {})


def _build_guest(place: Place, attendee: Attendee) -> dict[str, Any]:
    answer = "needsAction" if attendee.answer == "needs-action" else attendee.answer
    return (
        _build_person(place, attendee) | {"responseStatus": answer} | ({"optional": True} if attendee.optional else {})
    )


def _build_time(text: str, zone: str) -> dict[str, str]:
    return {"dateTime": text} | ({"timeZone": zone} if zone else {}) if "T" in text else {"date": text}


def _compact_start(start: str) -> str:
    if "T" not in start:
        return start.replace("-", "")
    return datetime.fromisoformat(start).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _format_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
