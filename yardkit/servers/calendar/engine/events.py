"""Events read from .ics files, which other programs may have written or spoilt."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.apps.calendar import Answer, Attendee, Event, Status, When
from yardkit.kit.memory import Memory
from yardkit.servers.calendar.engine.calendar_files import read_calendar
from yardkit.world import Problem

_KEPT_BYTES = 32_000_000
"""Of files that were read and are kept for the next call."""
MAX_EXCEPTIONS = 2_000
"""Exceptions, skipped and extra starts of one series."""
FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Events lie between these years."""
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "BYYEARDAY"} | {
    "BYWEEKNO"
}
_TIMES = ("DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "EXDATE", "RDATE", "RECURRENCE-ID")
"""Properties without which nobody knows when an event happens."""
_OTHERS = {"VTODO": "task", "VJOURNAL": "journal entry", "VFREEBUSY": "list of busy times"}
"""Components of calendars that are no events."""
_INTEGER, _MONTH = "0*[1-9][0-9]{0,8}", "0?[1-9]|1[0-2]"
_NUMBERS = {
    "INTERVAL": (_INTEGER, "a whole number from 1 on"),
    "COUNT": (_INTEGER, "a whole number from 1 on"),
    "BYMONTH": (f"({_MONTH})(,({_MONTH}))*", "months as numbers from 1 to 12"),
}
_ANSWERS: dict[str, Answer] = {"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative"}
_STATUSES: dict[str, Status] = {"TENTATIVE": "tentative", "CANCELLED": "cancelled"}


@dataclass(frozen=True)
class Series:
    """What a file holds: an event or a series, and its exceptions by the key of the start that they stand for.

    A guest who is invited to single dates of a series has a file without the series itself. notes: what of the file
    could not be read.
    """

    main: Event | None
    exceptions: tuple[Event, ...]
    notes: tuple[str, ...] = ()

    @property
    def uid(self) -> str:
        return self.head.uid

    @property
    def head(self) -> Event:
        """The series, or the first of the dates that there are."""
        return self.main or self.exceptions[0]


def read_series(data: bytes) -> Series:
    """The events of a file.

    Raises:
        Problem: it holds none, or one that cannot be understood.
    """
    digest = hashlib.blake2b(data, digest_size=16).digest()
    return _read_files.recall(digest, lambda: _read_series(data), lambda _: 2_000 + 4 * len(data))


_read_files = Memory[bytes, Series](_KEPT_BYTES)


def _read_series(data: bytes) -> Series:
    calendar = read_calendar(data)
    components = calendar.walk("VEVENT")
    try:
        events = [_parse_event(component) for component in components]
    except Problem as problem:
        raise Problem(f"{problem}{_describe_components(components)}") from problem
    if not events:
        raise Problem(f"the file contains no event{_describe_others(calendar)}")
    if len({event.uid for event in events}) > 1 or len(events) > MAX_EXCEPTIONS:
        raise Problem("the file contains several unrelated events")
    mains = [event for event in events if event.occurrence is None]
    if len(mains) > 1:
        raise Problem(f"the file contains the event {mains[0].uid} twice")
    main = align_event(mains[0], mains[0].starts) if mains else None
    exceptions = (event for event in events if event.occurrence is not None)
    aligned = tuple(align_event(event, main.starts if main else None) for event in exceptions)
    return Series(main, aligned, tuple(_list_notes(calendar, events)))


def _describe_components(components: Sequence[Any]) -> str:
    """What a file holds that cannot be read, so that nobody takes its event for one that does not exist."""
    texts = [f"{_read_text(component, 'SUMMARY')!r}" for component in components if "SUMMARY" in component]
    return f"; it holds {', '.join(texts[:3])}" if texts else ""


def _describe_others(calendar: Any) -> str:
    """What a file without events holds, such as the tasks that some programs keep in calendars."""
    others = [(kind, component) for name, kind in _OTHERS.items() for component in calendar.walk(name)]
    texts = [f"the {kind} {_read_text(component, 'SUMMARY')!r}".removesuffix(" ''") for kind, component in others]
    return f", but {', '.join(texts[:3])}, which only the program that made it shows" if texts else ""


def _list_notes(calendar: Any, events: Sequence[Event]) -> Iterator[str]:
    """What of a file could not be read, though its events could."""
    for component in calendar.walk():
        for name, reason in component.errors:
            yield f"its {name} cannot be read ({reason})" if name else f"a line of it cannot be read ({reason})"
    for name in dict.fromkeys(event.unknown_zone for event in events if event.unknown_zone):
        yield f"its time zone {name!r} is not known, so its times are shown as those of the reader's own clock"


def to_moment(when: When, zone: tzinfo) -> datetime:
    """A time as one with an offset; a day begins, and a clock without a zone goes, as in `zone`."""
    if not isinstance(when, datetime):
        return datetime.combine(when, time.min, zone)
    return when if when.tzinfo else when.replace(tzinfo=zone)


def is_full_day(when: When) -> bool:
    """Whether it is a day and no time."""
    return not isinstance(when, datetime)


def zone_name(when: When) -> str:
    """IANA's name of a time's zone; empty for days and for times without one."""
    zone = when.tzinfo if isinstance(when, datetime) else None
    return zone.key if isinstance(zone, ZoneInfo) else "UTC" if zone is UTC else str(zone or "")


def checked_rule(rule: str) -> dict[str, str]:
    """The parts of a rule of RFC 5545 by name.

    Raises:
        Problem: it is not a valid rule, or one that repeats more often than daily.
    """
    parts = _split_rule(rule)
    unknown = sorted(set(parts) - _PARTS)
    if unknown or parts.get("FREQ") not in _FREQUENCIES or not all(parts.values()):
        raise Problem(
            f"{rule[:200]!r} is not a supported recurrence rule; begin with FREQ= one of "
            f"{', '.join(_FREQUENCIES)}, then INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, "
            "BYSETPOS, such as FREQ=WEEKLY;BYDAY=TU;COUNT=10"
        )
    for name, (pattern, allowed_range) in _NUMBERS.items():
        if not re.fullmatch(pattern, parts.get(name, "1")):
            raise Problem(f"the rule {rule[:200]!r} has {name}={parts[name][:20]}; give {allowed_range}")
    most = 53 if parts["FREQ"] == "YEARLY" and "BYMONTH" not in parts else 5
    if any(int(number) > most for number in re.findall("[0-9]+", parts.get("BYDAY", ""))):
        raise Problem(f"the rule {rule[:200]!r} has a weekday number over {most}; check BYDAY")
    if "COUNT" in parts and "UNTIL" in parts:
        raise Problem(f"the rule {rule[:200]!r} has both COUNT and UNTIL; use one")
    return parts


def _split_rule(rule: str) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in rule.upper().removeprefix("RRULE:").split(";") if part)


