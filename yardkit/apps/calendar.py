"""The app `calendar`: .ics files in Radicale's layout, as Radicale, khal and other programs read them.

``apps/calendar/<user>/<calendar>/<uid>.ics`` is an event, or a series with its exceptions. ``.Radicale.props`` beside
it says what the calendar is called and in which time zone it is. Whose calendars they are, the app `mail` says.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from yardkit.apps.calendar_zones import FileZone, find_zone
from yardkit.apps.mail import read_accounts
from yardkit.world import Problem, World, save_bytes, save_text
from yardkit.world.guard import before_change, note_changed

if TYPE_CHECKING:
    import icalendar

APP = "calendar"
PRIMARY = "primary"
"""The folder of the calendar that events go to if nobody says another."""
PROPS = ".Radicale.props"
_TITLE, _ZONE, _KIND = "D:displayname", "C:calendar-timezone-id", "tag"
_PRODUCT = "-//Yardkit//calendar//EN"

When = datetime | date
"""A time with its zone, one without (the same on every clock), or a whole day."""
Answer = Literal["accepted", "declined", "tentative", "needs-action"]
Status = Literal["confirmed", "tentative", "cancelled"]


@dataclass(frozen=True)
class Attendee:
    """A guest. optional: whether attendance is optional."""

    address: str
    name: str = ""
    answer: Answer = "needs-action"
    optional: bool = False


@dataclass(frozen=True)
class Event:
    """An event, a series, or an exception of a series.

    Attributes:
        starts, ends: times, or days of which the last is not part of it any more.
        rule: how it is repeated, as RFC 5545 writes it (``FREQ=WEEKLY;BYDAY=TU``); empty for none.
        skipped, extra: starts of a series that do not happen, and others that happen beside the rule.
        occurrence: for an exception, the start that it replaces.
        busy: whether it takes the time of those who come.
        sequence: how often it was changed.
        unknown_zone: the name of a zone that nobody knows; its times are as if they named none.
        periods: start and end of those extra dates that are as long as they say, not as the series.
    """

    uid: str
    title: str
    starts: When
    ends: When
    description: str = ""
    location: str = ""
    rule: str = ""
    skipped: tuple[When, ...] = ()
    extra: tuple[When, ...] = ()
    occurrence: When | None = None
    organizer: Attendee | None = None
    attendees: tuple[Attendee, ...] = ()
    status: Status = "confirmed"
    busy: bool = True
    sequence: int = 0
    stamp: datetime | None = None
    unknown_zone: str = ""
    periods: tuple[tuple[When, When], ...] = ()


@dataclass(frozen=True)
class CalendarInfo:
    """A calendar. name: of its folder; time_zone: IANA's name, empty where none is said."""

    name: str
    title: str
    time_zone: str = ""


class Agenda:
    """The calendars of everybody in a world."""

    def __init__(self, world: World) -> None:
        self.root = world.root / "apps" / APP

    def users(self) -> list[str]:
        """The names of the folders of all who have calendars."""
        return _list_folders(self.root)

    def calendars(self, user: str) -> list[CalendarInfo]:
        """The calendars of a user, the primary one first."""
        names = _list_folders(self.root / folder_name(user))
        return [self._read_info(user, name) for name in sorted(names, key=lambda name: (name != PRIMARY, name))]

    def make_calendar(self, user: str, info: CalendarInfo) -> None:
        """Make a calendar, or change its name."""
        facts = {_KIND: "VCALENDAR", _TITLE: info.title} | ({_ZONE: info.time_zone} if info.time_zone else {})
        save_text(self._get_path(user, info.name) / PROPS, json.dumps(facts, ensure_ascii=False))

    def files(self, user: str, calendar: str) -> list[Path]:
        """The files of a calendar, in name order."""
        return sorted(path for path in self._get_path(user, calendar).glob("*.ics") if path.is_file())

    def save(self, user: str, calendar: str, name: str, data: bytes) -> None:
        """Write a file of a calendar, named as `file_name` says."""
        if not (self._get_path(user, calendar) / PROPS).exists():
            self.make_calendar(user, CalendarInfo(calendar, calendar))
        save_bytes(self._get_path(user, calendar) / name, data)

    def remove(self, user: str, calendar: str, name: str) -> None:
        """Remove a file of a calendar."""
        path = self._get_path(user, calendar) / name
        before_change(path)
        path.unlink()
        note_changed(path)

    def _get_path(self, user: str, calendar: str) -> Path:
        return self.root / folder_name(user) / calendar

    def _read_info(self, user: str, name: str) -> CalendarInfo:
        path = self._get_path(user, name) / PROPS
        try:
            facts = json.loads(path.read_text("utf-8")) if path.exists() else {}
            return CalendarInfo(name, str(facts.get(_TITLE, name)), str(facts.get(_ZONE, "")))
        except (ValueError, AttributeError) as error:
            raise Problem(
                f"{PROPS} of the calendar {name!r} is damaged ({error}); put back an older copy of it"
            ) from error


