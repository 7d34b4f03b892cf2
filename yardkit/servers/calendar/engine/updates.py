"""Events made, changed, cancelled, and invitations answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import sha256
from typing import Literal

from yardkit.apps.calendar import PRIMARY, Answer, Attendee, Event, When, calendar_file, file_name, file_of
from yardkit.servers.calendar.engine.calendar_files import read_calendar, require_lines
from yardkit.servers.calendar.engine.components import Opened, moved_series, shift_time, with_until_at
from yardkit.servers.calendar.engine.events import Series, is_full_day, read_series, to_moment
from yardkit.servers.calendar.engine.invitations import attendees_of
from yardkit.servers.calendar.engine.occurrences import (
    key_of,
    require_start,
    ruled_starts,
    starts_of,
    wall_of,
)
from yardkit.servers.calendar.engine.places import (
    File,
    Place,
    StoredEvent,
    find_calendar,
    find_event,
    list_stored_events,
    zone_named,
    zone_of,
)
from yardkit.servers.calendar.engine.reading import date_of_series, format_when, my_answer, parse_when
from yardkit.servers.calendar.engine.splitting import Halves, split_series
from yardkit.servers.calendar.engine.telling import (
    Done,
    announce_change,
    announce_end,
    announce_split,
    mail_people,
    notify_people,
    send_answer,
)
from yardkit.world import Problem

MAX_ATTENDEES = 200
MAX_INVITATION_LINES, MAX_INVITATION_BYTES = 3_000, 300_000
"""An invitation is read several times over until it is answered, and no deadline ends that: at most two seconds."""
Given = Literal["accepted", "declined", "tentative"]


@dataclass(frozen=True)
class EventWishes:
    """What a caller wants an event to be. What is None stays as it is."""

    title: str | None = None
    starts: str | None = None
    ends: str | None = None
    time_zone: str | None = None
    description: str | None = None
    location: str | None = None
    attendees: Sequence[str] | None = None
    rule: str | None = None
    busy: bool | None = None


def create_event(place: Place, event_changes: EventWishes, calendar: str = PRIMARY) -> Done:
    """A new event in a calendar of the owner's; those who are invited get a mail.

    Raises:
        Problem: a time, an address or the rule is not valid, or there is no such calendar.
    """
    with place.lock_for_change():
        info = find_calendar(place, calendar)
        zone = zone_named(event_changes.time_zone) if event_changes.time_zone else zone_of(place, place.owner)
        starts = parse_when(event_changes.starts or "", zone)
        blank = Event("", "", _to_zone(starts, zone), _to_zone(_default_end(starts), zone))
        event = _begun_by_rule(_check_event(_apply_changes(place, blank, event_changes, zone)))
        event = replace(event, uid=_free_uid(place, event), stamp=place.now.astimezone(UTC))
        data = calendar_file([event])
        read_series(data)  # before anybody is told of what cannot be read
        place.save(info.name, file_name(event.uid), data)
        return notify_people(place, "created", event, "REQUEST", event.attendees)


def update_event(
    place: Place,
    event_id: str,
    event_changes: EventWishes,
    occurrence: str = "",
    calendar: str | None = None,
    *,
    following: bool = False,
) -> Done:
    """Change an event, a whole series, or with `occurrence` one date of it; those who are invited get a mail.

    With `following` what follows that date is changed, too: the series ends before it, and a new one begins with it.

    Raises:
        Problem: there is no such event or date, the owner is only a guest, or the change is not valid.
    """
    _require_date(occurrence, following)
    if event_changes == EventWishes() and calendar is None:
        raise Problem("there is nothing to change; give at least one field to change")
    with place.lock_for_change():
        stored_event = find_event(place, event_id)
        _require_organizer(place, stored_event.series.head)
        opened, zone = Opened(stored_event), zone_of(place, place.owner)
        if following:
            return _change_following(place, stored_event, event_changes, occurrence, calendar)
        if occurrence:
            old, new = _change_date(place, opened, event_changes, occurrence, zone)
        else:
            old, new = _change_all(place, opened, stored_event.series, event_changes)
        _save_event(place, stored_event, opened, calendar)
        return announce_change(place, old, new, occurrence)


def cancel_event(
    place: Place, event_id: str, occurrence: str = "", comment: str = "", *, following: bool = False
) -> Done:
    """Take an event, or one date of a series, out of the calendar. Guests are told; a guest's own is declined.

    With `following` also what follows that date: the series ends before it.

    Raises:
        Problem: there is no such event or date.
    """
    _require_date(occurrence, following)
    with place.lock_for_change():
        stored_event = find_event(place, event_id)
        head = stored_event.series.head
        if following:
            date, halves = _split_series(place, stored_event, occurrence)
            if halves.before is not None:
                return _end_series(place, stored_event, halves, date, comment)
            occurrence = ""
        event = head
        if occurrence:
            opened, zone = Opened(stored_event), zone_of(place, place.owner)
            happening = date_of_series(stored_event.series, occurrence, zone)
            event = replace(
                _make_single(happening.event, happening.starts, happening.ends), occurrence=happening.occurrence
            )
            _skip_date(opened, stored_event.series, happening.event, happening.occurrence)
            _save_event(place, stored_event, opened)
        else:
            place.remove(stored_event.calendar, stored_event.file.name)
        event = replace(event, status="cancelled", sequence=event.sequence + 1, stamp=place.now.astimezone(UTC))
        if _is_foreign(place, head):
            return send_answer(place, event, "declined", comment, "removed")
        return Done("cancelled", event.uid, event.title, *mail_people(place, event, "CANCEL", event.attendees, comment))


def answer_invitation(
    place: Place, answer: Given, event_id: str = "", data: bytes | None = None, occurrence: str = "", comment: str = ""
) -> Done:
    """Say whether the owner comes, to the one who invites. An invitation from a file comes into the calendar.

    Raises:
        Problem: there is no such event or date, or the owner is not invited to it.
    """
    with place.lock_for_change():
        stored_event = _import_invitation(place, data) if data is not None else find_event(place, event_id)
        opened, zone = Opened(stored_event), zone_of(place, place.owner)
        events = [stored_event.series.main, *stored_event.series.exceptions]
        if occurrence:
            happening = date_of_series(stored_event.series, occurrence, zone)
            events = [
                _find_exception(opened, stored_event.series, happening.event, happening.occurrence, happening.ends)
            ]
        asked = [event for event in events if event is not None and my_answer(place, event) is not None]
        if not asked:
            raise Problem(
                f"the owner, {place.owner}, is not invited to {stored_event.series.head.title!r}, so there is no "
                "invitation to answer"
            )
        changed = [_with_answer(place, opened, event, answer) for event in asked]
        if not _is_foreign(place, changed[0]):
            raise Problem(f"the event {changed[0].title!r} is the owner's own, so there is no invitation to answer")
        _save_event(place, stored_event, opened)
        return send_answer(place, changed[0], answer, comment, "answered")


def _apply_changes(place: Place, old: Event, event_changes: EventWishes, zone: tzinfo) -> Event:
    """The event as it is wanted; times by the clock of `zone`."""
    starts, ends = _compute_times(old, event_changes, zone)
    attendees = old.attendees if event_changes.attendees is None else _list_invited(old, event_changes.attendees)
    rule = old.rule if event_changes.rule is None else event_changes.rule and with_until_at(event_changes.rule, starts)
    me = Attendee(place.owner, place.owner_name)
    return replace(
        old,
        title=old.title if event_changes.title is None else " ".join(event_changes.title.split()),
        starts=starts,
        ends=ends,
        description=old.description if event_changes.description is None else event_changes.description,
        location=old.location if event_changes.location is None else " ".join(event_changes.location.split()),
        attendees=attendees,
        organizer=old.organizer or (me if attendees else None),
        rule=rule,
        busy=old.busy if event_changes.busy is None else event_changes.busy,
    )


def _compute_times(old: Event, event_changes: EventWishes, zone: tzinfo) -> tuple[When, When]:
    """Start and end; where only one is given the event is as long as it was, where only the zone, the clock stays."""
    starts, ends = old.starts, old.ends
    if event_changes.time_zone and isinstance(starts, datetime) and isinstance(ends, datetime):
        starts, ends = starts.replace(tzinfo=zone), ends.replace(tzinfo=zone)
    if event_changes.starts is not None:
        length = to_moment(ends, UTC).replace(tzinfo=UTC) - to_moment(starts, UTC).replace(tzinfo=UTC)
        starts = _to_zone(parse_when(event_changes.starts, zone), zone)
        ends = shift_time(starts, length) if is_full_day(starts) == is_full_day(old.starts) else _default_end(starts)
    if event_changes.ends is not None:
        ends = _to_zone(parse_when(event_changes.ends, zone), zone)
    return starts, ends


def _default_end(starts: When) -> When:
    return shift_time(starts, timedelta(days=1) if is_full_day(starts) else timedelta(hours=1))


def _to_zone(when: When, zone: tzinfo) -> When:
    return when.astimezone(zone) if isinstance(when, datetime) else when


def _list_invited(old: Event, texts: Sequence[str]) -> tuple[Attendee, ...]:
    """Those who are to be invited; whoever was invited keeps the answer."""
    people = attendees_of(texts)
    if len(people) > MAX_ATTENDEES:
        raise Problem(f"{len(people)} attendees are too many for one event; the limit is {MAX_ATTENDEES}")
    before = {attendee.address.casefold(): attendee for attendee in old.attendees}
    return tuple(before.get(person.address.casefold(), person) for person in people)


def _check_event(event: Event) -> Event:
    if not event.title:
        raise Problem("the event has no title; give one")
    if is_full_day(event.starts) != is_full_day(event.ends):
        raise Problem(f"the event goes from {event.starts} to {event.ends}; give two dates or two times")
    if to_moment(event.ends, UTC) <= to_moment(event.starts, UTC):
        note = "; the end of a whole-day event is the day after its last" if is_full_day(event.starts) else ""
        raise Problem(f"the event ends ({event.ends}) before it starts ({event.starts}){note}")
    require_start(event)
    return event


def _require_date(occurrence: str, following: bool) -> None:
    if following and not occurrence:
        raise Problem(
            "following needs an occurrence of the series: give occurrence, or omit following to change "
            "the entire series"
        )


def _split_series(place: Place, stored_event: StoredEvent, occurrence: str) -> tuple[When, Halves]:
    """The start of a date of a series, and the series in two there."""
    zone = zone_of(place, place.owner)
    happening = date_of_series(stored_event.series, occurrence, zone)
    date = happening.occurrence or happening.starts
    return date, split_series(stored_event.series, date, zone)


def _end_series(place: Place, stored_event: StoredEvent, halves: Halves, date: When, comment: str) -> Done:
    """End a series before one of its dates."""
    before, foreign = halves.before or stored_event.series, _is_foreign(place, stored_event.series.head)
    if not foreign:
        before = _newer_series(place, before)
    opened = Opened(stored_event)
    opened.keep(before)
    _save_event(place, stored_event, opened)
    if foreign:
        event = replace(halves.rest.head, occurrence=date, stamp=place.now.astimezone(UTC))
        return send_answer(place, event, "declined", comment, "removed", following=True)
    return announce_end(place, before, halves.rest, date, comment)


def _change_following(
    place: Place, stored_event: StoredEvent, event_changes: EventWishes, occurrence: str, calendar: str | None
) -> Done:
    """Split a series at one of its dates and change the second half; all of it where nothing is before the date."""
    date, halves = _split_series(place, stored_event, occurrence)
    rest = halves.rest
    if rest.main is None or key_of(rest.main.starts, UTC) != key_of(date, UTC):
        raise Problem(
            f"{occurrence} does not match the rule of the series; change this occurrence alone, then the later ones"
        )
    fresh = Opened(stored_event)
    fresh.keep(rest)
    old, new = _change_all(place, fresh, _with_first(place, fresh, rest, event_changes, date), event_changes)
    if halves.before is None:
        _save_event(place, stored_event, fresh, calendar)
        return announce_change(place, old, new)
    target = find_calendar(place, calendar).name if calendar else stored_event.calendar
    begun = replace(new, uid=_free_uid(place, new), sequence=0)
    fresh.change_event(new, begun)
    fresh.name(begun.uid)
    ended, before = Opened(stored_event), _newer_series(place, halves.before)
    ended.keep(before)
    _save_both(place, stored_event, ended, target, fresh)
    return announce_split(place, before, rest, read_series(fresh.data()), date)


def _with_first(place: Place, opened: Opened, rest: Series, event_changes: EventWishes, date: When) -> Series:
    """What begins with a date that is an exception: it is changed as the series is, by its own time."""
    for exception in rest.exceptions:
        if exception.occurrence is not None and key_of(exception.occurrence, UTC) == key_of(date, UTC):
            if exception.starts != date and event_changes.ends is not None and event_changes.starts is None:
                raise Problem(
                    f"the occurrence {format_when(date)} was moved to {format_when(exception.starts)}; give starts, too"
                )
            zone = zone_named(event_changes.time_zone) if event_changes.time_zone else _zone_of_event(place, exception)
            changed = _check_event(_apply_changes(place, exception, replace(event_changes, rule=None), zone))
            opened.change_event(exception, changed)
            others = tuple(
                changed if series_exception is exception else series_exception for series_exception in rest.exceptions
            )
            return replace(rest, exceptions=others)
    return rest


def _newer_series(place: Place, series: Series) -> Series:
    return replace(series, main=series.main and _make_newer(place, series.main))


def _save_both(place: Place, stored_event: StoredEvent, ended: Opened, calendar: str, begun: Opened) -> None:
    """Save what begins and what ends; neither where the second cannot be saved."""
    name = file_name(read_series(begun.data()).uid)
    place.save(calendar, name, begun.data())
    try:
        _save_event(place, stored_event, ended)
    except Problem:
        place.remove(calendar, name)
        raise


def _begun_by_rule(event: Event) -> Event:
    """A series that begins with its first date by the rule: other programs count what it begins with as one."""
    first = next(ruled_starts(event))
    return replace(event, starts=first, ends=shift_time(event.ends, wall_of(first) - wall_of(event.starts)))


def _change_all(place: Place, opened: Opened, series: Series, event_changes: EventWishes) -> tuple[Event, Event]:
    old = series.head
    zone = zone_named(event_changes.time_zone) if event_changes.time_zone else _zone_of_event(place, old)
    new = _make_newer(place, _check_event(_apply_changes(place, old, event_changes, zone)))
    if old.rule and not new.rule:
        exceptions = series.exceptions
        for series_exception in exceptions:
            opened.drop_event(series_exception)
        opened.change_event(old, replace(new, skipped=(), extra=()))
        return old, new
    new, exceptions_now = moved_series(old, new, series.exceptions)
    new = _begun_by_rule(_check_event(new)) if event_changes.rule else _check_event(new)
    changes = [(old, new)]
    for before, after in zip(series.exceptions, exceptions_now, strict=True):
        if event_changes.rule is None or _is_of(new, after):
            changes.append((before, _follow_series(after, old, new)))
        else:
            opened.drop_event(before)
    opened.change_each(changes)
    return old, new


def _is_of(series: Event, exception: Event) -> bool:
    """Whether the start that an exception stands for is one of the series."""
    when = exception.occurrence or exception.starts
    starts = starts_of(series, to_moment(when, UTC) + timedelta(days=1), UTC)
    return key_of(when, UTC) in {key_of(start, UTC) for start in starts}


def _follow_series(exception: Event, old: Event, new: Event) -> Event:
    """An exception of a series that was changed: what it had from the series it has from it still."""
    same = [
        name for name in ("title", "description", "location", "attendees") if vars(exception)[name] == vars(old)[name]
    ]
    return replace(exception, **{name: vars(new)[name] for name in same})


def _change_date(
    place: Place, opened: Opened, event_changes: EventWishes, occurrence: str, zone: tzinfo
) -> tuple[Event, Event]:
    if event_changes.rule is not None:
        raise Problem("a single occurrence cannot have a recurrence rule; omit repeat or occurrence")
    series = opened.kept.series
    happening = date_of_series(series, occurrence, zone)
    old = _find_exception(opened, series, happening.event, happening.occurrence, happening.ends)
    own = zone_named(event_changes.time_zone) if event_changes.time_zone else _zone_of_event(place, old)
    new = _make_newer(place, _check_event(_apply_changes(place, old, event_changes, own)))
    opened.change_event(old, new)
    return old, new


def _find_exception(opened: Opened, series: Series, event: Event, occurrence: When | None, ends: When) -> Event:
    """The exception of a series for one of its dates, made if there is none."""
    if event.occurrence is not None or occurrence is None or series.main is None:
        return event
    new_exception = replace(_make_single(event, occurrence, ends), occurrence=occurrence)
    opened.add(new_exception, series.main)
    return new_exception


def _make_single(event: Event, starts: When, ends: When) -> Event:
    return replace(event, starts=starts, ends=ends, rule="", skipped=(), extra=())


def _skip_date(opened: Opened, series: Series, event: Event, occurrence: When | None) -> None:
    """Take one date out of a series."""
    if event.occurrence is not None:
        opened.drop_event(event)
    main = series.main
    if main is not None and occurrence is not None:
        extra = tuple(when for when in main.extra if when != occurrence)
        opened.change_event(main, replace(main, skipped=(*main.skipped, occurrence), extra=extra))


def _make_newer(place: Place, event: Event) -> Event:
    return replace(event, sequence=event.sequence + 1, stamp=place.now.astimezone(UTC))


def _zone_of_event(place: Place, event: Event) -> tzinfo:
    zone = event.starts.tzinfo if isinstance(event.starts, datetime) else None
    return zone or zone_of(place, place.owner)


def _save_event(place: Place, stored_event: StoredEvent, opened: Opened, calendar: str | None = None) -> None:
    target = find_calendar(place, calendar).name if calendar else stored_event.calendar
    if not opened.calendar.walk("VEVENT"):
        place.remove(stored_event.calendar, stored_event.file.name)
        return
    data = opened.data()
    if target != stored_event.calendar:
        _require_room(place, stored_event, target)
    place.save(target, stored_event.file.name, data)
    if target != stored_event.calendar:
        place.remove(stored_event.calendar, stored_event.file.name)


def _require_room(place: Place, stored_event: StoredEvent, target: str) -> None:
    """Refuse to move an event over another one, which came with the same id or file."""
    there, damaged = list_stored_events(place, place.owner, target)
    names = {stored_event.file.name for stored_event in there} | {damaged_file.file for damaged_file in damaged}
    if stored_event.file.name in names or stored_event.series.uid in {
        stored_event.series.uid for stored_event in there
    }:
        raise Problem(
            f"the calendar {target!r} already has the event {stored_event.series.uid!r} or its file "
            f"{stored_event.file.name}, which would be lost; create the event there with create_event, then "
            "cancel this one"
        )


def _is_foreign(place: Place, event: Event) -> bool:
    return event.organizer is not None and event.organizer.address.casefold() != place.owner.casefold()


def _require_organizer(place: Place, event: Event) -> None:
    if _is_foreign(place, event) and event.organizer is not None:
        raise Problem(
            f"the event {event.title!r} is organized by {event.organizer.address}, and only the organizer "
            "can change it. Use answer_invitation, or write to them"
        )


def _free_uid(place: Place, event: Event) -> str:
    """The same for the same event, but for a second one like it in any of the owner's calendars."""
    uids, names = set(), set()
    for info in place.calendars(place.owner):
        stored_events, damaged = list_stored_events(place, place.owner, info.name)
        uids |= {stored_event.series.uid for stored_event in stored_events}
        names |= {stored_event.file.name for stored_event in stored_events} | {
            damaged_file.file for damaged_file in damaged
        }
    number = 0
    while True:
        digest_text = "\n".join(
            [place.owner, event.title, format_when(event.starts), format_when(event.ends), str(number)]
        )
        uid = sha256(digest_text.encode("utf-8", "replace")).hexdigest()[:26]
        if uid not in uids and file_name(uid) not in names:
            return uid
        number += 1