def _drop_idle_parts(rule: str, starts: When) -> dict[str, str]:
    """The parts of a rule without those that say again what the start says, or what holds anyway."""
    wall = starts if isinstance(starts, datetime) else datetime.combine(starts, time.min)
    idle = {"BYHOUR": wall.hour, "BYMINUTE": wall.minute, "BYSECOND": wall.second}
    texts = {("RSCALE", "GREGORIAN"), ("SKIP", "OMIT")}
    kept_parts = {
        name: value
        for name, value in _split_rule(rule).items()
        if (name, value) not in texts and not (value.isdigit() and name in idle and int(value) == idle[name])
    }
    return checked_rule(written_rule(kept_parts))


def align_event(event: Event, starts: When | None) -> Event:
    """An event whose single dates are said as the series says its start: as times or days, in its zone."""
    if starts is None:
        return event
    return replace(
        event,
        skipped=tuple(align_start(when, starts) for when in event.skipped),
        extra=tuple(align_start(when, starts) for when in event.extra),
        periods=tuple((align_start(first, starts), align_start(last, starts)) for first, last in event.periods),
        occurrence=None if event.occurrence is None else align_start(event.occurrence, starts),
    )


def align_start(when: When, starts: When) -> When:
    """A date of a series that another program wrote: a day stands for its start, a time without a zone has its own."""
    if isinstance(starts, datetime):
        if not isinstance(when, datetime):
            return datetime.combine(when, starts.time(), starts.tzinfo)
        return when if when.tzinfo else when.replace(tzinfo=starts.tzinfo)
    if isinstance(when, datetime):  # the midnight of a day, which elsewhere may be the afternoon before
        return (when + timedelta(hours=12)).date() if when.tzinfo else when.date()
    return when


