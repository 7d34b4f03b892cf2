"""Calendars of a small world: Ada in Vienna, Ben in New York and Eva in Tokyo; Ada has a second one."""

import datetime
from collections.abc import Callable
from zoneinfo import ZoneInfo

from yardkit.apps.calendar import Agenda, Attendee, CalendarInfo, Event, calendar_file, file_name
from yardkit.apps.mail import Accounts, save_accounts
from yardkit.world import World

ADA, BEN, EVA = "ada@berg.example", "ben@berg.example", "eva@berg.example"
VIENNA, NEW_YORK, UTC = (ZoneInfo(name) for name in ("Europe/Vienna", "America/New_York", "UTC"))
Put = Callable[..., str]


def make_moment(
    day: int, hour: int, minute: int = 0, zone: datetime.tzinfo = VIENNA, month: int = 3
) -> datetime.datetime:
    return datetime.datetime(2026, month, day, hour, minute, tzinfo=zone)


def list_attendees(*addresses: str) -> tuple[Attendee, ...]:
    return tuple(Attendee(address) for address in addresses)


def make_agenda(world: World) -> Agenda:
    names = {ADA: "Ada Berg", BEN: "Ben Moser", EVA: "Eva Lind"}
    save_accounts(world, Accounts(ADA, names, ["berg.example"]))
    agenda = Agenda(world)
    for user, zone in ((ADA, "Europe/Vienna"), (BEN, "America/New_York"), (EVA, "Asia/Tokyo")):
        agenda.make_calendar(user, CalendarInfo("primary", names[user], zone))
    agenda.make_calendar(ADA, CalendarInfo("home", "At home", "Europe/Vienna"))
    return agenda


def make_put(agenda: Agenda) -> Put:
    """Writes an event of somebody, as a seed does."""

    def put(
        uid: str, starts: datetime.datetime, hours: float = 1, *also: Event, user: str = ADA, **event_fields: object
    ) -> str:
        ends = starts + datetime.timedelta(hours=hours)
        event = Event(uid, str(event_fields.pop("title", uid)), starts, ends, **event_fields)  # type: ignore[arg-type]
        agenda.save(user, "primary", file_name(uid), calendar_file([event, *also]))
        return uid

    return put
