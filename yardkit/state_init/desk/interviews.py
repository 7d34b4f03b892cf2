"""A round of interviews to be arranged: a shortlist, panels by role, rooms, and how the last round was done."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from yardkit.apps.mail import read_accounts, save_accounts
from yardkit.state_init.cast import Cast, Colleague, cast_of, get_stream
from yardkit.state_init.company import interviews as rounds
from yardkit.state_init.company.hours import choose_later_moment, make_moment
from yardkit.state_init.company.interviews import DAY, LAST, OTHER, ROOMS, THIS, TRACKS, Applicant, Appointment, Room
from yardkit.state_init.company.letters import Letter, write_note
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.stories import Hiring, make_stories
from yardkit.world import World

CASES = {
    "not_listed": ("Shortlist", "Applied", "Shortlist", "Shortlist", "Gone", "Declined"),
    "withdrew": ("Shortlist", "Gone", "Shortlist", "Shortlist", "Applied", "Declined"),
    "both": ("Shortlist", "Shortlist", "Shortlist", "Gone", "Applied", "Declined"),
}
"""How each applicant stands; the first two have nearly one name. Who is gone stands on the shortlist, too."""
FIRST = date(2025, 10, 28)
"""When the last round began."""
OUTCOMES = ("Hired", "Declined", "Declined", "Withdrawn", "Declined", "Declined")
"""Of the last round; the first three were met."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill mailbox, calendars and notes; the facts say who is to be met, by whom, and who is not."""
    cast, now = rounds.at_head_office(cast_of(world)), world.now
    monday = now.date() + (7 - now.weekday()) * DAY
    rooms = [Room("Room", name, f"room-{name.replace('.', '-')}@{cast.domain}", seats, about)
             for name, seats, about in ROOMS]  # fmt: skip
    case, (panel, before, instead) = rng.choice([*CASES]), rounds.choose_panels(rng, cast)
    applicants = _make_applicants(rng, cast, now, CASES[case])
    filled = fill_notes(world, cast, get_stream(world, "notes"), minutes=24, tasks=40)
    minutes = rounds.read_minutes(world, filled)
    old, old_appointments = _last_round(rng, cast, minutes, before, rooms)
    others = rounds.make_applicants(rng, cast, now.date() - 30 * DAY, 3)
    beside = [
        Appointment(
            applicant, make_moment(monday + 2 * place * DAY, 10, 0, cast.owner.time_zone), minutes, before[1:], rooms[1]
        )
        for place, applicant in enumerate(others[:2])
    ]
    states = zip(applicants, CASES[case], strict=True)
    rows: rounds.Entries = [
        *(
            (LAST, applicant, state, old_appointments.get(applicant))
            for applicant, state in zip(old, OUTCOMES, strict=True)
        ),
        *((OTHER, appointment.applicant, "Invited", appointment) for appointment in beside),
        (OTHER, others[2], "Applied", None),
        *((THIS, applicant, state.replace("Gone", "Shortlist"), None) for applicant, state in states),
    ]
    ids = rounds.write_notes(world, cast, rng, filled, rows, rooms, (panel, before))
    standing: dict[str, list[Applicant]] = {}
    for applicant, state in zip(applicants, CASES[case], strict=True):
        standing.setdefault(state, []).append(applicant)
    gone, met, unlisted = standing["Gone"][0], standing["Shortlist"], standing["Applied"][0]
    rounds.fill_calendars(
        world, cast, rng, monday, (old_appointments, beside), rooms, [*panel, instead], (met, minutes)
    )
    hirings = [
        rounds.write_hiring(rng, cast, LAST, before, old, old_appointments),
        rounds.write_hiring(rng, cast, THIS, panel, applicants, {}),
    ]
    numbers = _fill_mail(world, cast, rng, hirings, rooms, (panel[0], instead))
    return {
        "prompt": {"number": THIS, "last": LAST}, "owner": cast.owner.email, "zone": cast.owner.time_zone,
        "monday": str(monday), "minutes": minutes, "number": THIS, "table": ids["table"],
        "rooms": {room.last: room.email for room in rooms[1:3]}, "glass": rooms[0].email,
        "people": {person.email: [person.name, person.time_zone] for person in (cast.owner, *panel, instead)},
        "candidates": [_describe_applicant(applicant, panel, instead, ids, numbers) for applicant in met],
        "gone": ids[gone.email], "gone_email": gone.email, "away": panel[0].email, "instead": instead.email,
        "foreign": next(applicant.email for applicant in met if applicant.language != "English"),
        "first_row": ids[met[0].email], "unlisted": unlisted.email, "unlisted_row": ids[unlisted.email],
    }  # fmt: skip


