"""When a message says that it was sent: RFC 5322, and what programs write in its place."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

_FIRST_YEAR, _LAST_YEAR = 1970, 2200
_COMMENT = re.compile(r"\([^()]*\)")
_HOURS = {
    name: hours
    for hours, names in {
        0: "UT UTC GMT Z WET", 1: "WEST CET MET MEZ", 2: "CEST MEST MESZ EET SAST", 3: "EEST MSK", 8: "HKT SGT AWST",
        9: "JST KST", 10: "AEST", 11: "AEDT", 12: "NZST", 13: "NZDT", -4: "EDT", -5: "EST CDT", -6: "CST MDT",
        -7: "MST PDT", -8: "PST AKDT", -9: "AKST", -10: "HST",
    }.items()
    for name in names.split()
}  # fmt: skip
"""Zones by names that mean one thing in mails; of others, such as IST or BST, there are several."""
_OFFSET = re.compile(r"(?:UTC|GMT|UT)?\s*([+-])(\d{1,2}):?(\d\d)?(?:\s+[A-Za-z].*)?")
_HALF = re.compile(r"\b(\d{1,2})([:.]\d\d(?:[:.]\d\d)?)\s*([AP])\.?M\.?\b", re.IGNORECASE)
_WITH_ZONE = re.compile(
    r"(.*?\d{1,2}[:.]\d{1,2}(?:[:.]\d{1,2})?)(?:\.\d+)?(\s+\d{4})?(?:\s+|(?=[+-]))?(\S.*)?", re.DOTALL
)
_LATE_YEAR = re.compile(r"(.*\d:\d\d) ([A-Z]{1,5}) (\d{4})")


def parse_date(text: str) -> tuple[str, str]:
    """A date as ISO 8601, empty where there is none, and what is to be known of it, empty for nothing."""
    bare = " ".join(_COMMENT.sub(" ", text[:200]).split())
    if not bare:
        return "", ""
    zone, moment = "", _parse_iso(bare)
    if moment is None:
        moment, zone = _parse_wall(_HALF.sub(_to_full_day, bare))
    if moment is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        return "", f"its date {text[:60]!r} cannot be read, so the time of its arrival is shown"
    if moment.tzinfo is None:
        unknown = f"the time zone {zone[:30]!r} of its date is not known, so its time is shown as UTC" if zone else ""
        return moment.replace(tzinfo=UTC).isoformat(), unknown
    return moment.isoformat(), ""


def _parse_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(re.sub(r"(?<=\d) ([+-]\d\d:?\d\d)$", r"\1", text))
    except ValueError:
        return None


def _parse_wall(text: str) -> tuple[datetime | None, str]:
    """The time, with its zone if it has a known one, and the name of a zone that is not known."""
    match = _WITH_ZONE.fullmatch(_LATE_YEAR.sub(r"\1 \3 \2", text))
    wall, zone = (match[1] + (match[2] or ""), match[3] or "") if match else (text, "")
    zone = zone.strip("'\" ")
    try:
        fields = parsedate_tz(f"{wall} +0000")
        if fields is None:
            return None, zone
        year, month, day, hour, minute, second = fields[:6]
        moment = datetime(year, month, day, hour, minute, min(second, 59))  # noqa: DTZ001 - its zone follows
    except (ValueError, TypeError, IndexError, OverflowError):
        return None, zone
    if offset := _OFFSET.fullmatch(zone):
        # -3 and -03 are hours, which the library takes for minutes.
        length = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        if length < timedelta(days=1):
            return moment.replace(tzinfo=timezone(-length if offset[1] == "-" else length)), ""
    if zone.upper() in _HOURS:
        return moment.replace(tzinfo=timezone(timedelta(hours=_HOURS[zone.upper()]))), ""
    return moment, zone


def _to_full_day(match: "re.Match[str]") -> str:
    """A time of twelve hours as one of 24."""
    hour = int(match[1]) % 12 + (12 if match[3] in "pP" else 0)
    return f"{hour:02}{match[2]}"
