"""Boards of directors in three time zones: who sits on them, and days on which all, or nearly all, could meet."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from yardkit.apps.calendar import PRIMARY, Agenda, CalendarInfo, Event, calendar_file, file_name
from yardkit.apps.contacts import AddressBook, Contact, card_name, contact_card
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.letters import Letter, write_note
from yardkit.state_init.company.persons import Office, Somebody, address_of, fresh_names
from yardkit.world import World, skip_syncing

DAY = timedelta(days=1)
FIRST, LAST = 8, 19
"""The hours of a day in which directors can be met, by their own clocks."""
MEETING = timedelta(hours=2)
CHRISTMAS = date(2026, 12, 21)
"""From here on nobody has time."""
WEEKS = 21
"""The last days of a quarter in which the board meets."""
_WORK = ("Travel", "Annual meeting", "Audit", "Visit of customers", "Workshop")


@dataclass(frozen=True)
class Director(Somebody):
    """Somebody of the board. firm: for whom they work; private: whether the calendar is not shared."""

    office: Office
    firm: str
    private: bool = False

    @property
    def zone(self) -> str:
        return self.office.time_zone


@dataclass(frozen=True)
class Quarter:
    """A quarter: the days on which the board may meet, and those on which all but one thing would do.

    Attributes:
        good: days that suit everybody.
        holiday, place: a day that is free for all but a public holiday at a place.
        unwished: days that only the one of the private calendar does not want.
        early: a day that would do if the notice had gone out sooner; None in later quarters.
    """

    name: str
    days: tuple[date, ...]
    good: tuple[date, ...]
    holiday: date
    place: Office
    unwished: tuple[date, ...]
    early: date | None = None

    @property
    def free(self) -> tuple[date, ...]:
        """All days on which the shared calendars have room."""
        return (*self.good, self.holiday, *self.unwished, *((self.early,) if self.early else ()))


@dataclass(frozen=True)
class Wishes:
    """What somebody of a private calendar wants: never on a weekday, and away in a week; first it was another one."""

    director: Director
    weekday: int
    away: date
    first: date

    def refuses(self, day: date) -> bool:
        return day.weekday() == self.weekday or self.away <= day < self.away + 5 * DAY

    def write_letters(self, reader: Somebody, now: datetime) -> Iterator[Letter]:
        """The wishes, and a correction of them."""
        director = self.director
        first, last = (f"{monday:%d %B} to {monday + 4 * DAY:%d %B}" for monday in (self.first, self.away))
        weekday = f"{self.first + self.weekday * DAY:%A}"
        letter_texts = (
            "my calendar stays private, so here is what you need for the dates of 2026: I am never free on a "
            f"{weekday}, and I am away from {first}. All else suits me, within the hours of the by-laws here in "
            f"{director.office.city}."
        )
        correction = (
            f"a correction: my holiday has moved. I am away from {last} instead, not from {first}. The rest holds."
        )
        for place, (days, text) in enumerate(((19, letter_texts), (4, correction))):
            sent = make_moment(now.date() - days * DAY, 15, 12, director.zone)
            body, subject = (
                write_note(reader.first, text, director.name),
                ("Dates of the board", "Re: Dates of the board")[place],
            )
            before = f"board/wishes-{place - 1}" if place else ""
            yield Letter(
                f"board/wishes-{place}", director.mailbox, (reader.mailbox,), subject, body, sent, answers=before
            )


def make_board(rng: random.Random, cast: Cast) -> list[Director]:
    """Seven: three of the company, four from outside, of whom the last one has a private calendar."""
    head, second, far = cast.offices[:3]
    offices = {office.city: office for office in cast.offices}
    zones = head.time_zone, second.time_zone
    near = [
        colleague
        for colleague in cast.colleagues[1:-4]
        if colleague.department != cast.owner.department and colleague.time_zone in zones
    ]
    inner = [cast.colleagues[0], *near[:2]]
    names = fresh_names(rng, 4, cast.names)
    firms = rng.sample([customer.company for customer in cast.customers], 4)
    board = [
        Director(colleague.first, colleague.last, colleague.email, offices[colleague.office], cast.company.name)
        for colleague in inner
    ]
    for name, firm, office in zip(names, firms, (head, second, far, far), strict=True):
        address = address_of(*name, f"{firm.domain.partition('.')[0]}-board.example")
        board.append(Director(*name, address, office, firm.name, private=len(board) == 6))
    return board


def find_common_hours(day: date, board: Sequence[Director]) -> tuple[datetime, datetime]:
    """From when to when all can be met on a day."""
    starts = max(make_moment(day, FIRST, 0, member.zone) for member in board)
    return starts, min(make_moment(day, LAST, 0, member.zone) for member in board)


def choose_days(
    rng: random.Random, board: Sequence[Director], taken: Sequence[Event], wishes: Wishes, earliest: date
) -> list[Quarter]:
    """The four quarters of 2026; on no good day the secretary has one of the `taken` events."""
    quarters = []
    for number, last in enumerate((date(2026, 3, 31), date(2026, 6, 30), date(2026, 9, 30), date(2026, 12, 31)), 1):
        days = [last - place * DAY for place in range(WEEKS) if (last - place * DAY).weekday() < 5][::-1]
        late = [day for day in days if day >= earliest and day < CHRISTMAS]
        fit = [day for day in late if not wishes.refuses(day) and _has_room(taken, find_common_hours(day, board))]
        good = sorted(rng.sample(fit, min(2, len(fit))))
        left = [day for day in late if day not in good and not wishes.refuses(day)]
        refused = [day for day in late if wishes.refuses(day)]
        early = max((day for day in days if day < earliest and not wishes.refuses(day)), default=None)
        quarters.append(
            Quarter(f"2026 Q{number}", tuple(days), tuple(good), rng.choice(left), rng.choice(board[3:6]).office,
                    tuple(sorted(rng.sample(refused, min(2, len(refused))))), early)
        )  # fmt: skip
    return quarters


def fill_directors(world: World, rng: random.Random, board: Sequence[Director], quarters: Sequence[Quarter]) -> None:
    """The calendars that are shared: on each day of a quarter that is not free somebody has something."""
    agenda, shared = Agenda(world), [member for member in board if not member.private]
    with skip_syncing():
        for member in shared:
            agenda.make_calendar(member.email, CalendarInfo(PRIMARY, member.name, member.zone))
        for day in (day for quarter in quarters for day in quarter.days if day not in quarter.free):
            for member in rng.sample(shared, rng.choice((1, 1, 2))):
                starts, ends = find_common_hours(day, board)
                event = _make_event(f"{day}-{member.email}", rng.choice(_WORK), starts - timedelta(hours=1), ends)
                agenda.save(member.email, PRIMARY, file_name(event.uid), calendar_file([event]))


def list_holidays(quarters: Sequence[Quarter], domain: str) -> Iterator[Event]:
    """The public holiday of each quarter at a place, others that are on Sundays, and Christmas."""
    for quarter in quarters:
        sunday = quarter.holiday + (6 - quarter.holiday.weekday()) * DAY
        city = quarter.place.city
        holiday_rows = (
            ("Public holiday", quarter.holiday),
            ("Remembrance day", sunday),
            ("Christmas", date(2026, 12, 25)),
        )
        for title, day in holiday_rows:
            event = _make_event(f"{title}-{city}-{day}@{domain}".casefold().replace(" ", "-"), title, day, day + DAY)
            yield Event(event.uid, title, day, day + DAY, location=city, stamp=event.stamp, busy=False)


def add_cards(world: World, owner: str, board: Sequence[Director], former: Somebody) -> None:
    """The directors in the address book; an old card of one of them, and somebody who has left the board."""
    book = AddressBook(world, owner)
    for member in board:
        note = "Board of directors" + (", chair" if member == board[0] else "")
        _put_card(book, member, (member.email,), member.firm, member.office.city, ("board",), note)
    moved = board[4]
    old = moved.email.replace("@", "@old.")
    _put_card(
        book, moved, (old,), moved.firm, moved.office.city, ("archive",), "Old card; was on the board list of 2024"
    )
    _put_card(book, former, (former.email,), "", "", ("archive",), "Board of directors until 2025")


def _put_card(
    book: AddressBook,
    person: Somebody,
    emails: tuple[str, ...],
    firm: str,
    city: str,
    groups: tuple[str, ...],
    note: str,
) -> None:
    card = Contact(f"board-{emails[0]}", person.name, emails, (), firm, "Director", city, "", groups, note)
    book.save(card_name(card.uid), contact_card(card))


def _has_room(taken: Sequence[Event], span: tuple[datetime, datetime]) -> bool:
    """Whether some two hours of a span are free of all events, by whatever date their rules may put them on."""
    spans = [near for event in taken for near in _list_near_times(event, span[0].date())]
    first, last = span[0], span[1] - MEETING
    begins = [first + timedelta(minutes=30) * place for place in range((last - first) // timedelta(minutes=30) + 1)]
    return any(all(ends <= begin or starts >= begin + MEETING for starts, ends in spans) for begin in begins)


def _list_near_times(event: Event, day: date) -> Iterator[tuple[datetime, datetime]]:
    """The event, and a series as if it were on the day, whenever its weekday fits."""
    if not isinstance(event.starts, datetime) or not isinstance(event.ends, datetime):
        if event.busy:
            yield tuple(datetime.combine(when, time(), ZoneInfo("UTC")) for when in (event.starts, event.ends))  # type: ignore[misc]
        return
    yield event.starts, event.ends
    if "WEEKLY" in event.rule and event.starts.date() <= day and _falls_on(event, day):
        starts = event.starts.replace(year=day.year, month=day.month, day=day.day)
        yield starts, starts + (event.ends - event.starts)


def _falls_on(event: Event, day: date) -> bool:
    name = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[day.weekday()]
    return name in event.rule if "BYDAY" in event.rule else day.weekday() == event.starts.weekday()


def _make_event(uid: str, title: str, starts: date, ends: date) -> Event:
    return Event(uid, title, starts, ends, stamp=datetime(2025, 11, 3, 9, tzinfo=ZoneInfo("UTC")))