def _describe_applicant(
    applicant: Applicant, panel: Sequence[Colleague], instead: Colleague, ids: dict[str, int], numbers: dict[str, str]
) -> dict[str, Any]:
    """What is right for somebody who is to be met."""
    first = instead if applicant.track == TRACKS[0] else panel[1]
    people = sorted((first.email, panel[2].email))
    thread = [message for key, message in numbers.items() if key.startswith(f"{THIS}/{applicant.email}/")]
    return {
        "name": applicant.name,
        "email": applicant.email,
        "language": applicant.language,
        "row": ids[applicant.email],
        "panel": people,
        "ids": sorted(ids[email] for email in people),
        "thread": thread,
        "from": applicant.only_from,
        "never": applicant.never_on,
    }


def _make_applicants(rng: random.Random, cast: Cast, now: datetime, states: Sequence[str]) -> list[Applicant]:
    """Of those to be met one can come from a time of the day on, one never on a weekday, one has another offer."""
    new_applicants = rounds.make_applicants(rng, cast, now.date() - 25 * DAY, 6)
    met = [place for place, state in enumerate(states) if state == "Shortlist"]
    rng.shuffle(met)
    new_applicants[met[0]] = replace(new_applicants[met[0]], only_from=13)
    new_applicants[met[1]] = replace(new_applicants[met[1]], never_on=rng.randrange(5))
    new_applicants[met[2]] = replace(new_applicants[met[2]], offered=True)
    gone = states.index("Gone")
    new_applicants[gone] = replace(new_applicants[gone], withdrawn=choose_later_moment(rng, now - 2 * DAY, 0, "UTC"))
    return new_applicants


def _last_round(
    rng: random.Random, cast: Cast, minutes: int, panel: Sequence[Colleague], rooms: Sequence[Room]
) -> tuple[list[Applicant], dict[Applicant, Appointment]]:
    """Who applied then, and the three interviews."""
    old_applicants = rounds.make_applicants(rng, cast, date(2025, 9, 29), len(OUTCOMES))
    old_applicants[3] = replace(
        old_applicants[3], withdrawn=make_moment(date(2025, 10, 16), 11, rng.randrange(60), "UTC")
    )
    appointments = {
        applicant: Appointment(
            applicant,
            make_moment(FIRST + place * DAY, rng.choice((9, 10, 14, 15)), rng.choice((0, 30)), cast.owner.time_zone),
            minutes,
            [panel[place % 2], panel[2]],
            rooms[1 + place % 2],
        )
        for place, applicant in enumerate(old_applicants[:3])
    }
    return old_applicants, appointments


def _fill_mail(
    world: World, cast: Cast, rng: random.Random, hirings: Sequence[Hiring], rooms: Sequence[Room],
    away: tuple[Colleague, Colleague],
) -> dict[str, str]:  # fmt: skip
    """The mailbox: Message-IDs by the keys of letters. Rooms have mailboxes, too."""
    stories = replace(make_stories(cast, get_stream(world, "stories"), world.now, hirings=0), hirings=tuple(hirings))
    gone, instead = away
    absence_text = (
        f"I am away all of next week. {instead.name} ({instead.title}) sits in for me at the interviews for {THIS}."
    )
    sent = choose_later_moment(rng, world.now - 3 * DAY, 0, gone.time_zone)
    text = write_note(cast.owner.first, absence_text, gone.first)
    letter = Letter("away", gone.mailbox, (cast.owner.mailbox,), "Next week", text, sent, (instead.mailbox,))
    filled = fill_mail(world, cast, get_stream(world, "mail"), count=240, stories=stories, more=[letter])
    accounts = read_accounts(world)
    save_accounts(world, replace(accounts, names={**accounts.names, **{room.email: room.name for room in rooms}}))
    return dict(filled.message_ids)
