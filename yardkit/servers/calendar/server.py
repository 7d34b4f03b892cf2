"""The tools of the `calendar` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.calendar.engine import changing, free_times, reading, telling
from yardkit.servers.calendar.engine.events import MAX_BYTES
from yardkit.servers.calendar.place import current_place
from yardkit.world import InFile, Problem
from yardkit.world.limits import check_bytes

mcp = make_server(
    "calendar",
    "The calendars of the workspace's owner. Times are ISO 8601; without an offset they are by the clock of time_zone, "
    "by default the owner's. Who is invited gets a mail, and so does who invites when the owner answers.",
)

EventId = Annotated[str, Field(description="Id of the event, from list_events.", min_length=1, max_length=500)]
Occurrence = Annotated[
    str, Field(description="One date of a series, as list_events shows it; by default all of it.", max_length=40)
]
Following = Annotated[bool, Field(description="That date of the series and all after it.")]
Title = Annotated[str, Field(description="What it is.", min_length=1, max_length=1_000)]
Starts = Annotated[str, Field(description="When it starts: 2026-03-17T10:00, or 2026-03-17 for whole days.")]
Ends = Annotated[
    str | None,
    Field(description="When it ends; of whole days the day after the last. By default after an hour, or the day."),
]
TimeZone = Annotated[
    str | None, Field(description="Whose clock the times are by, such as Europe/Vienna.", max_length=100)
]
Text = Annotated[str | None, Field(description="What else is to be said of it.", max_length=20_000)]
Location = Annotated[str | None, Field(description="Where it is.", max_length=1_000)]
Attendees = Annotated[
    list[Annotated[str, Field(max_length=1_000)]] | None,
    Field(description="Who is invited, such as 'Ada Berg <ada.berg@example.com>': all of them.", max_length=200),
]
Repeat = Annotated[
    str | None,
    Field(description="Rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU;COUNT=10; empty: no series.", max_length=500),
]
Busy = Annotated[bool | None, Field(description="Whether it takes the time of those who come.")]
Comment = Annotated[str, Field(description="What the mail about it says besides.", max_length=5_000)]
Offset = Annotated[int, Field(description="Records to skip; take next_offset of the page before.", ge=0)]


@tool(mcp, bulk=True)
def list_calendars() -> reading.CalendarList:
    """List the owner's calendars, and whose calendars can be looked at for free times."""
    return reading.list_calendars(current_place())


@tool(mcp, bulk=True)
def list_events(
    since: Annotated[str, Field(description="From this date or time on; by default from now.", max_length=40)] = "",
    until: Annotated[
        str, Field(description="Up to this date or time, the day itself too; by default 30 days.", max_length=40)
    ] = "",
    query: Annotated[
        str, Field(description="Words that all stand in title, text, place or people.", max_length=1_000)
    ] = "",
    calendar: Annotated[
        str | None, Field(description="Only of this calendar, by name or title.", max_length=200)
    ] = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Events per page.", ge=1, le=200)] = 50,
) -> reading.Events:
    """List what happens between two times, oldest first; each date of a series is one event, by its exceptions."""
    return reading.list_events(current_place(), since, until, query, calendar, offset, limit)


@tool(mcp, bulk=True)
def read_event(event_id: EventId, occurrence: Occurrence = "") -> reading.EventView:
    """Show an event or series: text, people and their answers (none: not yet), rule, skipped dates and exceptions."""
    return reading.read_event(current_place(), event_id, occurrence)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_event(
    title: Title,
    starts: Starts,
    ends: Ends = None,
    time_zone: TimeZone = None,
    description: Text = None,
    location: Location = None,
    attendees: Attendees = None,
    repeat: Repeat = None,
    busy: Busy = None,
    calendar: Annotated[str, Field(description="Calendar that it stands in.", max_length=200)] = "primary",
) -> telling.Done:
    """Make an event or a series; who is invited gets a mail."""
    wanted = changing.Wanted(title, starts, ends, time_zone, description, location, attendees, repeat, busy)
    return changing.create_event(current_place(), wanted, calendar)


@tool(mcp, bulk=True, writes=True, destructive=True)
def update_event(
    event_id: EventId,
    occurrence: Occurrence = "",
    following: Following = False,
    title: Annotated[str | None, Field(description="What it is.", min_length=1, max_length=1_000)] = None,
    starts: Annotated[str | None, Field(description="When it starts; it stays as long as it is.")] = None,
    ends: Annotated[str | None, Field(description="When it ends; of whole days the day after the last.")] = None,
    time_zone: TimeZone = None,
    description: Text = None,
    location: Location = None,
    attendees: Attendees = None,
    repeat: Repeat = None,
    busy: Busy = None,
    calendar: Annotated[str | None, Field(description="Calendar to move it to.", max_length=200)] = None,
) -> telling.Done:
    """Change what is given of an event, a series, a date of it, or what follows; who is invited gets a mail."""
    wanted = changing.Wanted(title, starts, ends, time_zone, description, location, attendees, repeat, busy)
    return changing.update_event(current_place(), event_id, wanted, occurrence, calendar, following=following)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def cancel_event(
    event_id: EventId, occurrence: Occurrence = "", following: Following = False, comment: Comment = ""
) -> telling.Done:
    """Take an event, a series, a date of it, or what follows, out of the calendar; guests, or who invited, are told."""
    return changing.cancel_event(current_place(), event_id, occurrence, comment, following=following)


@tool(mcp, bulk=True, writes=True)
def answer_invitation(
    answer: Annotated[changing.Given, Field(description="Whether the owner comes.")],
    event_id: Annotated[str, Field(description="Id of the event, from list_events.", max_length=500)] = "",
    occurrence: Occurrence = "",
    comment: Comment = "",
    path: Annotated[
        InFile | None, Field(description="Invitation of a mail as .ics file, if the calendar does not have it yet.")
    ] = None,
) -> telling.Done:
    """Answer an invitation of somebody else, who gets a mail; give event_id, or path."""
    if bool(event_id) == bool(path):
        raise Problem("give event_id for an event of the calendar, or path for an invitation that came by mail")
    data = path.read_bytes() if path and check_bytes(path, MAX_BYTES) else None
    return changing.answer_invitation(current_place(), answer, event_id, data, occurrence, comment)


@tool(mcp, bulk=True)
def find_free_times(
    people: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(description="Addresses of those who shall come besides the owner.", max_length=50),
    ],
    minutes: Annotated[int, Field(description="How long they must be free.", ge=1, le=1_440)],
    since: Annotated[str, Field(description="From this date or time on; by default from now.", max_length=40)] = "",
    until: Annotated[
        str, Field(description="Up to this date or time, the day itself too; by default 30 days.", max_length=40)
    ] = "",
    day_starts: Annotated[
        str, Field(description="When a day begins, by each one's own clock.", max_length=8)
    ] = "09:00",
    day_ends: Annotated[str, Field(description="When a day ends, by each one's own clock.", max_length=8)] = "17:00",
    weekends: Annotated[bool, Field(description="Saturdays and Sundays, too.")] = False,
    offset: Offset = 0,
) -> free_times.FreeTimes:
    """Find spans in which the owner and all people are free, within the hours of the day of each of them."""
    return free_times.find_free_times(
        current_place(), people, since, until, minutes, day_starts, day_ends, weekends=weekends, offset=offset
    )
