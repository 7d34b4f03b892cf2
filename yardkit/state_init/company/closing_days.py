"""Days on which the campus of a seeded school is closed, as a calendar of their own."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta

from yardkit.apps.calendar import Event, Status
from yardkit.state_init.company.calendar import Set
from yardkit.state_init.company.schooling import School

CALENDAR = "campus"
_DAY = timedelta(days=1)


def campus_days(school: School, closed: Mapping[str, date], off: str, more: Mapping[str, date]) -> Iterator[Set]:
    """Days by their title.

    Args:
        school: whose campus it is.
        closed: the days on which it is closed.
        off: the title of the one that was called off; it stands among `more`.
        more: other days, such as those of the year before.
    """
    for title, day in {**closed, **more}.items():
        uid = f"{title}@{school.domain}".casefold().replace(" ", "-")
        status: Status = "cancelled" if title == off else "confirmed"
        stamp = datetime(day.year - 1, 11, 3, 9, tzinfo=UTC)
        event = Event(uid, title, day, day + _DAY, location=school.name, status=status, stamp=stamp, busy=False)
        yield Set(event, calendar=CALENDAR)
