"""The tools of the `calendar` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.calendar.engine import free_times, reading, telling, updates
from yardkit.servers.calendar.engine.calendar_files import MAX_BYTES
from yardkit.servers.calendar.place import current_place
from yardkit.world import InFile, Problem
from yardkit.world.limits import check_bytes

mcp = make_server(
    "calendar",
    "The calendars of the workspace's owner. Times are ISO 8601; without an offset they are in "
    "time_zone, by default the owner's. Attendees are notified by mail; so is the organizer when "
    "the owner answers.",
)

EventId = Annotated[str, Field(description="Id of the event, from list_events.", min_length=1, max_length=500)]
Occurrence = Annotated[
    str,
    Field(description="Occurrence of a series, as list_events shows it; by default the entire series.", max_length=40),
]
Following = Annotated[bool, Field(description="Apply to that occurrence and all later ones.")]
Title = Annotated[str, Field(description="Title of the event.", min_length=1, max_length=1_000)]
Starts = Annotated[str, Field(description="Start: 2026-03-17T10:00, or 2026-03-17 for all-day events.")]
Ends = Annotated[
    str | None,
    Field(description="End; for all-day events the day after the last. By default an hour or a day after the start."),
]
TimeZone = Annotated[str | None, Field(description="Time zone of the times, such as Europe/Vienna.", max_length=100)]
Text = Annotated[str | None, Field(description="Description of the event.", max_length=20_000)]
Location = Annotated[str | None, Field(description="Location.", max_length=1_000)]
Attendees = Annotated[
    list[Annotated[str, Field(max_length=1_000)]] | None,
    Field(description="All attendees, such as 'Ada Berg <ada.berg@example.com>'.", max_length=200),
]
Repeat = Annotated[
    str | None,
    Field(
        description="Recurrence rule (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU;COUNT=10; empty: not a series.",
        max_length=500,
    ),
]
Busy = Annotated[bool | None, Field(description="Whether the time counts as busy.")]
Comment = Annotated[str, Field(description="Note to add to the notification mail.", max_length=5_000)]
Offset = Annotated[int, Field(description="Records to skip; use next_offset of the previous page.", ge=0)]


@tool(mcp, bulk=True)
def list_calendars() -> reading.CalendarList:
    """List the owner's calendars, and the people whose free times can be looked up."""
    return reading.list_calendars(current_place())


@tool(mcp, bulk=True)
def list_events(
    since: Annotated[str, Field(description="Start date or time; by default now.", max_length=40)] = "",
    until: Annotated[
        str, Field(description="End date or time, a date inclusive; by default after 30 days.", max_length=40)
    ] = "",
    query: Annotated[
        str, Field(description="Words that must all occur in the title, text, location or people.", max_length=1_000)
    ] = "",
    calendar: Annotated[
        str | None, Field(description="Calendar name or title; by default all.", max_length=200)
    ] = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Events per page.", ge=1, le=200)] = 50,
) -> reading.Events:
    """List events between two times, oldest first; each occurrence of a series is listed, exceptions included."""
    return reading.list_events(current_place(), since, until, query, calendar, offset, limit)


@tool(mcp, bulk=True)
def read_event(event_id: EventId, occurrence: Occurrence = "") -> reading.EventView:
    """Read an event or series: text, attendees with answers (none: not yet), rule, skipped dates, exceptions."""
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
    calendar: Annotated[str, Field(description="Calendar to add it to.", max_length=200)] = "primary",
) -> telling.Done:
    """Create an event or a series; attendees are notified."""
    event_changes = updates.EventWishes(title, starts, ends, time_zone, description, location, attendees, repeat, busy)
    return updates.create_event(current_place(), event_changes, calendar)


@tool(mcp, bulk=True, writes=True, destructive=True)
def update_event(
    event_id: EventId,
    occurrence: Occurrence = "",
    following: Following = False,
    title: Annotated[str | None, Field(description="New title.", min_length=1, max_length=1_000)] = None,
    starts: Annotated[str | None, Field(description="New start; the duration is kept.")] = None,
    ends: Annotated[str | None, Field(description="New end; for all-day events the day after the last.")] = None,
    time_zone: TimeZone = None,
    description: Text = None,
    location: Location = None,
    attendees: Attendees = None,
    repeat: Repeat = None,
    busy: Busy = None,
    calendar: Annotated[str | None, Field(description="Calendar to move it to.", max_length=200)] = None,
) -> telling.Done:
    """Change given fields of an event, a series, one occurrence, or it and all later ones; attendees are
    notified.
    """
    event_changes = updates.EventWishes(title, starts, ends, time_zone, description, location, attendees, repeat, busy)
    return updates.update_event(current_place(), event_id, event_changes, occurrence, calendar, following=following)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def cancel_event(
    event_id: EventId, occurrence: Occurrence = "", following: Following = False, comment: Comment = ""
) -> telling.Done:
    """Cancel an event, a series, one occurrence, or it and all later ones; attendees or organizer are notified."""
    return updates.cancel_event(current_place(), event_id, occurrence, comment, following=following)


@tool(mcp, bulk=True, writes=True)
def answer_invitation(
    answer: Annotated[updates.Given, Field(description="The owner's answer.")],
    event_id: Annotated[str, Field(description="Id of the event, from list_events.", max_length=500)] = "",
    occurrence: Occurrence = "",
    comment: Comment = "",
    path: Annotated[
        InFile | None,
        Field(description="Invitation from a mail as an .ics file, if the calendar does not have it yet."),
    ] = None,
) -> telling.Done:
    """Answer an invitation, by event_id or by path; the organizer is notified."""
    if bool(event_id) == bool(path):
        raise Problem("give event_id for an event in the calendar, or path for an invitation that came by mail")
    data = path.read_bytes() if path and check_bytes(path, MAX_BYTES) else None
    return updates.answer_invitation(current_place(), answer, event_id, data, occurrence, comment)


@tool(mcp, bulk=True)
def find_free_times(
    people: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(description="Addresses of the attendees besides the owner.", max_length=50),
    ],
    minutes: Annotated[int, Field(description="Duration needed.", ge=1, le=1_440)],
    since: Annotated[str, Field(description="Start date or time; by default now.", max_length=40)] = "",
    until: Annotated[
        str, Field(description="End date or time, a date inclusive; by default after 30 days.", max_length=40)
    ] = "",
    day_starts: Annotated[
        str, Field(description="Start of the working day, in each person's time zone.", max_length=8)
    ] = "09:00",
    day_ends: Annotated[
        str, Field(description="End of the working day, in each person's time zone.", max_length=8)
    ] = "17:00",
    weekends: Annotated[bool, Field(description="Include Saturdays and Sundays.")] = False,
    offset: Offset = 0,
) -> free_times.FreeTimes:
    """Find times when the owner and all attendees are free, within everyone's working day."""
    return free_times.find_free_times(
        current_place(), people, since, until, minutes, day_starts, day_ends, weekends=weekends, offset=offset
    )
