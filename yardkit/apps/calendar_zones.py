"""Time zones as files of other programs name and describe them. What a file describes counts in that file alone."""

import re
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

if TYPE_CHECKING:
    import icalendar

_UTC_NAMES = {"utc", "z", "zulu", "gmt", "etc/utc", "tzone://microsoft/utc", "coordinated universal time"}
_OFFSET = re.compile(r"\(?(?:UTC|GMT)?\s*([+-])?(\d{1,2})?[:.]?(\d\d)?\)?(?:\s+(?P<places>.*))?", re.IGNORECASE)
_MAX_OBSERVANCES, _MAX_RULES, _MAX_DATES, _MAX_DAY = 200, 20, 2_000, 28
_RULE_PARTS = {"FREQ", "INTERVAL", "UNTIL", "COUNT", "WKST", "BYMONTH", "BYDAY", "BYMONTHDAY"}
_DATES = {"EXDATE", "RDATE", "EXRULE", "RRULE"}
_SECONDS = re.compile(r"^([+-]?P)(\d+S)$")
"""A length as Android writes it: P3600S."""
_COMPARED_YEARS = (2016, 2020, 2024, 2026, 2030)


class FileZone(tzinfo):
    """A zone that a file describes. key: how the file names it; component: its description, a VTIMEZONE."""

    def __init__(self, key: str, component: "icalendar.Timezone", hours: tzinfo) -> None:
        self.key, self.component, self._hours = key, component, hours
        self.description: bytes = component.to_ical()

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        return None if when is None else self._hours.utcoffset(when.replace(tzinfo=self._hours))

    def dst(self, when: datetime | None) -> timedelta | None:
        return None if when is None else self._hours.dst(when.replace(tzinfo=self._hours))

    def tzname(self, _: datetime | None) -> str | None:
        return self.key

    def fromutc(self, when: datetime) -> datetime:
        return self._hours.fromutc(when.replace(tzinfo=self._hours)).replace(tzinfo=self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileZone) and self.description == other.description

    def __hash__(self) -> int:
        return hash(self.description)

    def __str__(self) -> str:
        return self.key


def find_zone(name: str, described: "icalendar.Timezone | None") -> tzinfo | None:
    """The zone that a file calls `name`, and maybe describes; None for one that nobody knows.

    A name of IANA's means what it means everywhere. Any other name means what the file says; where that is what a zone
    of a similar name has, it is that one.
    """
    key = name.strip("/ \"'")
    exact = _named_zone(key)
    if exact is not None or described is None:
        return exact or _guess_zone(key)
    return _settle_zone(key, described.to_ical())


def _named_zone(key: str) -> tzinfo | None:
    if key.casefold() in _UTC_NAMES:
        return ZoneInfo("UTC")
    try:
        return ZoneInfo(key) if "/" in key else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _guess_zone(key: str) -> tzinfo | None:
    """A zone by its name in Windows, by the end of a longer name, or by the hours that it names."""
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    parts = key.split("/")
    names = [WINDOWS_TO_OLSON.get(key, ""), *("/".join(parts[start:]) for start in range(1, len(parts)))]
    known = next((zone for name in names if name and (zone := _named_zone(name))), None)
    if known is None and (match := _OFFSET.fullmatch(key)) and (match[1] or match["places"]):
        length = timedelta(hours=int(match[2] or 0), minutes=int(match[3] or 0)) * (-1 if match[1] == "-" else 1)
        if match["places"]:  # the hours of winter alone are no zone
            return _find_by_places(match["places"], length)
        if abs(length) <= timedelta(hours=14):
            return timezone(length)
    try:
        return known or ZoneInfo(key)  # CET, EST5EDT
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _find_by_places(text: str, length: timedelta) -> tzinfo | None:
    """A zone as Windows shows it: (UTC+01:00) Amsterdam, Berlin; (UTC-05:00) Eastern Time (US & Canada)."""
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    if text.strip("() ").casefold() in _UTC_NAMES and not length:
        return ZoneInfo("UTC")
    region = re.sub(r"\s+Time\b.*", "", text)
    places = {place.strip().replace(" ", "_").casefold() for place in re.split(r"[,/]", text)}
    cities = (name for name in sorted(available_timezones()) if name.rpartition("/")[2].casefold() in places)
    names = [WINDOWS_TO_OLSON.get(f"{region} Standard Time", ""), *cities]
    zones = [zone for name in names if name and (zone := _named_zone(name))]
    return next((zone for zone in zones if min(_list_offsets(zone)) == length), None)


