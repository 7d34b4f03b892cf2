"""Files of calendars as real programs write them: folded within letters, in any charset, with zones of their own."""

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from yardkit.apps.calendar_zones import find_zone, parse_component
from yardkit.world import Problem
from yardkit.world.decoding import decode_bytes

if TYPE_CHECKING:
    import icalendar

MAX_BYTES = 2_000_000
"""Of one file."""
MAX_LINES = 20_000
"""Of one file, put together: the parser takes a second for several thousand."""
_MARKS = re.compile(r"^(BEGIN|END):VCALENDAR[ \t]*$", re.IGNORECASE | re.MULTILINE)
_DATED = ("DTSTART", "DTEND", "RECURRENCE-ID", "DUE", "RDATE", "EXDATE")
"""Properties whose times may name a zone."""


def read_calendar(data: bytes) -> "icalendar.Calendar":
    """The components of a file, to be changed. Each one lists in ``errors`` what of it cannot be read.

    Raises:
        Problem: it is not a calendar.
    """
    from icalendar import Calendar

    if len(data) > MAX_BYTES:
        raise Problem(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    require_lines(data, MAX_LINES)
    text = _unfold_text(data)
    marks = [(match[1].upper(), match.start(), match.end()) for match in _MARKS.finditer(text)]
    if [mark for mark, _, _ in marks[:1]] != ["BEGIN"] or marks[-1][0] != "END":
        raise Problem("the file is not a calendar: it does not go from BEGIN:VCALENDAR to END:VCALENDAR")
    calendar = parse_component(Calendar, text[marks[0][1] : marks[-1][2]].encode("utf-8", "replace"))
    if calendar is None:
        raise Problem("the file is not a valid calendar: its components do not begin and end in pairs")
    _resolve_zones(calendar)
    _drop_superseded(calendar)
    for event in calendar.walk("VEVENT"):
        if "UID" not in event:  # which old programs leave out: the same for the same event
            event.add("uid", hashlib.sha256(event.to_ical()).hexdigest()[:26])
    return calendar  # type: ignore[no-any-return]


def require_lines(data: bytes, most: int) -> None:
    """Refuse a file of more lines, put together.

    Raises:
        Problem: it has more.
    """
    lines = len(re.findall(rb"\n(?![ \t])", data))
    if lines > most:
        raise Problem(f"the file has {lines:,} lines; the limit is {most:,}")


def _unfold_text(data: bytes) -> str:
    """The lines of a file, put together before they are decoded: old programs cut within a letter."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    text = decode_bytes(re.sub(rb"\r?\n[ \t]", b"", data)).text.lstrip("\ufeff").replace("\r\n", "\n")
    text = re.sub(r";TZID=(tzone://[^:\n]{1,100}):", r';TZID="\1":', text)  # as Exchange names zones, without quotes
    return re.sub(r"^RRULE\b.*", lambda match: match[0].replace(" ", ""), text, flags=re.MULTILINE | re.IGNORECASE)


def _drop_superseded(calendar: Any) -> None:
    """Keep one exception for each date of a series, the newest (RFC 5546): some programs add one for each change."""
    newest: dict[tuple[str, Any], Any] = {}
    for event in calendar.walk("VEVENT"):
        when = getattr(event.get("RECURRENCE-ID"), "dt", None)
        if when is None:
            continue
        key = str(event.get("UID", "")), when
        old, newest[key] = newest.get(key), event
        if old is not None and _read_sequence(old) > _read_sequence(event):
            old, newest[key] = event, old
        if old is not None:
            # By identity: equal components are one to the library.
            calendar.subcomponents = [component for component in calendar.subcomponents if component is not old]


def _read_sequence(event: Any) -> int:
    text = str(event.get("SEQUENCE", ""))
    return int(text) if text.isdigit() else 0


def _resolve_zones(calendar: Any) -> None:
    """Put all times into the zones that this file means, which other files may call by the same names.

    Times that name no zone are those of the zone that the file names for all of it, if it does.
    """
    described = {str(zone["TZID"]): zone for zone in calendar.walk("VTIMEZONE") if "TZID" in zone}
    zones: dict[str, tzinfo | None] = {}
    for value in _iter_dated(calendar):
        name = str(value.params.get("TZID", "") or calendar.get("X-WR-TIMEZONE", ""))
        if not name:
            continue
        if name not in zones:
            zones[name] = find_zone(name, described.get(name))
        for item in getattr(value, "dts", [value]):
            item.dt = _put_into(item.dt, zones[name])


def _iter_dated(calendar: Any) -> Iterator[Any]:
    from icalendar import vBroken

    for component in calendar.walk():
        if component.name in ("VTIMEZONE", "STANDARD", "DAYLIGHT"):
            continue
        for name in _DATED:
            values = component.get(name, [])
            for value in values if isinstance(values, list) else [values]:
                if not isinstance(value, vBroken):
                    yield value


def _put_into(when: Any, zone: tzinfo | None) -> Any:
    if isinstance(when, tuple):  # a period: from a time, to another or for a while
        return tuple(_put_into(part, zone) for part in when)
    # A time that is said in UTC is that, whatever zone some programs name beside it.
    return when.replace(tzinfo=zone) if isinstance(when, datetime) and when.tzinfo is None else when
