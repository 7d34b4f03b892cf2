"""Dates and times that a caller gives."""

from datetime import datetime, time, timedelta

from yardkit.world import Problem

_DAY = 10


def moment(now: datetime, text: str, *, end: bool = False) -> str:
    """A date or time as records have it, in the zone of `now`; of an `end`, the first moment after it.

    Raises:
        Problem: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
        if len(text) <= _DAY:
            found = datetime.combine(found, time.min) + timedelta(days=1 if end else 0)
        elif end:
            found += timedelta(seconds=1)
        zoned = found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
        return zoned.astimezone(now.tzinfo).isoformat()
    except (ValueError, OverflowError) as error:
        raise Problem(
            f"{text!r} is not a valid date or time; write it like 2026-03-16 or 2026-03-16T09:30:00"
        ) from error
