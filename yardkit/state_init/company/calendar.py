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
from yardkit.state_init.company.hours import make_moment, to_workday
from yardkit.state_init.company.letters import Meeting
from yardkit.state_init.company.open_times import Span, leave_open
from yardkit.state_init.company.persons import Colleague, Contact
from yardkit.state_init.company.stories import Stories
from yardkit.world import World, skip_syncing

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
        *_make_series(cast, rng, now),
        *_make_talks(cast, rng, now),
        *_make_own_events(cast, rng, now),
        *_make_day_events(cast, rng, now.date()),
        *more,
    ]
    sets = list(_leave_sets_open(filled, left_open))
    with skip_syncing():
        _make_calendars(agenda, cast, colleagues)
        for event_set in sets:
            _save_set(agenda, cast.owner.email, event_set)
        for colleague in colleagues:
            for shared in _list_shared_sets(sets, colleague.email):
                _save_set(agenda, colleague.email, replace(shared, calendar=PRIMARY))
            for alone in _leave_sets_open(_make_solo_events(colleague, rng, now), left_open):
                _save_set(agenda, colleague.email, alone)
    return sorted((event_set.event for event_set in sets), key=lambda event: (_format_when(event.starts), event.uid))


def forget_leave(world: World, owner: str, colleague: Colleague) -> None:
    """Take out of the team's calendar when somebody is away by chance; what a task says of it stays."""
    agenda, name = Agenda(world), file_name(f"away-{colleague.number}@{owner.partition('@')[2]}")
    if name in {path.name for path in agenda.files(owner, TEAM)}:
        agenda.remove(owner, TEAM, name)


def _looked_at(cast: Cast, rng: random.Random, people: int) -> list[Colleague]:
    """Whose calendars are filled: of each office, and the owner's own team."""
    near = [colleague for colleague in cast.colleagues if cast.owner.department == colleague.department]
    far = [
        colleague
        for colleague in cast.colleagues
        if colleague.time_zone != cast.owner.time_zone and colleague not in near
    ]
    chosen = [*near, *rng.sample(far, len(far))][:people]
    return sorted(chosen, key=lambda colleague: colleague.number)


def _make_calendars(agenda: Agenda, cast: Cast, colleagues: Sequence[Colleague]) -> None:
    titles = {PRIMARY: cast.owner.name, TEAM: cast.owner.department, PRIVATE: "Private", BIRTHDAYS: "Birthdays"}
    for name, title in titles.items():
        agenda.make_calendar(cast.owner.email, CalendarInfo(name, title, cast.owner.time_zone))
    for colleague in colleagues:
        agenda.make_calendar(colleague.email, CalendarInfo(PRIMARY, colleague.name, colleague.time_zone))


def _leave_sets_open(sets: Iterable[Set], spans: Sequence[Span]) -> Iterator[Set]:
    for event_set in sets:
        if left := leave_open(event_set.event, event_set.exceptions, spans):
            yield Set(*left, event_set.calendar)


def _save_set(agenda: Agenda, user: str, event_set: Set) -> None:
    agenda.save(
        user,
        event_set.calendar,
        file_name(event_set.event.uid),
        calendar_file([event_set.event, *event_set.exceptions]),
    )


def _make_event(
    uid: str,
    title: str,
    starts: When,
    ends: When,
    organizer: str = "",
    guests: Iterable[Attendee] = (),
    **properties: object,
) -> Event:
    invites = Attendee(organizer) if organizer else None
    new_event = Event(uid, title, starts, ends, organizer=invites, attendees=tuple(guests))
    return replace(new_event, stamp=_make_stamp(starts), **properties)  # type: ignore[arg-type]


def _make_stamp(starts: When) -> datetime:
    return make_moment(date(starts.year, starts.month, starts.day) - timedelta(days=21), 9, 0, "UTC")


def _format_when(when: When) -> str:
    return when.isoformat()


def _of_meeting(cast: Cast, meeting: Meeting) -> Set:
    guests = [_make_guest(cast, address, "accepted") for address in meeting.people if address != meeting.organizer]
    event = _make_event(
        meeting.uid, meeting.title, meeting.begins, meeting.ends, meeting.organizer, guests,
        location=meeting.place, description=meeting.about, status="cancelled" if meeting.cancelled else "confirmed",
    )  # fmt: skip
    return Set(event)