def _with_answer(place: Place, opened: Opened, event: Event, answer: Answer) -> Event:
    own = place.owner.casefold()
    people = tuple(
        replace(attendee, answer=answer) if attendee.address.casefold() == own else attendee
        for attendee in event.attendees
    )
    changed = replace(event, attendees=people)
    opened.change_event(event, changed)
    return changed


def _import_invitation(place: Place, data: bytes) -> StoredEvent:
    """An invitation that came as a file, in the place of what the calendar had of it; single dates beside the rest."""
    if len(data) > MAX_INVITATION_BYTES:
        raise Problem(f"the invitation has {len(data):,} bytes; the limit is {MAX_INVITATION_BYTES:,}")
    require_lines(data, MAX_INVITATION_LINES)
    series = read_series(data)
    for event in (series.main, *series.exceptions):
        if event is not None:
            require_start(event)
    calendar = read_calendar(data)
    method = str(calendar.pop("method", "REQUEST")).upper()
    if method != "REQUEST":
        raise Problem(f"the file is a {method}, not an invitation; there is nothing to answer")
    try:
        old = find_event(place, series.uid)
    except Problem:
        return StoredEvent(find_calendar(place, PRIMARY).name, File(file_name(series.uid), file_of(calendar)), series)
    new = replace(old, file=File(old.file.name, file_of(calendar)), series=series)
    if series.main is not None:
        return new
    merged = Opened(old)
    merged.take_exceptions(Opened(new))
    return replace(new, file=File(old.file.name, merged.data()))
