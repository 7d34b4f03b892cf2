"""A round of interviews to be arranged: a shortlist, panels by role, rooms, and how the last round was done."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from yardkit.apps.mail import read_accounts, save_accounts
from yardkit.state_init.cast import Cast, Colleague, cast_of, stream
from yardkit.state_init.company import interviews as rounds
from yardkit.state_init.company.hours import clock, later
from yardkit.state_init.company.interviews import DAY, LAST, OTHER, ROOMS, THIS, TRACKS, Applicant, Appointment, Room
from yardkit.state_init.company.letters import Letter, note
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
    applicants = _applicants(rng, cast, now, CASES[case])
    filled = fill_notes(world, cast, stream(world, "notes"), minutes=24, tasks=40)
    minutes = rounds.read_minutes(world, filled)
    old, held = _last_round(rng, cast, minutes, before, rooms)
    others = rounds.make_applicants(rng, cast, now.date() - 30 * DAY, 3)
    beside = [
        Appointment(one, clock(monday + 2 * place * DAY, 10, 0, cast.owner.time_zone), minutes, before[1:], rooms[1])
        for place, one in enumerate(others[:2])
    ]
    states = zip(applicants, CASES[case], strict=True)
    rows: rounds.Entries = [
        *((LAST, one, state, held.get(one)) for one, state in zip(old, OUTCOMES, strict=True)),
        *((OTHER, one.applicant, "Invited", one) for one in beside), (OTHER, others[2], "Applied", None),
        *((THIS, one, state.replace("Gone", "Shortlist"), None) for one, state in states),
    ]  # fmt: skip
    ids = rounds.write_notes(world, cast, rng, filled, rows, rooms, (panel, before))
    standing: dict[str, list[Applicant]] = {}
    for one, state in zip(applicants, CASES[case], strict=True):
        standing.setdefault(state, []).append(one)
    gone, met, unlisted = standing["Gone"][0], standing["Shortlist"], standing["Applied"][0]
    rounds.fill_calendars(world, cast, rng, monday, (held, beside), rooms, [*panel, instead], (met, minutes))
    hirings = [
        rounds.tell_hiring(rng, cast, LAST, before, old, held),
        rounds.tell_hiring(rng, cast, THIS, panel, applicants, {}),
    ]
    numbers = _fill_mail(world, cast, rng, hirings, rooms, (panel[0], instead))
    return {
        "prompt": {"number": THIS, "last": LAST}, "owner": cast.owner.email, "zone": cast.owner.time_zone,
        "monday": str(monday), "minutes": minutes, "number": THIS, "table": ids["table"],
        "rooms": {room.last: room.email for room in rooms[1:3]}, "glass": rooms[0].email,
        "people": {one.email: [one.name, one.time_zone] for one in (cast.owner, *panel, instead)},
        "candidates": [_told(one, panel, instead, ids, numbers) for one in met],
        "gone": ids[gone.email], "gone_email": gone.email, "away": panel[0].email, "instead": instead.email,
        "foreign": next(one.email for one in met if one.language != "English"),
        "first_row": ids[met[0].email], "unlisted": unlisted.email, "unlisted_row": ids[unlisted.email],
    }  # fmt: skip


def _told(
    one: Applicant, panel: Sequence[Colleague], instead: Colleague, ids: dict[str, int], numbers: dict[str, str]
) -> dict[str, Any]:
    """What is right for somebody who is to be met."""
    first = instead if one.track == TRACKS[0] else panel[1]
    people = sorted((first.email, panel[2].email))
    thread = [message for key, message in numbers.items() if key.startswith(f"{THIS}/{one.email}/")]
    return {
        "name": one.name, "email": one.email, "language": one.language, "row": ids[one.email], "panel": people,
        "ids": sorted(ids[email] for email in people), "thread": thread, "from": one.only_from, "never": one.never_on,
    }  # fmt: skip


def _applicants(rng: random.Random, cast: Cast, now: datetime, states: Sequence[str]) -> list[Applicant]:
    """Of those to be met one can come from a time of the day on, one never on a weekday, one has another offer."""
    made = rounds.make_applicants(rng, cast, now.date() - 25 * DAY, 6)
    met = [place for place, state in enumerate(states) if state == "Shortlist"]
    rng.shuffle(met)
    made[met[0]] = replace(made[met[0]], only_from=13)
    made[met[1]] = replace(made[met[1]], never_on=rng.randrange(5))
    made[met[2]] = replace(made[met[2]], offered=True)
    gone = states.index("Gone")
    made[gone] = replace(made[gone], withdrawn=later(rng, now - 2 * DAY, 0, "UTC"))
    return made


def _last_round(
    rng: random.Random, cast: Cast, minutes: int, panel: Sequence[Colleague], rooms: Sequence[Room]
) -> tuple[list[Applicant], dict[Applicant, Appointment]]:
    """Who applied then, and the three interviews."""
    made = rounds.make_applicants(rng, cast, date(2025, 9, 29), len(OUTCOMES))
    made[3] = replace(made[3], withdrawn=clock(date(2025, 10, 16), 11, rng.randrange(60), "UTC"))
    held = {
        one: Appointment(
            one, clock(FIRST + place * DAY, rng.choice((9, 10, 14, 15)), rng.choice((0, 30)), cast.owner.time_zone),
            minutes, [panel[place % 2], panel[2]], rooms[1 + place % 2],
        )
        for place, one in enumerate(made[:3])
    }  # fmt: skip
    return made, held


def _fill_mail(
    world: World, cast: Cast, rng: random.Random, hirings: Sequence[Hiring], rooms: Sequence[Room],
    away: tuple[Colleague, Colleague],
) -> dict[str, str]:  # fmt: skip
    """The mailbox: Message-IDs by the keys of letters. Rooms have mailboxes, too."""
    stories = replace(make_stories(cast, stream(world, "stories"), world.now, hirings=0), hirings=tuple(hirings))
    gone, instead = away
    told = f"I am away all of next week. {instead.name} ({instead.title}) sits in for me at the interviews for {THIS}."
    sent = later(rng, world.now - 3 * DAY, 0, gone.time_zone)
    text = note(cast.owner.first, told, gone.first)
    letter = Letter("away", gone.mailbox, (cast.owner.mailbox,), "Next week", text, sent, (instead.mailbox,))
    filled = fill_mail(world, cast, stream(world, "mail"), count=240, stories=stories, more=[letter])
    accounts = read_accounts(world)
    save_accounts(world, replace(accounts, names={**accounts.names, **{one.email: one.name for one in rooms}}))
    return dict(filled.message_ids)
