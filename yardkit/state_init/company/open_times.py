"""Times that calendars leave open, so that something can still be arranged in them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from yardkit.apps.calendar import Event, When

Span = tuple[datetime, datetime]
DAY = timedelta(days=1)


def meets_span(event: Event, spans: Sequence[Span]) -> bool:
    """Whether an event takes time in one of the spans; whole days are those of the span's zone."""
    return (
        event.busy
        and event.status != "cancelled"
        and any(
            _to_moment(event.starts, since) < until and since < _to_moment(event.ends, since) for since, until in spans
        )
    )


def leave_open(
    event: Event, exceptions: Sequence[Event], spans: Sequence[Span]
) -> tuple[Event, tuple[Event, ...]] | None:
    """An event, or a series with its exceptions, without the dates that take time in the spans; None for nothing."""
    if not event.rule:
        return None if meets_span(event, spans) else (event, tuple(exceptions))
    left = tuple(exception for exception in exceptions if not meets_span(exception, spans))
    off = [exception.occurrence for exception in exceptions if exception not in left and exception.occurrence]
    stood_for = {exception.occurrence for exception in exceptions}
    off += [start for start in _list_starts(event, spans) if start not in (*stood_for, *event.skipped)]
    return replace(event, skipped=(*event.skipped, *off)), left


def _list_starts(series: Event, spans: Sequence[Span]) -> Iterator[datetime]:
    """The dates of a series that take time in the spans."""
    from dateutil.rrule import rrulestr

    if not spans or not isinstance(series.starts, datetime):
        return
    zone, length = series.starts.tzinfo, series.ends - series.starts
    first, last = min(since for since, _ in spans), max(until for _, until in spans)
    window = [when.astimezone(zone).replace(tzinfo=None) for when in (first - DAY, last + DAY)]
    for wall in rrulestr(series.rule, dtstart=series.starts.replace(tzinfo=None)).between(*window):
        start = wall.replace(tzinfo=zone)
        if meets_span(replace(series, starts=start, ends=start + length), spans):
            yield start


def _to_moment(when: When, like: datetime) -> datetime:
    return when if isinstance(when, datetime) else datetime.combine(when, time.min, like.tzinfo)