def owner_of(world: World) -> tuple[str, str]:
    """Whose calendars they are: the address and the name of the workspace's owner."""
    accounts = read_accounts(world)
    return accounts.owner, accounts.names.get(accounts.owner, "")


def folder_name(address: str) -> str:
    """An address as the name of a folder: without what would lead out of it."""
    return re.sub(r"[^\w.@+-]", "_", address.casefold()).lstrip(".") or "_"


def file_name(uid: str) -> str:
    """Return the name of an event's file; a UID that is not a valid file name gets a made-up one."""
    safe_name = re.sub(r"[^\w.@+-]", "_", uid)[:100].lstrip(".")
    mark = "" if safe_name == uid else f"-{hashlib.sha256(uid.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return f"{safe_name}{mark}.ics"


def calendar_file(events: Sequence[Event], method: str = "") -> bytes:
    """An event, or a series with its exceptions, as an .ics file with the time zones that it names."""
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", _PRODUCT)
    calendar.add("version", "2.0")
    if method:
        calendar.add("method", method)
    for event in events:
        calendar.add_component(as_component(event))
    return file_of(calendar)


def file_of(calendar: "icalendar.Calendar") -> bytes:
    """A calendar as a file; time zones that it names and does not describe are described, if anybody knows them."""
    private = {zone.key: zone.component for zone in _list_file_zones(calendar)}
    for name in sorted(calendar.get_missing_tzids()):
        zone = private.get(name) or _time_zone(name)
        if zone is not None:
            calendar.subcomponents.insert(0, zone)
    data: bytes = calendar.to_ical()
    return data


def as_component(event: Event) -> "icalendar.Event":
    """An event as icalendar has it."""
    import icalendar

    component = icalendar.Event()
    component.add("uid", event.uid)
    for name, value in (("summary", event.title), ("description", event.description), ("location", event.location)):
        if value:
            component.add(name, value)
    component.add("dtstart", event.starts)
    component.add("dtend", event.ends)
    if event.rule:
        component.add("rrule", icalendar.vRecur.from_ical(event.rule))
    for name, times in (("exdate", event.skipped), ("rdate", event.extra)):
        if times:
            component.add(name, list(times))
    if event.occurrence is not None:
        component.add("recurrence-id", event.occurrence)
    if event.organizer:
        component.add("organizer", _build_address(event.organizer, answers=False), encode=False)
    for attendee in event.attendees:
        component.add("attendee", _build_address(attendee), encode=False)
    component.add("status", event.status.upper())
    component.add("transp", "OPAQUE" if event.busy else "TRANSPARENT")
    component.add("sequence", event.sequence)
    if event.stamp:
        component.add("dtstamp", event.stamp)
    return component


def _build_address(person: Attendee, *, answers: bool = True) -> "icalendar.vCalAddress":
    from icalendar import vCalAddress

    address = vCalAddress(f"mailto:{person.address}")
    parameters = {"CN": person.name} if person.name else {}
    if answers:
        parameters |= {
            "PARTSTAT": person.answer.upper(),
            "ROLE": "OPT-PARTICIPANT" if person.optional else "REQ-PARTICIPANT",
        }
    for name, value in parameters.items():
        address.params[name] = value
    return address


def _list_file_zones(calendar: "icalendar.Calendar") -> Iterator[FileZone]:
    """The zones that are used in it and that another file described."""
    from icalendar import vBroken

    for value in (value for _, value in calendar.property_items(sorted=False) if not isinstance(value, vBroken)):
        for when in (getattr(value, "dt", None), *(item.dt for item in getattr(value, "dts", ()))):
            if isinstance(when, datetime) and isinstance(when.tzinfo, FileZone):
                yield when.tzinfo


@lru_cache
def _time_zone(name: str) -> "icalendar.Timezone | None":
    from icalendar import Timezone

    zone = find_zone(name, None)
    # A name that another program wrote and nobody knows stays undescribed, as it was.
    return Timezone.from_tzinfo(zone, name, date(2020, 1, 1)) if zone else None


def _list_folders(path: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in path.iterdir() if entry.is_dir() and not entry.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
