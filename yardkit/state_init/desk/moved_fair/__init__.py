"""A fair that was put off: its mails, the meetings before it, and rooms that are free to cancel, or no longer."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.desk.moved_fair.fairs import BRANDS, Fair, PutOff
from yardkit.state_init.desk.moved_fair.hotels import DONE, LISTED, Booking, Word, letters_of, rule_of
from yardkit.state_init.desk.moved_fair.weekly import Moved, Weekly
from yardkit.world import World

HOTELS = ("Harbour Court", "Garden Tower", "Old Exchange", "Riverside House")
WEST, EAST = ("Chicago", "Boston", "Toronto"), ("Osaka", "Singapore", "Pune")
NOON = {EAST: "16 March 2026, 12:00", WEST: "16 March 2026, 08:00"}
"""When the owner's clock and the hotel's disagree on whether it is over: it is in the east, and not in the west."""
MORE = "27 March 2026, 18:00"
DAY = timedelta(days=1)
PAST_MEETINGS = 2
"""Meetings that have taken place."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill calendar, mailbox and the list of bookings; the facts say what is right."""
    cast, weeks, now = cast_of(world), rng.choice((2, 3, 4)), world.now
    by, later = cast.owner, timedelta(weeks=weeks)
    side = {"Asia": WEST, "America": EAST}.get(by.time_zone.partition("/")[0]) or rng.choice((EAST, WEST))
    ours, other = _make_fairs(rng, now.date(), side)
    wrong = timedelta(weeks=3 if weeks == 2 else 2)
    put_off = PutOff(ours, other, later, wrong, cast.colleagues[-1], corrected=rng.random() < 0.6)
    bookings, meetings = _make_bookings(rng, ours, other, NOON[side]), _make_meetings(cast, rng, now, ours)
    words: tuple[Word, ...] = ("CANCEL" if side == WEST else "CHANGE", "CANCEL", "CHANGE")
    asked = {booking.number: word for booking, word in zip(bookings, words, strict=False)}
    done = {(booking, word): booking.settle(word, rng) for booking in bookings[:-2] for word in DONE}
    letters = list(put_off.write_letters(by, now))
    for booking in bookings:
        days = (370 if booking.reference else 40) + rng.randint(0, 9)
        letters += letters_of(booking, by, now - timedelta(days=days, minutes=rng.randint(1, 400)))
    stories = make_stories(cast, get_stream(world, "stories"), now)
    rules = [rule_of(booking, settled, word) for (booking, word), settled in done.items()]
    fill_mail(world, cast, get_stream(world, "mail"), count=240, stories=stories, more=letters, rules=rules)
    guests = [cast.colleagues[-1], *cast.colleagues[9:12]]
    beside = replace(meetings, title=f"Prep {other.name}", guests=guests, first=meetings.first + DAY, moved=())
    sets = [meetings.as_set(), beside.as_set(), ours.as_set(cast.domain), other.as_set(cast.domain)]
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=6, more=sets)
    rng.shuffle(bookings)
    save_csv(world.files / "fair/bookings.csv", [LISTED, *(booking.row for booking in bookings)])
    listed = {booking.number: settled for (booking, word), settled in done.items() if asked.get(booking.number) == word}
    listed = {
        number: booking.move(later) if asked[number] == "CHANGE" else booking for number, booking in listed.items()
    }
    here = now.astimezone(ZoneInfo(by.time_zone))
    return {
        "prompt": {"fair": ours.name, "clock": f"{here:%H:%M}", "city": by.office},
        "owner": by.email,
        "title": meetings.title,
        "fair": ours.name,
        "other": beside.title,
        "meetings": meetings.list_happenings(later, PAST_MEETINGS),
        "days": [str(ours.begins + later), str(ours.ends + later)],
        "until": str(ours.ends + later + DAY),
        "rows": [dict(zip(LISTED, listed.get(booking.number, booking).row, strict=True)) for booking in bookings],
        "people": meetings.people,
        "extra": meetings.moved[-1][1].beside[0].email,
        "noon": next(iter(asked)),
        "hotel_mails": [_describe_expected_mail(booking, asked[number]) for number, booking in listed.items()],
        "curious": cast.colleagues[-1].email,
        "was": str(ours.begins),
    }


