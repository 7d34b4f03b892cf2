"""Weekly meetings of a seeded company: some skipped, some moved by hand with others beside the usual guests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from yardkit.apps.calendar import PRIMARY, Attendee, Event
from yardkit.state_init.company.calendar import Set
from yardkit.state_init.company.persons import Somebody

HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Moved:
    """A meeting that was moved by hand. by: by how much; beside: who was invited to it besides; place: where it is."""

    by: timedelta
    beside: tuple[Somebody, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class Weekly:
    """A series of meetings of an hour, one a week.

    Attributes:
        first: the start of the first one, in the zone by whose clock all are.
        skipped: which are left out, counted from 0.
        moved: which were moved.
    """

    title: str
    host: Somebody
    guests: Sequence[Somebody]
    first: datetime
    count: int
    place: str
    skipped: tuple[int, ...] = ()
    moved: tuple[tuple[int, Moved], ...] = ()

    @property
    def people(self) -> list[str]:
        """The addresses of all who are invited to any of them, in order."""
        beside = (guest for _, moved in self.moved for guest in moved.beside)
        return sorted(guest.email for guest in (*self.guests, *beside))

    def as_set(self) -> Set:
        """It in the calendar, with its exceptions."""
        series = self._make_series()
        away = [
            replace(event, occurrence=self._get_start(number))
            for number, event in self._iter_events()
            if event.sequence
        ]
        skipped = tuple(map(self._get_start, self.skipped))
        return Set(replace(series, rule=f"FREQ=WEEKLY;COUNT={self.count}", skipped=skipped), tuple(away))

    def list_happenings(self, later: timedelta, first: int) -> list[dict[str, Any]]:
        """What happens, as leaves want it, if all from one number on are later by the clock of their zone."""
        return [
            {
                "starts": _format_utc(event.starts, later if number >= first else timedelta()),
                "ends": _format_utc(event.ends, later if number >= first else timedelta()), "calendar": PRIMARY,
                "location": event.location, "people": sorted(attendee.address for attendee in event.attendees),
            }
            for number, event in self._iter_events()
        ]  # fmt: skip

    def _get_start(self, number: int) -> datetime:
        return self.first + timedelta(weeks=number)

    def _make_series(self) -> Event:
        host = Attendee(self.host.email, self.host.name)
        uid = f"{self.title.casefold().replace(' ', '-')}@{self.host.email.partition('@')[2]}"
        stamp, guests = self.first.astimezone(UTC) - timedelta(days=20), tuple(map(_make_attendee, self.guests))
        first, ends = self.first, self.first + HOUR
        return Event(uid, self.title, first, ends, location=self.place, organizer=host, attendees=guests, stamp=stamp)

    def _iter_events(self) -> Iterator[tuple[int, Event]]:
        """Each one that takes place, by its number; those that were moved have a sequence."""
        series, moved = self._make_series(), dict(self.moved)
        for number in (number for number in range(self.count) if number not in self.skipped):
            change = moved.get(number)
            starts = self._get_start(number) + (change.by if change else timedelta())
            event = replace(series, starts=starts, ends=starts + HOUR)
            if change:
                guests, place = (*event.attendees, *map(_make_attendee, change.beside)), change.place or event.location
                event = replace(event, attendees=guests, location=place, sequence=1)
            yield number, event


def _make_attendee(guest: Somebody) -> Attendee:
    return Attendee(guest.email, guest.name, "accepted")


def _format_utc(when: Any, later: timedelta) -> str:
    moment: datetime = when + later  # at the same hour of its zone, whatever clocks do in between
    return moment.astimezone(UTC).isoformat()
