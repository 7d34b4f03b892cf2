"""Points in time as people give them, relative to the world's clock and never to the machine's."""

import re
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta

from yardkit.world import Problem

_AGO = re.compile(r"(?:(\d+)|an?|last) (second|minute|hour|day|week|month|year)s?(?: ago)?")
_WRITTEN = ("%b %d %Y", "%B %d %Y", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y")
_SECONDS = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "week": 604_800,
    "month": 2_592_000,
    "year": 31_536_000,
}
_MOST = 1_000_000_000_000


def point_in_time(text: str, now: datetime, *, end: bool = False) -> int:
    """Seconds since 1970 of a date, a time of ISO 8601 (UTC if it says no zone), or words such as '2 weeks ago'.

    A date alone is its first second, or with `end` its last; so are 'today' and 'yesterday'. Months have 30 days.

    Raises:
        Problem: it is nothing of these.
    """
    words = text.strip().lower()
    if words == "now":
        return int(now.timestamp())
    if words in ("today", "yesterday"):
        text = (now.astimezone(UTC) - timedelta(days=words == "yesterday")).date().isoformat()
    elif ago := _AGO.fullmatch(words):
        return int(now.timestamp()) - min(int(ago[1] or 1) * _SECONDS[ago[2]], _MOST)
    try:
        iso_moment = _parse_iso(text.strip())
    except ValueError:
        raise Problem(f"{text!r} is not a valid date; use one such as '2026-03-16', '2026-03-16T09:00:00Z' or "
                      "'2 weeks ago'") from None  # fmt: skip
    if end and ":" not in text:
        iso_moment = datetime.combine(iso_moment.date(), time.max)
    return int((iso_moment if iso_moment.tzinfo else iso_moment.replace(tzinfo=UTC)).timestamp())


def _parse_iso(text: str) -> datetime:
    """A time of ISO 8601, or a date such as 'Jan 15 2024' in that form."""
    for form in _WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(text, form)  # noqa: DTZ007 - a date, which has no zone
    return datetime.fromisoformat(text)
