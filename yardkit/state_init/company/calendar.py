"""Calendars of a seeded company: the meetings of the stories among series with exceptions, near misses and noise.

The owner has four calendars; colleagues have the meetings that they share, and what else they do. Three time zones and
more meet, since offices are far from each other.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yardkit.apps.calendar import (
    PRIMARY,
    Agenda,
    Answer,
    Attendee,
    CalendarInfo,
    Event,
    When,
    calendar_file,
    file_name,
)
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import clock, workday
from yardkit.state_init.company.letters import Meeting
from yardkit.state_init.company.open_times import Span, leave_open
from yardkit.state_init.company.persons import Colleague, Contact
from yardkit.state_init.company.stories import Stories
from yardkit.world import World, unsynced

TEAM, PRIVATE, BIRTHDAYS = "team", "private", "birthdays"
"""The owner's calendars besides the primary one."""
_OWN = (
    "Focus time", "Expenses", "Prepare monthly report", "Call back suppliers", "Tidy the shared drive", "Plan the week",
    "Check open orders", "Review price list", "Read contracts", "Answer mails", "Stock count", "Update forecast",
)  # fmt: skip
_PRIVATE = ("Dentist", "Gym", "School concert", "Car to the garage", "Parcel pick-up", "Dinner with friends", "Haircut")
_TALKS = (
    "Catch-up",
    "Handover",
    "Question about an order",
    "Coffee",
    "Interview debrief",
    "Budget check",
    "Onboarding",
)


@dataclass(frozen=True)
class Set:
    """An event or series with its exceptions, and whose calendar it stands in besides the owner's."""

    event: Event
    exceptions: tuple[Event, ...] = ()
    calendar: str = PRIMARY


def fill_calendar(
    world: World,
    cast: Cast,
    rng: random.Random,
    stories: Stories | None = None,
    people: int = 12,
    more: Sequence[Set] = (),
    left_open: Sequence[Span] = (),
) -> list[Event]:
    """Fill the calendars of the owner and of so many colleagues; what stands in the owner's, oldest first.

    About 90 events and series of the owner's: a tenth is the stories', a fifth are near misses of them. `more` are a
    task's own; nobody has anything in the times that are `left_open`.
    """
    agenda, now = Agenda(world), world.now
    colleagues = _looked_at(cast, rng, people)
    filled = [
        *(_of_meeting(cast, meeting) for meeting in (stories.meetings if stories else ())),
        *_near_misses(cast, rng, stories.meetings if stories else ()),
        *_series(cast, rng, now),
        *_talks(cast, rng, now),
        *_own(cast, rng, now),
        *_days(cast, rng, now.date()),
        *more,
    ]
    sets = list(_open(filled, left_open))
    with unsynced():
        _make_calendars(agenda, cast, colleagues)
        for one in sets:
            _save(agenda, cast.owner.email, one)
        for colleague in colleagues:
            for shared in _shared(sets, colleague.email):
                _save(agenda, colleague.email, replace(shared, calendar=PRIMARY))
            for alone in _open(_alone(colleague, rng, now), left_open):
                _save(agenda, colleague.email, alone)
    return sorted((one.event for one in sets), key=lambda event: (_text(event.starts), event.uid))


def forget_leave(world: World, owner: str, one: Colleague) -> None:
    """Take out of the team's calendar when somebody is away by chance; what a task says of it stays."""
    agenda, name = Agenda(world), file_name(f"away-{one.number}@{owner.partition('@')[2]}")
    if name in {path.name for path in agenda.files(owner, TEAM)}:
        agenda.remove(owner, TEAM, name)


def _looked_at(cast: Cast, rng: random.Random, people: int) -> list[Colleague]:
    """Whose calendars are filled: of each office, and the owner's own team."""
    near = [one for one in cast.colleagues if cast.owner.department == one.department]
    far = [one for one in cast.colleagues if one.time_zone != cast.owner.time_zone and one not in near]
    chosen = [*near, *rng.sample(far, len(far))][:people]
    return sorted(chosen, key=lambda one: one.number)