def _make_guest(cast: Cast, address: str, answer: Answer) -> Attendee:
    known = {person.email: person.name for person in (*cast.staff, *cast.contacts, *cast.school.teachers)}
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
        begins = datetime.combine(to_workday(begins.date()), begins.time(), begins.tzinfo)
        event = _make_event(
            f"near-{number}-{meeting.uid}", title, begins, begins + (meeting.ends - meeting.begins), meeting.organizer,
            (_make_guest(cast, address, "needs-action") for address in meeting.people if address != meeting.organizer),
            location=meeting.place, status=kind if kind in ("cancelled", "tentative") else "confirmed",
        )  # fmt: skip
        yield Set(event)


def _make_series(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """Series of the team, of projects, with the manager and with offices that are far away."""
    owner, day = cast.owner, now.date() - timedelta(days=120 + now.weekday())
    team = [colleague for colleague in cast.colleagues if colleague.department == owner.department]
    yield _make_weekly(cast, rng, "Jour fixe", day, owner, team, 10, "Room 1.04", now, calendar=TEAM)
    yield _make_weekly(
        cast, rng, "Jour fixe logistics", day, team[0], [owner, *team[1:3]], 11, "Room 1.40", now, weeks=2
    )
    manager = cast.find_colleague(owner.manager)
    yield _make_weekly(cast, rng, f"1:1 {owner.first} / {manager.first}", day, manager, [owner], 14, "", now, weeks=2)
    for project in cast.projects:
        lead = cast.find_colleague(project.lead)
        members = [cast.find_colleague(address) for address in project.members if address != project.lead]
        with_owner = members if owner in (lead, *members) else [*members, owner]
        title = f"{project.code} {project.name}"
        yield _make_weekly(cast, rng, title, project.begins, lead, with_owner, rng.choice((9, 13, 15)), "Video", now)
    for office in cast.offices[1:]:
        there = [
            colleague
            for colleague in cast.colleagues
            if colleague.time_zone == office.time_zone and colleague not in team
        ][:3]
        if there:
            title = f"Call {office.city}"
            yield _make_weekly(
                cast, rng, title, day, there[0], [*there[1:], owner], 9, "Video", now, weeks=rng.choice((1, 2))
            )
    stand_up = make_moment(to_workday(day), 9, 15, owner.time_zone)
    yield Set(
        _make_event(
            "stand-up@" + cast.domain, "Stand-up", stand_up, stand_up + timedelta(minutes=15), team[0].email,
            (_make_guest(cast, colleague.email, "accepted") for colleague in (owner, *team[1:])),
            rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            skipped=tuple(stand_up + timedelta(days=off) for off in (28, 29, 63)),
        ),
        calendar=TEAM,
    )  # fmt: skip
    first = make_moment(date(day.year, day.month, 1), 16, 0, cast.offices[0].time_zone)
    first += timedelta(days=(3 - first.weekday()) % 7)
    guests = [
        _make_guest(cast, colleague.email, "accepted") for colleague in cast.staff if colleague != cast.colleagues[0]
    ]
    yield Set(
        _make_event(
            "all-hands@" + cast.domain, "All hands", first, first + timedelta(minutes=45), cast.colleagues[0].email,
            guests, rule="FREQ=MONTHLY;BYDAY=1TH", location="Video",
        )
    )  # fmt: skip


def _make_weekly(
    cast: Cast, rng: random.Random, title: str, day: date, host: Colleague, guests: Sequence[Colleague], hour: int,
    place: str, now: datetime, *, weeks: int = 1, calendar: str = PRIMARY,
) -> Set:  # fmt: skip
    """A series on one weekday by the clock of who invites: one date is skipped, two are moved."""
    weekday = rng.randrange(5)
    starts = make_moment(
        day + timedelta(days=(weekday - day.weekday()) % 7), hour, rng.choice((0, 0, 30)), host.time_zone
    )
    ends = starts + timedelta(minutes=rng.choice((30, 45, 60)))
    answers: Sequence[Answer] = ("accepted", "accepted", "accepted", "tentative", "needs-action", "declined")
    people = [_make_guest(cast, guest.email, rng.choice(answers)) for guest in guests]
    uid = f"{title.casefold().replace(' ', '-').replace('/', '-')}-{starts:%m%d}@{cast.domain}"
    rule = f"FREQ=WEEKLY;INTERVAL={weeks};BYDAY={['MO', 'TU', 'WE', 'TH', 'FR'][weekday]}"
    past = max(1, (now - starts).days // (7 * weeks))
    off = sorted(rng.sample(range(1, past + 6), 3)) if past > 2 else [1, 2, 3]
    skipped, *moved = (starts + timedelta(weeks=weeks * place) for place in off)
    series = _make_event(
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


def _make_talks(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """Single meetings with colleagues, customers and suppliers around now; some are not answered yet."""
    for number in range(26):
        others: list[Colleague | Contact] = [*cast.colleagues, *cast.contacts]
        other = rng.choice(others)
        zone = rng.choice((cast.owner.time_zone, other.time_zone))
        day = to_workday(now.date() + timedelta(days=rng.randint(-45, 30)))
        starts = make_moment(day, rng.randint(9, 16), rng.choice((0, 15, 30)), zone)
        ours = number % 3 == 0
        host, guest = (cast.owner.email, other.email) if ours else (other.email, cast.owner.email)
        answer: Answer = "needs-action" if starts > now and number % 4 == 1 else "accepted"
        event = _make_event(
            f"talk-{number}-{starts:%Y%m%d}@{cast.domain}", f"{rng.choice(_TALKS)} {other.name}", starts,
            starts + timedelta(minutes=rng.choice((30, 45, 60, 90))), host, [_make_guest(cast, guest, answer)],
            location=rng.choice(("Video", "Room 1.04", "Room 1.40", "Room 2.12", "")),
        )  # fmt: skip
        yield Set(event)


def _make_own_events(cast: Cast, rng: random.Random, now: datetime) -> Iterator[Set]:
    """What the owner does alone, at work and not."""
    for number in range(30):
        private = number % 4 == 3
        day = to_workday(now.date() + timedelta(days=rng.randint(-40, 35)))
        hour = rng.choice((7, 18, 19)) if private else rng.randint(8, 16)
        starts = make_moment(day, hour, rng.choice((0, 30)), cast.owner.time_zone)
        title = rng.choice(_PRIVATE if private else _OWN)
        event = _make_event(
            f"own-{number}-{starts:%Y%m%d}@{cast.domain}", title, starts,
            starts + timedelta(minutes=rng.choice((30, 60, 120))), busy=private or title == "Focus time",
        )  # fmt: skip
        yield Set(event, calendar=PRIVATE if private else PRIMARY)


def _make_day_events(cast: Cast, rng: random.Random, today: date) -> Iterator[Set]:
    """Whole days: birthdays, who is away, a trip of the owner."""
    for colleague in rng.sample(cast.colleagues, 14):
        day = date(rng.randint(1966, 2001), rng.randint(1, 12), rng.randint(1, 28))
        uid = f"birthday-{colleague.number}@{cast.domain}"
        event = _make_event(
            uid, f"Birthday {colleague.name}", day, day + timedelta(days=1), rule="FREQ=YEARLY", busy=False
        )
        yield Set(event, calendar=BIRTHDAYS)
    for colleague in rng.sample(cast.colleagues, 6):
        day = today + timedelta(days=rng.randint(-20, 40))
        uid = f"away-{colleague.number}@{cast.domain}"
        event = _make_event(uid, f"{colleague.name} away", day, day + timedelta(days=rng.randint(1, 10)), busy=False)
        yield Set(event, calendar=TEAM)
    day = to_workday(today + timedelta(days=rng.randint(10, 30)))
    office = cast.offices[-1]
    trip = _make_event(
        f"trip@{cast.domain}", f"Visit {office.city}", day, day + timedelta(days=2), location=office.city
    )
    yield Set(trip)


def _list_shared_sets(sets: Iterable[Set], address: str) -> Iterator[Set]:
    """What stands in the calendar of somebody who invites or is invited, but has not declined."""
    for event_set in sets:
        answers = {guest.address: guest.answer for guest in event_set.event.attendees}
        invites = event_set.event.organizer is not None and event_set.event.organizer.address == address
        if invites or answers.get(address, "declined") != "declined":
            yield event_set


def _make_solo_events(colleague: Colleague, rng: random.Random, now: datetime) -> Iterator[Set]:
    """What a colleague does besides."""
    for number in range(12):
        day = to_workday(now.date() + timedelta(days=rng.randint(-5, 20)))
        starts = make_moment(day, rng.randint(8, 16), rng.choice((0, 30)), colleague.time_zone)
        uid = f"busy-{colleague.number}-{number}@{colleague.email.partition('@')[2]}"
        yield Set(_make_event(uid, rng.choice(_OWN), starts, starts + timedelta(minutes=rng.choice((30, 60, 90, 180)))))
