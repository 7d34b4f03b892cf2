"""Parsing dates and times from callers."""

from datetime import datetime, time, timedelta

from yardkit.world import Problem

_DAY = 10


def to_moment(now: datetime, text: str, *, end: bool = False) -> str:
    """Parse a date or time as in records, in the zone of `now`; for an `end`, the first moment after it.

    Raises:
        Problem: it is not a date or time.
    """
    try:
        parsed_time = datetime.fromisoformat(text)
        if len(text) <= _DAY:
            parsed_time = datetime.combine(parsed_time, time.min) + timedelta(days=1 if end else 0)
        elif end:
            parsed_time += timedelta(seconds=1)
        zoned = parsed_time if parsed_time.tzinfo else parsed_time.replace(tzinfo=now.tzinfo)
        return zoned.astimezone(now.tzinfo).isoformat()
    except (ValueError, OverflowError) as error:
        raise Problem(
            f"{text!r} is not a valid date or time; write it like 2026-03-16 or 2026-03-16T09:30:00"
        ) from error