def _make_calendars(agenda: Agenda, cast: Cast, colleagues: Sequence[Colleague]) -> None:
    titles = {PRIMARY: cast.owner.name, TEAM: cast.owner.department, PRIVATE: "Private", BIRTHDAYS: "Birthdays"}
    for name, title in titles.items():
        agenda.make_calendar(cast.owner.email, CalendarInfo(name, title, cast.owner.time_zone))
    for one in colleagues:
        agenda.make_calendar(one.email, CalendarInfo(PRIMARY, one.name, one.time_zone))


def _open(sets: Iterable[Set], spans: Sequence[Span]) -> Iterator[Set]:
    for one in sets:
        if left := leave_open(one.event, one.exceptions, spans):
            yield Set(*left, one.calendar)


def _save(agenda: Agenda, user: str, one: Set) -> None:
    agenda.save(user, one.calendar, file_name(one.event.uid), calendar_file([one.event, *one.exceptions]))


def _event(
    uid: str, title: str, starts: When, ends: When, organizer: str = "", guests: Iterable[Attendee] = (), **said: object
) -> Event:
    invites = Attendee(organizer) if organizer else None
    made = Event(uid, title, starts, ends, organizer=invites, attendees=tuple(guests))
    return replace(made, stamp=_stamp(starts), **said)  # type: ignore[arg-type]


def _stamp(starts: When) -> datetime:
    return clock(date(starts.year, starts.month, starts.day) - timedelta(days=21), 9, 0, "UTC")


def _text(when: When) -> str:
    return when.isoformat()


def _of_meeting(cast: Cast, meeting: Meeting) -> Set:
    guests = [_guest(cast, address, "accepted") for address in meeting.people if address != meeting.organizer]
    event = _event(
        meeting.uid, meeting.title, meeting.begins, meeting.ends, meeting.organizer, guests,
        location=meeting.place, description=meeting.about, status="cancelled" if meeting.cancelled else "confirmed",
    )  # fmt: skip
    return Set(event)


def _guest(cast: Cast, address: str, answer: Answer) -> Attendee:
    known = {one.email: one.name for one in (*cast.staff, *cast.contacts, *cast.school.teachers)}
    return Attendee(address, known.get(address, ""), answer)


def _near_misses(cast: Cast, rng: random.Random, meetings: Sequence[Meeting]) -> Iterator[Set]:
    """Of some meetings: one that was given up, the same a year ago, and one of nearly the same name for others."""
    for number, meeting in enumerate(rng.sample(meetings, min(len(meetings), 9))):
        title, begins = meeting.title, meeting.begins
        kind = ("cancelled", "earlier", "tentative")[number % 3]
        if kind == "cancelled":
            begins -= timedelta(days=rng.choice((1, 2, 7)))
        elif kind == "earlier":
            begins = begins.replace(year=begins.year - 1) - timedelta(days=rng.randint(0, 4))
        else:
            title, begins = f"{title} (tbc)", begins + timedelta(days=rng.choice((1, 7)))
        begins = datetime.combine(workday(begins.date()), begins.time(), begins.tzinfo)
        event = _event(
            f"near-{number}-{meeting.uid}", title, begins, begins + (meeting.ends - meeting.begins), meeting.organizer,
            (_guest(cast, address, "needs-action") for address in meeting.people if address != meeting.organizer),
            location=meeting.place, status=kind if kind in ("cancelled", "tentative") else "confirmed",
        )  # fmt: skip
        yield Set(event)