def _list_offsets(zone: tzinfo) -> list[timedelta]:
    return [zone.utcoffset(datetime(2026, month, 1)) or timedelta(0) for month in (1, 7)]  # noqa: DTZ001


@lru_cache(maxsize=200)
def _settle_zone(key: str, description: bytes) -> tzinfo | None:
    zone, guess = _build_zone(key, description), _guess_zone(key)
    return guess if zone is None or (guess is not None and _have_same_hours(guess, zone)) else zone


def _build_zone(key: str, description: bytes) -> FileZone | None:
    """The zone of a description; None where it makes no sense, or would take long to follow."""
    from icalendar import Timezone
    from icalendar.timezone import tzp

    component = parse_component(Timezone, description)
    try:
        if component is None or not _is_sound(component):
            return None
        zone = FileZone(key, component, tzp.create_timezone(component))
        zone.utcoffset(datetime(2026, 1, 1))  # noqa: DTZ001 - a wall's clock
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
        return None
    return zone


def parse_component(kind: Any, data: bytes) -> Any:
    """The component of a text, or several as one, without teaching the library its zones; None for what is no text."""
    try:
        components = _parser_class()(data, kind._get_component_factory(), kind.types_factory).parse()
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None
    if not components or not all(isinstance(component, kind) for component in components):
        return None
    for other in components[1:]:
        components[0].subcomponents += other.subcomponents
    return components[0]


@lru_cache
def _parser_class() -> Any:
    from icalendar import vDDDTypes, vDuration
    from icalendar.parser.ical.component import ComponentIcalParser

    class FileParser(ComponentIcalParser):
        """Notes what it cannot read and goes on. The library's own keeps zones by their names for the process."""

        def handle_begin_component(self, vals: str) -> None:
            super().handle_begin_component(vals)
            vars(self._stack[-1])["ignore_exceptions"] = True

        def handle_end_component(self, _: str) -> None:
            if not self._stack:
                raise ValueError("END stands without its BEGIN")
            component = self._stack.pop()
            if self._stack:
                self._stack[-1].add_component(component)
            else:
                self._components.append(component)

        def parse_and_add_property(self, name: str, params: Any, val: str, _: str | None, line: Any) -> None:
            is_length = name.upper() == "DURATION"
            if not val.strip() and name.upper() in _DATES:  # no dates at all, as some programs write it
                return
            written = _SECONDS.sub(r"\1T\2", val) if is_length else val
            super().parse_and_add_property(name, params, written, None, line)  # times find their zones afterwards
            value = self._stack[-1].get("DURATION") if is_length else None
            if isinstance(value, vDuration | vDDDTypes):
                vars(value)["to_ical"] = written.encode  # the library makes a day of 24 hours, which is another length

    return FileParser


def _is_sound(component: Any) -> bool:
    """Whether a description can be followed in a moment, also one that was made to take hours."""
    observances = component.subcomponents
    rules = [rule for observance in observances for rule in _list_values(observance, "RRULE")]
    dates = [date for observance in observances for dates in _list_values(observance, "RDATE") for date in dates.dts]
    return (
        0 < len(observances) <= _MAX_OBSERVANCES
        and len(rules) <= _MAX_RULES
        and len(dates) <= _MAX_DATES
        and all(map(_is_yearly, rules))
    )


def _is_yearly(rule: Any) -> bool:
    if not isinstance(rule, dict) or rule.get("FREQ") != ["YEARLY"] or {*rule} - _RULE_PARTS:
        return False
    return all(isinstance(day, int) and abs(day) <= _MAX_DAY for day in rule.get("BYMONTHDAY", ()))


def _list_values(component: Any, name: str) -> list[Any]:
    values = component.get(name, [])
    return values if isinstance(values, list) else [values]


def _have_same_hours(first: tzinfo, second: tzinfo) -> bool:
    walls = (datetime(year, month, day, 12) for year in _COMPARED_YEARS for month in range(1, 13) for day in (1, 16))  # noqa: DTZ001
    return all(wall.replace(tzinfo=first).utcoffset() == wall.replace(tzinfo=second).utcoffset() for wall in walls)
