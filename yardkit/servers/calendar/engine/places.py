"""Where calendars are: in the files of a world. A CalDAV server is another place (`..backends.caldav`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yardkit.apps.calendar import APP, PRIMARY, Agenda, CalendarInfo, Event, owner_of
from yardkit.apps.mail import NOBODY
from yardkit.servers.calendar.engine.calendar_files import MAX_BYTES
from yardkit.servers.calendar.engine.events import Series, read_series
from yardkit.servers.calendar.engine.invitations import Letter, post_letter
from yardkit.world import Problem, World, lock_file


@dataclass(frozen=True)
class File:
    """A file of a calendar."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Damaged:
    """A file of a calendar that cannot be read, or not all of it, and why."""

    calendar: str
    file: str
    reason: str


@dataclass(frozen=True)
class StoredEvent:
    """An event or series and the file that it is in."""

    calendar: str
    file: File
    series: Series


class Place(Protocol):
    """Calendars of several people. The owner is the one who acts."""

    owner: str
    owner_name: str
    now: datetime
    sends: bool
    """Whether mails about events go out from here."""
    unsent: str
    """What is to be known where they do not."""

    def users(self) -> list[str]:
        """The addresses of those whose calendars can be seen."""

    def calendars(self, user: str) -> list[CalendarInfo]:
        """The calendars of one of them, the primary one first."""

    def files(self, user: str, calendar: str) -> list[File]:
        """The files of a calendar, in name order."""

    def save(self, calendar: str, name: str, data: bytes) -> None:
        """Write a file of a calendar of the owner's."""

    def remove(self, calendar: str, name: str) -> None:
        """Remove a file of a calendar of the owner's."""

    def post(self, letter: Letter) -> list[str]:
        """Send an invitation or an answer by mail; the addresses that nobody has."""

    @contextmanager
    def lock_for_change(self) -> Iterator[None]:
        """Nobody else changes the calendars meanwhile."""
        yield


class WorldPlace:
    """The calendars of a world."""

    unsent = "mail cannot be sent from this folder, so attendees are not notified"

    def __init__(self, world: World) -> None:
        self.world, self.agenda, self.now = world, Agenda(world), world.now
        self.owner, self.owner_name = owner_of(world)
        self.sends = self.owner != NOBODY

    def users(self) -> list[str]:
        return self.agenda.users()

    def calendars(self, user: str) -> list[CalendarInfo]:
        return self.agenda.calendars(user)

    def files(self, user: str, calendar: str) -> list[File]:
        calendar_files = []
        for path in self.agenda.files(user, calendar):
            with path.open("rb") as opened:
                calendar_files.append(File(path.name, opened.read(MAX_BYTES + 1)))
        return calendar_files

    def save(self, calendar: str, name: str, data: bytes) -> None:
        self.agenda.save(self.owner, calendar, name, data)

    def remove(self, calendar: str, name: str) -> None:
        self.agenda.remove(self.owner, calendar, name)

    def post(self, letter: Letter) -> list[str]:
        return post_letter(self.world, letter)

    @contextmanager
    def lock_for_change(self) -> Iterator[None]:
        # Events and the mails about them are one change.
        with self.world.change_together(), lock_file(self.world.get_app_folder(APP), self.world.locks):
            yield


def list_stored_events(place: Place, user: str, calendar: str) -> tuple[list[StoredEvent], list[Damaged]]:
    """The events of a calendar, and its files that cannot be read, or not all of which can."""
    stored_events, damaged = [], []
    for file in place.files(user, calendar):
        try:
            stored_event = StoredEvent(calendar, file, read_series(file.data))
            stored_events.append(stored_event)
            if notes := stored_event.series.notes:
                title = stored_event.series.head.title
                damaged.append(Damaged(calendar, file.name, f"{title!r} is read, but {'; '.join(notes)}"))
        except Problem as problem:
            damaged.append(Damaged(calendar, file.name, str(problem)))
    return stored_events, damaged


def find_event(place: Place, event_id: str) -> StoredEvent:
    """The owner's event with this id.

    Raises:
        Problem: there is none, or its file is damaged.
    """
    titles, broken = [], []
    for info in place.calendars(place.owner):
        stored_events, damaged = list_stored_events(place, place.owner, info.name)
        for stored_event in stored_events:
            if stored_event.series.uid == event_id:
                return stored_event
        titles += [f"{stored_event.series.uid} ({stored_event.series.head.title})" for stored_event in stored_events]
        broken += [f"{damaged_file.calendar}/{damaged_file.file}: {damaged_file.reason}" for damaged_file in damaged]
    named = f"there are {len(titles)}, such as {'; '.join(titles[:5])}" if titles else "there are none"
    also = f". Files that cannot be read: {'; '.join(broken[:5])}" if broken else ""
    raise Problem(f"there is no event {event_id[:200]!r}; {named}; list_events shows their ids{also}")


def find_calendar(place: Place, name: str) -> CalendarInfo:
    """The owner's calendar with this name or title; the primary one where none is there yet.

    Raises:
        Problem: there is none.
    """
    infos = place.calendars(place.owner)
    for info in infos:
        if name.casefold() in (info.name.casefold(), info.title.casefold()):
            return info
    if not infos and name == PRIMARY:
        return CalendarInfo(PRIMARY, PRIMARY)
    if infos and name == PRIMARY:  # another server's calendars have other names
        return infos[0]
    there = ", ".join(f"{info.name} ({info.title})" for info in infos) or "none"
    raise Problem(f"there is no calendar {name!r}; there are: {there}")


def zone_of(place: Place, user: str) -> tzinfo:
    """The time zone of a person: that of the first calendar that says one, else the world's."""
    for info in place.calendars(user):
        if info.time_zone:
            return zone_named(info.time_zone)
    return place.now.tzinfo or ZoneInfo("UTC")


def zone_named(name: str) -> tzinfo:
    """A time zone.

    Raises:
        Problem: there is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Problem(
            f"{name!r} is not a valid time zone; use one such as Europe/Vienna, America/New_York, UTC"
        ) from error


def calendar_named(place: Place, name: str | None) -> list[CalendarInfo]:
    """The owner's calendar of this name, or all."""
    return place.calendars(place.owner) if name is None else [find_calendar(place, name)]


def takes_time(event: Event, address: str) -> bool:
    """Whether an event takes the time of somebody in whose calendar it stands, or who is invited."""
    answers = [attendee.answer for attendee in event.attendees if attendee.address.casefold() == address.casefold()]
    return event.busy and event.status != "cancelled" and "declined" not in answers
