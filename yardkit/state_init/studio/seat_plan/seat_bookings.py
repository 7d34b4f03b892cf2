"""Bookings of seats in a hall: rows of which some were replaced, cancelled, or are for other evenings."""

import datetime
import random
from collections.abc import Sequence
from typing import Any

from yardkit.state_init.studio.seat_plan.seat_plans import Hall

HEAD = ["Booking", "Evening", "Group", "Seats", "State"]


class _Seats:
    """Stretches of seats next to each other that nobody else has."""

    def __init__(self, hall: Hall, rng: random.Random) -> None:
        self._rng, self._last, self._taken = rng, hall.seats, set[str]()
        self._starts = [(row, start) for row in range(hall.rows) for start in (1, hall.aisle_after - 1, hall.seats - 3)]

    def take_seat(self, most: int = 5) -> str:
        while True:
            row, start = self._rng.choice(self._starts)
            numbers = range(start, min(start + self._rng.randint(2, most), self._last + 1))
            named = [f"{chr(65 + row)}{number}" for number in numbers]
            if not self._taken & {*named}:
                self._taken.update(named)
                return f"{named[0]}-{named[-1]}" if len(named) > 2 else ", ".join(named)


def book_seats(
    rng: random.Random, hall: Hall, groups: Sequence[str], day: datetime.date
) -> tuple[list[list[Any]], dict[str, str]]:
    """Rows in order, and whose each seat is on a day. The last of four groups has an option alone.

    One booking is enlarged by a later row and one is moved elsewhere; others were cancelled or are for another day.
    """
    numbers, seats = iter(rng.sample(range(2100, 2990), 40)), _Seats(hall, rng)
    rows: list[list[Any]] = [
        [next(numbers), day, group, seats.take_seat(), "confirmed"]
        for group in [*groups[:3], *rng.choices(groups[:3], k=4)]
    ]
    larger, moved = rng.sample(rows, 2)
    final: list[list[Any]] = [
        [*larger[:3], f"{larger[3]}, {seats.take_seat(3)}", "confirmed"],
        [*moved[:3], seats.take_seat(), "confirmed"],
    ]
    last: list[list[Any]] = [row for row in rows if row[0] not in (larger[0], moved[0])] + final
    others = [
        [next(numbers), day, groups[at], seats.take_seat(), state] for at, state in ((3, "option"), (0, "cancelled"))
    ]
    for shift in (-7, 7, 14):
        row = chr(65 + rng.randrange(hall.rows))
        others += [
            [next(numbers), day + datetime.timedelta(days=shift), group, f"{row}{start}-{row}{start + 3}", "confirmed"]
            for group, start in zip(rng.sample(groups, 2), (1, 6), strict=True)
        ]
    listed = rows + others
    rng.shuffle(listed)
    return [*listed, *final], {seat: row[2] for row in last for seat in name_seats(row[3])}


def name_seats(text: str) -> list[str]:
    """The seats of a text such as ``C4-C7, D1``."""
    seat_names = []
    for part in text.split(", "):
        first, _, last = part.partition("-")
        seat_names += [f"{first[0]}{seat}" for seat in range(int(first[1:]), int((last or first)[1:]) + 1)]
    return seat_names