def _make_fairs(rng: random.Random, today: date, side: Sequence[str]) -> tuple[Fair, Fair]:
    """Ours, on one side of the world, and that of the same brand on the other."""
    brand, hotel, begins = rng.choice(BRANDS), rng.choice(HOTELS), today + rng.choice((57, 64)) * DAY
    cities = rng.choice(side), rng.choice(EAST if side == WEST else WEST)
    ours, other = (Fair(brand, city, begins, f"{hotel} {city}") for city in cities)
    return ours, replace(other, begins=begins + rng.choice((28, 35)) * DAY)


def _make_bookings(rng: random.Random, ours: Fair, other: Fair, noon: str) -> list[Booking]:
    """Three for the fair: one whose time ends today, one that was prolonged, one that is too late; then others."""
    early, late, name, day = ours.begins - 3 * DAY, ours.ends + DAY, ours.name, other.begins
    stays: tuple[tuple[str, str, date, date, int, str], ...] = (
        (ours.hotel, f"{name}, stand", early, late, 4, noon),
        (ours.hotel, f"{name}, visitors", early + 2 * DAY, late - DAY, 2, "6 March 2026, 18:00"),
        (ours.hotel, f"{name}, build-up", early - 2 * DAY, early, 3, "13 March 2026, 18:00"),
        (ours.hotel, "Visit of customers", early - 9 * DAY, early - 7 * DAY, 1, "20 March 2026, 18:00"),
        (other.hotel, f"{other.name}, stand", day - 3 * DAY, other.ends + DAY, 5, "9 April 2026, 18:00"),
        (other.hotel, f"{other.name}, visitors", day, other.ends, 2, noon),
        (ours.hotel, f"{name} 2025", early - 362 * DAY, late - 362 * DAY, 3, "30 March 2025, 18:00"),
        (other.hotel, f"{other.name} 2025", day - 359 * DAY, other.ends - 359 * DAY, 3, "31 March 2025, 18:00"),
    )  # fmt: skip
    numbers = (f"{rng.choice('KLMRT')}{number}" for number in rng.sample(range(20_000, 99_999), len(stays)))
    *own_bookings, gone, moved = (Booking(number, *stay) for number, stay in zip(numbers, stays, strict=True))
    own_bookings[1] = replace(own_bookings[1], prolonged=MORE)
    return [*own_bookings, gone.settle("CANCEL", rng), moved.settle("CHANGE", rng)]


def _make_meetings(cast: Cast, rng: random.Random, now: datetime, fair: Fair) -> Weekly:
    """Two were held, one of them a day late; one is skipped, and one was moved for somebody from outside."""
    first = now.date() - timedelta(days=7 * PAST_MEETINGS + now.weekday()) + rng.randint(1, 4) * DAY
    extra = rng.choice(rng.choice(cast.suppliers[2:]).contacts)
    skipped, moved = rng.sample(range(PAST_MEETINGS + 1, 7), 2)
    away = Moved(timedelta(days=-1, hours=4, minutes=30), (extra,), f"At {extra.company}")
    return Weekly(
        f"Prep {fair.name}", cast.owner, [*rng.sample(cast.colleagues[8:-4], 4), cast.colleagues[-2]],
        make_moment(first, rng.choice((9, 10, 11)), 30, cast.owner.time_zone), 8, "Room 1.40", (skipped,),
        ((1, Moved(DAY)), (moved, away)),
    )  # fmt: skip


def _describe_expected_mail(settled: Booking, word: Word) -> dict[str, Any]:
    """The mail that the hotel wants."""
    days = [str(settled.arrival), str(settled.departure)] if word == "CHANGE" else []
    return {"to": [settled.email], "says": [f"{word} {settled.number}", *days]}
