"""Events read from .ics files, which other programs may have written or spoilt."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from yardkit.apps.calendar import Answer, Attendee, Event, Status, When
from yardkit.world import Problem

if TYPE_CHECKING:
    import icalendar

MAX_BYTES = 2_000_000
"""Of one file."""
MAX_EXCEPTIONS = 2_000
"""Exceptions, skipped and extra starts of one series."""
FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Events lie between these years."""
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "BYYEARDAY"} | {
    "BYWEEKNO"
}
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

    A guest who is invited to single dates of a series has a file without the series itself.
    """

    main: Event | None
    exceptions: tuple[Event, ...]

    @property
    def uid(self) -> str:
        return self.head.uid

    @property
    def head(self) -> Event:
        """The series, or the first of the dates that there are."""
        return self.main or self.exceptions[0]


def read_calendar(data: bytes) -> "icalendar.Calendar":
    """The components of a file, to be changed.

    Raises:
        Problem: it is not a calendar.
    """
    from icalendar import Calendar

    if len(data) > MAX_BYTES:
        raise Problem(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    try:
        parsed_calendar = Calendar.from_ical(data)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Problem(f"the file is not a valid calendar ({error})") from error
    if not isinstance(parsed_calendar, Calendar):
        raise Problem("the file is not a calendar: it does not begin with VCALENDAR")
    return parsed_calendar


@lru_cache(maxsize=20_000)
def read_series(data: bytes) -> Series:
    """The events of a file.

    Raises:
        Problem: it holds none, or one that cannot be understood.
    """
    events = [_parse_event(component) for component in read_calendar(data).walk("VEVENT")]
    if not events:
        raise Problem("the file contains no event")
    if len({event.uid for event in events}) > 1 or len(events) > MAX_EXCEPTIONS:
        raise Problem("the file contains several unrelated events")
    mains = [event for event in events if event.occurrence is None]
    if len(mains) > 1:
        raise Problem(f"the file contains the event {mains[0].uid} twice")
    return Series(mains[0] if mains else None, tuple(event for event in events if event.occurrence is not None))


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
    parts = dict(part.partition("=")[::2] for part in rule.upper().removeprefix("RRULE:").split(";") if part)
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
    if broken := component.errors:
        raise Problem(f"its {broken[0][0]} cannot be read ({broken[0][1]})")
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
    organizer = component.get("ORGANIZER")
    return Event(
        uid,
        str(component.get("SUMMARY", "")),
        starts,
        _read_end(component, starts),
        str(component.get("DESCRIPTION", "")),
        str(component.get("LOCATION", "")),
        _read_rule(component, starts),
        tuple(_iter_times(component, "EXDATE")),
        tuple(_iter_times(component, "RDATE")),
        _read_when(component, "RECURRENCE-ID"),
        _parse_attendee(organizer) if organizer is not None else None,
        tuple(_parse_attendee(address) for address in _list_property_values(component, "ATTENDEE")),
        _STATUSES.get(str(component.get("STATUS", "")).upper(), "confirmed"),
        str(component.get("TRANSP", "")).upper() != "TRANSPARENT",
        int(component.get("SEQUENCE", 0)),
        getattr(component.get("DTSTAMP"), "dt", None),
    )


def _read_end(component: Any, starts: When) -> When:
    ends = _read_when(component, "DTEND")
    duration = component.get("DURATION")
    if ends is None:
        ends = starts + (duration.dt if duration is not None else timedelta(days=1 if is_full_day(starts) else 0))
    if ends.year > LAST_YEAR:
        raise Problem(f"it ends on {ends}, after the year {LAST_YEAR}")
    if is_full_day(ends) != is_full_day(starts) or to_moment(ends, UTC) < to_moment(starts, UTC):
        raise Problem(f"it ends ({ends}) before it starts ({starts}), or only one of the two is a date")
    return ends


def _read_rule(component: Any, starts: When) -> str:
    rules = _list_property_values(component, "RRULE")
    if len(rules) > 1 or "EXRULE" in component:
        raise Problem("it has several recurrence rules, which is not supported")
    rule = rules[0].to_ical().decode("utf-8") if rules else ""
    if rule:
        from dateutil.rrule import rrulestr

        parts = checked_rule(rule)
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
    values = [value.dt for listed in _list_property_values(component, name) for value in listed.dts]
    if len(values) > MAX_EXCEPTIONS:
        raise Problem(f"it has {len(values):,} times {name}; the limit is {MAX_EXCEPTIONS:,}")
    yield from (_in_years(name, value[0] if isinstance(value, tuple) else value) for value in values)


def _list_property_values(component: Any, name: str) -> list[Any]:
    value = component.get(name, [])
    return value if isinstance(value, list) else [value]


def _parse_attendee(address: Any) -> Attendee:
    params = address.params
    bare = re.sub("^mailto:", "", str(address), flags=re.IGNORECASE)
    answer = _ANSWERS.get(str(params.get("PARTSTAT", "")).upper(), "needs-action")
    return Attendee(bare, str(params.get("CN", "")), answer, str(params.get("ROLE", "")).upper() == "OPT-PARTICIPANT")