def written_rule(parts: dict[str, str]) -> str:
    """A rule of RFC 5545 from its parts by name."""
    return ";".join(f"{name}={value}" for name, value in parts.items())


def until_at(when: When) -> str:
    """UNTIL as RFC 5545 wants it for a series whose start is such a time: in UTC, without a zone, or a day."""
    if not isinstance(when, datetime):
        return f"{when:%Y%m%d}"
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}" if when.tzinfo else f"{when:%Y%m%dT%H%M%S}"


def last_by(until: str, starts: When) -> datetime:
    """UNTIL by the clock of the event's zone, within a year of those that events lie in; a day counts whole."""
    if "T" not in until:
        return _clamp_last(datetime.strptime(until, "%Y%m%d") + timedelta(days=1, seconds=-1))  # noqa: DTZ007 - a wall's clock
    last = _clamp_last(datetime.strptime(until.rstrip("Z"), "%Y%m%dT%H%M%S"))  # noqa: DTZ007
    zone = starts.tzinfo if isinstance(starts, datetime) else None
    return last.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None) if until.endswith("Z") and zone else last


def _clamp_last(last: datetime) -> datetime:
    return min(max(last, datetime(FIRST_YEAR - 1, 1, 1)), datetime(LAST_YEAR + 1, 1, 1))  # noqa: DTZ001


def _parse_event(component: Any) -> Event:
    for name, reason in component.errors:
        if name in _TIMES or (name is None and any(f"'{time_name}" in reason for time_name in _TIMES)):
            raise Problem(f"its {name or 'line'} cannot be read ({reason})")
    try:
        return _read_event(component)
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
        raise Problem(f"one of its events cannot be read ({error})") from error


def _read_event(component: Any) -> Event:
    uid, starts = str(component.get("UID", "")), _read_when(component, "DTSTART")
    if not uid or starts is None:
        raise Problem("one of its events has no UID or no DTSTART")
    if _get_single(component, "RECURRENCE-ID") is not None and "RANGE" in component["RECURRENCE-ID"].params:
        raise Problem("one of its exceptions applies to all later dates (RANGE), which is not supported")
    organizers = _list_property_values(component, "ORGANIZER")
    return Event(
        uid,
        _read_text(component, "SUMMARY"),
        starts,
        _read_end(component, starts),
        _read_text(component, "DESCRIPTION"),
        _read_text(component, "LOCATION"),
        _read_rule(component, starts),
        tuple(_iter_times(component, "EXDATE")),
        tuple(_iter_times(component, "RDATE")),
        _read_when(component, "RECURRENCE-ID"),
        _parse_attendee(organizers[0]) if organizers else None,
        tuple(_parse_attendee(address) for address in _list_property_values(component, "ATTENDEE")),
        _STATUSES.get(_read_text(component, "STATUS").upper(), "confirmed"),
        _read_text(component, "TRANSP").upper() != "TRANSPARENT",
        int(sequence) if (sequence := _read_text(component, "SEQUENCE")).isdigit() else 0,
        _read_stamp(component),
        _name_unknown_zone(component),
        tuple(_iter_periods(component)),
    )


def _read_text(component: Any, name: str) -> str:
    """The first value of a property; programs write some twice, such as a description for each language."""
    return next((str(value) for value in _list_property_values(component, name)), "")


def _read_stamp(component: Any) -> datetime | None:
    try:
        stamp = getattr(next(iter(_list_property_values(component, "DTSTAMP")), None), "dt", None)
    except ValueError:  # it is broken
        return None
    return stamp if isinstance(stamp, datetime) else None


def _name_unknown_zone(component: Any) -> str:
    value = _get_single(component, "DTSTART")
    name = str(value.params.get("TZID", ""))
    return name if isinstance(value.dt, datetime) and value.dt.tzinfo is None else ""


