"""Reading events of the app `calendar`, with separate code: our parser for lines, dateutil for series.

An unreadable file is skipped if it was already unreadable in the initial world.
"""

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice, takewhile
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.content_lines import ContentLine, content_lines, unfold_lines
from yardkit.evaluators.readers.files import keeps_outcomes, require_file_in, same_file
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading

MAX_BYTES = 5_000_000
"""Of one file."""
_MOST_KNOWN, _MAX_KNOWN_BYTES = 8192, 10_000
"""Files whose events are kept in memory, and the largest of them."""
MAX_STARTS = 20_000
"""Starts of one series that are looked at."""
_PARTS = {
    "DAILY": {"BYMONTH", "BYMONTHDAY", "BYDAY"},
    "WEEKLY": {"BYMONTH", "BYMONTHDAY", "BYDAY"},
    "MONTHLY": {"BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS"},
    "YEARLY": {"BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "BYYEARDAY", "BYWEEKNO"},
}
"""By frequency the parts of rules that can be looked at: others may have no date, which takes long to find out."""
_COUNTED = re.compile(r"[1-9][0-9]{0,5}")
"""What COUNT and INTERVAL may be."""
_YEARS = range(1900, 2200)
"""Of events: near the ends of the calendar, times cannot be counted with."""
_LONGEST = dict.fromkeys(range(1, 13), 31) | dict.fromkeys((4, 6, 9, 11), 30) | {2: 29}
"""Days of each month at most."""

_MAX_ZONE_RULES = 20
When = datetime | date
Zones = dict[str, tzinfo]


@dataclass(frozen=True)
class SeenEvent:
    """An event, a series, or an exception of one (`occurrence` is the start that it replaces).

    Attributes:
        user, calendar: the folders of its file.
        starts, ends: times with their zones, or days.
        guests: the answer of each guest by address, both in lower case.
        organizer: an address in lower case; empty if there is none.
    """

    user: str
    calendar: str
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
    organizer: str = ""
    guests: tuple[tuple[str, str], ...] = ()
    status: str = "confirmed"
    busy: bool = True

    @property
    def key(self) -> str:
        """The key of the event in a world."""
        at = f"@{format_instant(self.occurrence)}" if self.occurrence is not None else ""
        return f"{self.user}/{self.calendar}/{self.uid}{at}"

    @property
    def people(self) -> list[str]:
        """The addresses of the guests, in order."""
        return sorted(address for address, _ in self.guests)


def read_events(submission: Submission, user: str = "*", calendar: str = "*") -> list[SeenEvent]:
    """Read all events of a world, of one person or of one calendar.

    Raises:
        InvalidArtifact: a new or changed file cannot be read.
    """
    root, events = submission.apps / "calendar", []
    for path in sorted(root.glob(f"{user}/{calendar}/*.ics")):
        relative = path.relative_to(submission.apps).as_posix()
        try:
            events += read_file(submission.apps, relative)
        except InvalidArtifact:
            old = submission.untouched.apps / relative if submission.before else path
            if not same_file(old, path):
                raise
    return events


def read_file(apps: Path, relative: str) -> list[SeenEvent]:
    """Read the events of a file, given by its path below the apps.

    Raises:
        InvalidArtifact: it cannot be read.
    """
    path = require_file_in(apps, relative, MAX_BYTES)
    _, user, calendar, _ = relative.split("/")
    with watch_reading(path):
        try:
            data = path.read_bytes()
            parsed = _parse_known(data) if len(data) <= _MAX_KNOWN_BYTES else _parse_calendar(data)
        except (InvalidArtifact, ValueError, OverflowError, KeyError, TypeError) as error:
            raise InvalidArtifact(f"{relative} cannot be read as a calendar ({error})") from error
    return [replace(event, user=user, calendar=calendar) for event in parsed]


def _parse_calendar(data: bytes) -> tuple[SeenEvent, ...]:
    """The events of a file, without the names of their user and calendar."""
    zones = _read_zones(data)
    events = [_make_event(lines, zones) for lines in _list_components(data, "VEVENT")]
    starts = next((event.starts for event in events if event.occurrence is None), None)
    return tuple(_align_dates(event, starts) for event in events)


# Leaves ask again and again when people are busy, and mostly of files that no one has changed.
_parse_known = keeps_outcomes(_MOST_KNOWN)(_parse_calendar)


def list_happenings(events: list[SeenEvent], since: datetime, until: datetime) -> list[SeenEvent]:
    """List the events that begin from `since` on and before `until`, each date of a series as a separate event.

    Days, and times without a zone, are in the zone of `since`. Cancelled events are left out.
    """
    zone = since.tzinfo or UTC
    moved = {
        (changed_event.user, changed_event.calendar, changed_event.uid, format_instant(changed_event.occurrence, zone))
        for changed_event in events
        if changed_event.occurrence
    }
    occurring = []
    for event in events:
        for dated_event in _list_dates(event, since, until, zone):
            name = (event.user, event.calendar, event.uid, format_instant(dated_event.starts, zone))
            if not (event.occurrence is None and event.rule and name in moved) and event.status != "cancelled":
                occurring.append(dated_event)
    return sorted(
        occurring, key=lambda dated_event: (_to_moment(dated_event.starts, zone), dated_event.title, dated_event.key)
    )


def format_instant(when: When | None, zone: tzinfo = UTC) -> str:
    """Format a moment uniquely: as the day, or as the time in UTC."""
    if when is None or not isinstance(when, datetime):
        return when.isoformat() if when else ""
    return _to_moment(when, zone).astimezone(UTC).isoformat()


def _list_components(data: bytes, kind: str) -> Iterator[list[ContentLine]]:
    """The properties of each component of a kind, without those of what is in it, such as alarms."""
    within: list[str] = []
    lines: list[ContentLine] = []
    for line in content_lines(data):
        if line.name == "BEGIN":
            within.append(line.value.strip().upper())
            lines = [] if within[-1] == kind else lines
        elif line.name == "END":
            ended = within.pop() if within else ""
            if ended != line.value.strip().upper():
                raise InvalidArtifact(f"END:{line.value} ends a component that did not begin")
            if ended == kind:
                yield lines
        elif within and within[-1] == kind:
            lines.append(line)
    if within:
        raise InvalidArtifact(f"{within[-1]} has no end")


def _read_zones(data: bytes) -> Zones:
    """The zones that a file describes, by the names that it gives them; other files may mean others by them."""
    from dateutil.tz import tzical

    zones: Zones = {}
    for block in re.findall(r"BEGIN:VTIMEZONE\n.*?END:VTIMEZONE", "\n".join(unfold_lines(data)), re.DOTALL):
        rules = re.findall(r"^RRULE:(.*)$", block, re.MULTILINE)
        if len(rules) <= _MAX_ZONE_RULES and all("FREQ=YEARLY" in rule and "BYDAY=" in rule for rule in rules):
            zone_lines = [line for line in block.split("\n") if not line.startswith(("X-", "LAST-MODIFIED", "TZURL"))]
            with suppress(ValueError):  # one that is damaged is none
                described = tzical(io.StringIO("\r\n".join(zone_lines) + "\r\n"))
                names = described.keys()
                zones |= {name: zone for name in names if (zone := described.get(name))}
    return zones


def _align_dates(event: SeenEvent, starts: When | None) -> SeenEvent:
    """An event whose single dates are said as its series says its start; some programs write days for times."""

    def align(when: When) -> When:
        if isinstance(starts, datetime) and not isinstance(when, datetime):
            return datetime.combine(when, starts.time(), starts.tzinfo)
        if isinstance(starts, datetime) and isinstance(when, datetime) and when.tzinfo is None:
            return when.replace(tzinfo=starts.tzinfo)
        if starts is not None and not isinstance(starts, datetime) and isinstance(when, datetime):
            return (when + timedelta(hours=12)).date() if when.tzinfo else when.date()
        return when

    return replace(
        event,
        skipped=tuple(map(align, event.skipped)),
        extra=tuple(map(align, event.extra)),
        occurrence=None if event.occurrence is None else align(event.occurrence),
    )


def _make_event(lines: list[ContentLine], zones: Zones) -> SeenEvent:
    first = {line.name: line for line in reversed(lines)}
    starts = _parse_time(first["DTSTART"], zones)
    text = {name: line.text for name, line in first.items()}
    ends = _find_end(first, starts, zones)
    if starts.year not in _YEARS or ends.year not in _YEARS:
        raise InvalidArtifact(f"an event from {starts} to {ends} cannot be evaluated")
    several = {name: tuple(_list_times(lines, name, zones)) for name in ("EXDATE", "RDATE")}
    guests = [
        (_parse_address(line), line.params.get("PARTSTAT", "NEEDS-ACTION").lower())
        for line in lines
        if line.name == "ATTENDEE"
    ]
    return SeenEvent(
        "",
        "",
        text["UID"],
        text.get("SUMMARY", "").strip(),
        starts,
        ends,
        text.get("DESCRIPTION", ""),
        text.get("LOCATION", ""),
        _normalize_rule(first["RRULE"].value.upper(), starts) if "RRULE" in first else "",
        several["EXDATE"],
        several["RDATE"],
        _parse_time(first["RECURRENCE-ID"], zones) if "RECURRENCE-ID" in first else None,
        _parse_address(first["ORGANIZER"]) if "ORGANIZER" in first else "",
        tuple(sorted(guests)),
        text.get("STATUS", "confirmed").lower(),
        text.get("TRANSP", "").upper() != "TRANSPARENT",
    )


def _normalize_rule(text: str, starts: When) -> str:
    """A rule that can be followed, whose dates are found in a moment, be there any or none."""
    wall = _to_wall_time(starts)
    idle = {f"BYHOUR={wall.hour}", f"BYMINUTE={wall.minute}", f"BYSECOND={wall.second}", "RSCALE=GREGORIAN"}
    text = ";".join(part for part in text.split(";") if re.sub(r"=0+(?=\d)", "=", part) not in {*idle, "SKIP=OMIT"})
    parts = dict(part.partition("=")[::2] for part in text.split(";"))
    choices = _PARTS.get(parts.get("FREQ", ""))
    unsupported = {part for part in parts if part.startswith("BY")} - (choices or set())
    months, days = (
        [int(choice) for choice in parts.get(name, "").split(",") if choice] for name in ("BYMONTH", "BYMONTHDAY")
    )
    uncounted = [name for name in ("COUNT", "INTERVAL") if not _COUNTED.fullmatch(parts.get(name, "1"))]
    if (
        choices is None
        or unsupported
        or uncounted
        or (days and not any(abs(day) <= _LONGEST[m] for m in months or _LONGEST for day in days))
    ):
        raise InvalidArtifact(f"the series {text!r} cannot be evaluated")
    _follow_rule(text, starts)
    return text


def _find_end(first: dict[str, ContentLine], starts: When, zones: Zones) -> When:
    if "DTEND" in first:
        ends = _parse_time(first["DTEND"], zones)
        if isinstance(starts, datetime) and isinstance(ends, datetime) and starts.tzinfo and ends.tzinfo:
            ends = ends.astimezone(starts.tzinfo)  # the end of a flight may be said by another clock
        # Some programs end a single day on the day itself.
        return ends + timedelta(days=1) if ends == starts and not isinstance(starts, datetime) else ends
    match = re.fullmatch(
        r"\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text_of(first, "DURATION")
    )
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match else (0, 0, 0, 0, 0)
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    if "DURATION" not in first and not isinstance(starts, datetime):
        length = timedelta(days=1)
    return starts + length


def text_of(first: dict[str, ContentLine], name: str) -> str:
    """Return the value of a property; empty if there is none."""
    return first[name].value if name in first else ""


def _list_times(lines: list[ContentLine], name: str, zones: Zones) -> Iterator[When]:
    for line in lines:
        if line.name == name:
            yield from (_parse_time(replace(line, value=part.split("/")[0]), zones) for part in line.value.split(","))


def _parse_time(line: ContentLine, zones: Zones) -> When:
    text = line.value.strip()
    if "T" not in text:
        return datetime.strptime(text, "%Y%m%d").replace(tzinfo=UTC).date()
    wall = datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - its zone comes with the next lines
    if text.endswith("Z"):
        return wall.replace(tzinfo=UTC)
    zone = line.params.get("TZID", "")
    if not zone:
        return wall
    try:
        return wall.replace(tzinfo=ZoneInfo(zone.strip("/").removeprefix("freeassociation.sourceforge.net/")))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        if zone in zones:
            return wall.replace(tzinfo=zones[zone])
        raise InvalidArtifact(f"{zone!r} is not a time zone") from error


def _parse_address(line: ContentLine) -> str:
    return re.sub("^mailto:", "", line.value.strip(), flags=re.IGNORECASE).casefold()


def _to_moment(when: When, zone: tzinfo) -> datetime:
    if not isinstance(when, datetime):
        return datetime.combine(when, time.min, zone)
    return when if when.tzinfo else when.replace(tzinfo=zone)


def _list_dates(event: SeenEvent, since: datetime, until: datetime, zone: tzinfo) -> Iterator[SeenEvent]:
    """The dates of an event or series that begin from `since` on and before `until`."""
    if not event.rule and not event.extra:
        if since <= _to_moment(event.starts, zone) < until:
            yield event
        return
    by_rule = takewhile(lambda start: _to_moment(start, zone) < until, _list_rule_starts(event))
    starts = [*islice(by_rule, MAX_STARTS), *event.extra]
    within = [start for start in starts if since <= _to_moment(start, zone) < until]
    skipped = {format_instant(when, zone) for when in event.skipped}
    length = _to_wall_time(event.ends) - _to_wall_time(event.starts)
    for start in {format_instant(when, zone): when for when in within}.values():
        if format_instant(start, zone) not in skipped:
            yield replace(event, starts=start, ends=_restore_kind(_to_wall_time(start) + length, start))


def _list_rule_starts(event: SeenEvent) -> Iterator[When]:
    """List the starts by the rule, by the clock of the event's zone."""
    if not event.rule:
        yield event.starts
        return
    for start in _follow_rule(event.rule, event.starts):
        yield _restore_kind(start, event.starts)


def _follow_rule(rule: str, starts: When) -> Iterable[datetime]:
    """Yield the starts by a rule, by the clock of the event's zone; ValueError for an invalid rule."""
    from dateutil.rrule import rrulestr

    rule = re.sub(r"UNTIL=([0-9TZ]+)", lambda match: f"UNTIL={_bound_last(match[1], starts)}", rule)
    rule_dates: Iterable[datetime] = rrulestr(rule, dtstart=_to_wall_time(starts))
    return rule_dates


def _bound_last(until: str, starts: When) -> str:
    if "T" not in until:
        return f"{until}T235959"
    zone = starts.tzinfo if isinstance(starts, datetime) else None
    last = datetime.strptime(until.rstrip("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    return f"{last.astimezone(zone) if zone and until.endswith('Z') else last:%Y%m%dT%H%M%S}"


def _to_wall_time(when: When) -> datetime:
    return when.replace(tzinfo=None) if isinstance(when, datetime) else datetime.combine(when, time.min)


def _restore_kind(wall: datetime, like: When) -> When:
    return wall.replace(tzinfo=like.tzinfo) if isinstance(like, datetime) else wall.date()