def _series(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """Series of the team, of projects, with the manager and with offices that are far away."""
    owner, day = cast.owner, now.date() - timedelta(days=120 + now.weekday())
    team = [one for one in cast.colleagues if one.department == owner.department]
    yield _weekly(cast, rng, "Jour fixe", day, owner, team, 10, "Room 1.04", now, calendar=TEAM)
    yield _weekly(cast, rng, "Jour fixe logistics", day, team[0], [owner, *team[1:3]], 11, "Room 1.40", now, weeks=2)
    manager = cast.colleague(owner.manager)
    yield _weekly(cast, rng, f"1:1 {owner.first} / {manager.first}", day, manager, [owner], 14, "", now, weeks=2)
    for project in cast.projects:
        lead = cast.colleague(project.lead)
        members = [cast.colleague(address) for address in project.members if address != project.lead]
        with_owner = members if owner in (lead, *members) else [*members, owner]
        title = f"{project.code} {project.name}"
        yield _weekly(cast, rng, title, project.begins, lead, with_owner, rng.choice((9, 13, 15)), "Video", now)
    for office in cast.offices[1:]:
        there = [one for one in cast.colleagues if one.time_zone == office.time_zone and one not in team][:3]
        if there:
            title = f"Call {office.city}"
            yield _weekly(
                cast, rng, title, day, there[0], [*there[1:], owner], 9, "Video", now, weeks=rng.choice((1, 2))
            )
    stand_up = clock(workday(day), 9, 15, owner.time_zone)
    yield Set(
        _event(
            "stand-up@" + cast.domain, "Stand-up", stand_up, stand_up + timedelta(minutes=15), team[0].email,
            (_guest(cast, one.email, "accepted") for one in (owner, *team[1:])),
            rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            skipped=tuple(stand_up + timedelta(days=off) for off in (28, 29, 63)),
        ),
        calendar=TEAM,
    )  # fmt: skip
    first = clock(date(day.year, day.month, 1), 16, 0, cast.offices[0].time_zone)
    first += timedelta(days=(3 - first.weekday()) % 7)
    guests = [_guest(cast, one.email, "accepted") for one in cast.staff if one != cast.colleagues[0]]
    yield Set(
        _event(
            "all-hands@" + cast.domain, "All hands", first, first + timedelta(minutes=45), cast.colleagues[0].email,
            guests, rule="FREQ=MONTHLY;BYDAY=1TH", location="Video",
        )
    )  # fmt: skip


def _weekly(
    cast: Cast, rng: random.Random, title: str, day: date, host: Colleague, guests: Sequence[Colleague], hour: int,
    place: str, now: datetime, *, weeks: int = 1, calendar: str = PRIMARY,
) -> Set:  # fmt: skip
    """A series on one weekday by the clock of who invites: one date is skipped, two are moved."""
    weekday = rng.randrange(5)
    starts = clock(day + timedelta(days=(weekday - day.weekday()) % 7), hour, rng.choice((0, 0, 30)), host.time_zone)
    ends = starts + timedelta(minutes=rng.choice((30, 45, 60)))
    answers: Sequence[Answer] = ("accepted", "accepted", "accepted", "tentative", "needs-action", "declined")
    people = [_guest(cast, one.email, rng.choice(answers)) for one in guests]
    uid = f"{title.casefold().replace(' ', '-').replace('/', '-')}-{starts:%m%d}@{cast.domain}"
    rule = f"FREQ=WEEKLY;INTERVAL={weeks};BYDAY={['MO', 'TU', 'WE', 'TH', 'FR'][weekday]}"
    past = max(1, (now - starts).days // (7 * weeks))
    off = sorted(rng.sample(range(1, past + 6), 3)) if past > 2 else [1, 2, 3]
    skipped, *moved = (starts + timedelta(weeks=weeks * place) for place in off)
    series = _event(
        uid,
        title,
        starts,
        ends,
        host.email,
        people,
        rule=rule.replace("INTERVAL=1;", ""),
        location=place,
        skipped=(skipped,),
    )
    exceptions = [
        replace(
            series, starts=when + change, ends=when + change + (ends - starts), rule="", skipped=(), occurrence=when,
            sequence=1,
        )
        for when, change in zip(moved, (timedelta(days=1), timedelta(hours=2)), strict=True)
    ]  # fmt: skip
    return Set(series, tuple(exceptions), calendar)


def _talks(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """Single meetings with colleagues, customers and suppliers around now; some are not answered yet."""
    for number in range(26):
        others: list[Colleague | Contact] = [*cast.colleagues, *cast.contacts]
        other = rng.choice(others)
        zone = rng.choice((cast.owner.time_zone, other.time_zone))
        day = workday(now.date() + timedelta(days=rng.randint(-45, 30)))
        starts = clock(day, rng.randint(9, 16), rng.choice((0, 15, 30)), zone)
        ours = number % 3 == 0
        host, guest = (cast.owner.email, other.email) if ours else (other.email, cast.owner.email)
        answer: Answer = "needs-action" if starts > now and number % 4 == 1 else "accepted"
        event = _event(
            f"talk-{number}-{starts:%Y%m%d}@{cast.domain}", f"{rng.choice(_TALKS)} {other.name}", starts,
            starts + timedelta(minutes=rng.choice((30, 45, 60, 90))), host, [_guest(cast, guest, answer)],
            location=rng.choice(("Video", "Room 1.04", "Room 1.40", "Room 2.12", "")),
        )  # fmt: skip
        yield Set(event)


def _own(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """What the owner does alone, at work and not."""
    for number in range(30):
        private = number % 4 == 3
        day = workday(now.date() + timedelta(days=rng.randint(-40, 35)))
        hour = rng.choice((7, 18, 19)) if private else rng.randint(8, 16)
        starts = clock(day, hour, rng.choice((0, 30)), cast.owner.time_zone)
        title = rng.choice(_PRIVATE if private else _OWN)
        event = _event(
            f"own-{number}-{starts:%Y%m%d}@{cast.domain}", title, starts,
            starts + timedelta(minutes=rng.choice((30, 60, 120))), busy=private or title == "Focus time",
        )  # fmt: skip
        yield Set(event, calendar=PRIVATE if private else PRIMARY)


def _days(cast: Cast, rng: random.Random, today: date) -> Iterator[Set]:
    """Whole days: birthdays, who is away, a trip of the owner."""
    for one in rng.sample(cast.colleagues, 14):
        day = date(rng.randint(1966, 2001), rng.randint(1, 12), rng.randint(1, 28))
        uid = f"birthday-{one.number}@{cast.domain}"
        event = _event(uid, f"Birthday {one.name}", day, day + timedelta(days=1), rule="FREQ=YEARLY", busy=False)
        yield Set(event, calendar=BIRTHDAYS)
    for one in rng.sample(cast.colleagues, 6):
        day = today + timedelta(days=rng.randint(-20, 40))
        uid = f"away-{one.number}@{cast.domain}"
        event = _event(uid, f"{one.name} away", day, day + timedelta(days=rng.randint(1, 10)), busy=False)
        yield Set(event, calendar=TEAM)
    day = workday(today + timedelta(days=rng.randint(10, 30)))
    office = cast.offices[-1]
    trip = _event(f"trip@{cast.domain}", f"Visit {office.city}", day, day + timedelta(days=2), location=office.city)
    yield Set(trip)


def _shared(sets: Iterable[Set], address: str) -> Iterator[Set]:
    """What stands in the calendar of somebody who invites or is invited, but has not declined."""
    for one in sets:
        answers = {guest.address: guest.answer for guest in one.event.attendees}
        invites = one.event.organizer is not None and one.event.organizer.address == address
        if invites or answers.get(address, "declined") != "declined":
            yield one


def _alone(colleague: Colleague, rng: random.Random, now: datetime) -> Iterator[Set]:
    """What a colleague does besides."""
    for number in range(12):
        day = workday(now.date() + timedelta(days=rng.randint(-5, 20)))
        starts = clock(day, rng.randint(8, 16), rng.choice((0, 30)), colleague.time_zone)
        uid = f"busy-{colleague.number}-{number}@{colleague.email.partition('@')[2]}"
        yield Set(_event(uid, rng.choice(_OWN), starts, starts + timedelta(minutes=rng.choice((30, 60, 90, 180)))))