def _read_end(component: Any, starts: When) -> When:
    ends = _read_when(component, "DTEND")
    duration = component.get("DURATION")
    if ends is None:
        length = duration.dt if duration is not None else timedelta(days=1 if is_full_day(starts) else 0)
        if "RRULE" in component or "RDATE" in component:
            ends = starts + length  # by the clock: the first date may be the one on which it is changed
        else:
            in_hours = duration is not None and not re.search(rb"[DW]", duration.to_ical())
            ends = _add_duration(starts, length, in_hours=in_hours)
    elif isinstance(starts, datetime) and isinstance(ends, datetime) and starts.tzinfo:
        # The end of a flight may be said by the clock of where it lands, or in UTC.
        ends = ends.astimezone(starts.tzinfo) if ends.tzinfo else ends.replace(tzinfo=starts.tzinfo)
    if is_full_day(starts) and ends == starts:  # as some programs write a single day
        ends = starts + timedelta(days=1)
    if ends.year > LAST_YEAR:
        raise Problem(f"it ends on {ends}, after the year {LAST_YEAR}")
    if is_full_day(ends) != is_full_day(starts) or to_moment(ends, UTC) < to_moment(starts, UTC):
        raise Problem(f"it ends ({ends}) before it starts ({starts}), or only one of the two is a date")
    return ends


def _add_duration(starts: When, length: timedelta, *, in_hours: bool = False) -> When:
    """Days later by the clock on the wall, hours later by the time that passes (RFC 5545, 3.3.6): PT24H is no P1D."""
    if in_hours and isinstance(starts, datetime) and starts.tzinfo:
        return (starts.astimezone(UTC) + length).astimezone(starts.tzinfo)
    days = starts + timedelta(days=length.days)
    if not isinstance(days, datetime) or days.tzinfo is None:
        return days if is_full_day(days) else starts + length
    rest = timedelta(seconds=length.seconds)
    return (days.astimezone(UTC) + rest).astimezone(days.tzinfo) if rest else days


def _read_rule(component: Any, starts: When) -> str:
    rules = _list_property_values(component, "RRULE")
    rules = [rule for number, rule in enumerate(rules) if rule not in rules[:number]]
    if len(rules) > 1 or "EXRULE" in component:
        raise Problem("it has several recurrence rules, which is not supported")
    rule = rules[0].to_ical().decode("utf-8") if rules else ""
    if rule:
        from dateutil.rrule import rrulestr

        parts = _drop_idle_parts(rule, starts)
        rule = rule if parts == _split_rule(rule) else written_rule(parts)
        if until := parts.pop("UNTIL", ""):
            last_by(until, starts)
        rrulestr(written_rule(parts))
    return rule


def _read_when(component: Any, name: str) -> When | None:
    value = _get_single(component, name)
    if value is None:
        return None
    return _in_years(name, value.dt)


def _in_years(name: str, when: Any) -> When:
    if not isinstance(when, date) or not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise Problem(f"its {name} {when} is not between {FIRST_YEAR} and {LAST_YEAR}")
    return when


def _get_single(component: Any, name: str) -> Any:
    values = _list_property_values(component, name)
    if len(values) > 1:
        raise Problem(f"it has {len(values)} times {name}")
    return values[0] if values else None


def _iter_times(component: Any, name: str) -> Iterator[When]:
    values = [value.dt for dates in _list_property_values(component, name) for value in dates.dts]
    if len(values) > MAX_EXCEPTIONS:
        raise Problem(f"it has {len(values):,} times {name}; the limit is {MAX_EXCEPTIONS:,}")
    yield from (_in_years(name, value[0] if isinstance(value, tuple) else value) for value in values)


def _iter_periods(component: Any) -> Iterator[tuple[When, When]]:
    """The extra dates that say how long they are."""
    for dates in _list_property_values(component, "RDATE"):
        for period in (value.dt for value in dates.dts):
            if isinstance(period, tuple):
                start, last = period
                yield start, _add_duration(start, last) if isinstance(last, timedelta) else last


def _list_property_values(component: Any, name: str) -> list[Any]:
    value = component.get(name, [])
    return value if isinstance(value, list) else [value]


def _parse_attendee(address: Any) -> Attendee:
    params = address.params
    bare = re.sub("^mailto:", "", str(address), flags=re.IGNORECASE).strip()
    if "@" not in bare and "@" in str(params.get("EMAIL", "")):  # a path on the server, or an id
        bare = re.sub("^mailto:", "", str(params["EMAIL"]), flags=re.IGNORECASE).strip()
    answer = _ANSWERS.get(str(params.get("PARTSTAT", "")).upper(), "needs-action")
    name = params.get("CN", "")
    name = ", ".join(name) if isinstance(name, list) else str(name)  # a comma that nobody quoted
    return Attendee(bare, name, answer, str(params.get("ROLE", "")).upper() == "OPT-PARTICIPANT")
