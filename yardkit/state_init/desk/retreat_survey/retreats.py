"""A company's retreat: places that make offers, a survey with its answers, the tally, and what is written of it."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from yardkit.apps.calendar import Attendee, Event
from yardkit.state_init.company.calendar import Set
from yardkit.state_init.company.persons import Somebody, address_of
from yardkit.state_init.workbooks import Book, Formula

DAY = timedelta(days=1)
NAMES = (
    "Castle Inn", "Forest Lodge", "Harbour Barn", "Hill House", "Lake House", "Mill House", "Old Brewery",
    "Orchard Farm", "River Hall", "Stone Manor",
)  # fmt: skip
AFTERNOONS = ("Archery", "Canoe tour", "Climbing park", "Cooking together", "Guided hike", "Pottery", "Raft building")
EUR = "#,##0.00"


@dataclass(frozen=True)
class Place:
    """A place with its offer: amounts in whole EUR for both days; was: the hire before it was corrected, or 0."""

    name: str
    host: Somebody
    number: str
    first: date
    hire: int
    per_head: int
    was: int = 0

    @property
    def days(self) -> str:
        """Both days, as letters write them."""
        return f"{self.first.day} and {self.first + DAY:%-d %B %Y}"

    def compute_cost(self, people: int) -> int:
        """In whole EUR."""
        return self.hire + self.per_head * people


@dataclass(frozen=True)
class Ballot:
    """An answer to the survey."""

    email: str
    at: datetime
    place: str
    afternoon: str


@dataclass(frozen=True)
class Retreat:
    """What was asked and what came of it.

    Attributes:
        budget: in whole EUR.
        people: the addresses of those who come along.
        counted: the answers that count.
        ends: until when the survey takes answers.
    """

    places: Sequence[Place]
    budget: int
    people: Sequence[str]
    counted: Sequence[Ballot]
    afternoons: Sequence[str]
    ends: datetime

    @property
    def year(self) -> int:
        return self.ends.year

    @property
    def reply_by(self) -> date:
        """Until when travel and meals are to be told."""
        return self.ends.date() + 35 * DAY

    def count_votes(self, place: str) -> int:
        """How many a place has."""
        return sum(ballot.place == place for ballot in self.counted)

    @property
    def ranks(self) -> list[tuple[str, int]]:
        """Afternoons with their votes, the first with most."""
        return Counter(ballot.afternoon for ballot in self.counted).most_common()

    @property
    def afternoon(self) -> str:
        return self.ranks[0][0]

    @property
    def won(self) -> Place:
        """The place with most votes that is not too dear."""
        return max(
            (venue for venue in self.places if self.fits_budget(venue)), key=lambda venue: self.count_votes(venue.name)
        )

    def fits_budget(self, place: Place) -> bool:
        """Whether the budget allows it."""
        return place.compute_cost(len(self.people)) <= self.budget

    @property
    def title(self) -> str:
        return f"Retreat {self.year}"

    @property
    def runner_up(self) -> Place:
        """The place with most votes but the one that won, of those that are not too dear."""
        others = (venue for venue in self.places if self.fits_budget(venue) and venue != self.won)
        return max(others, key=lambda venue: self.count_votes(venue.name))

    @property
    def favourite(self) -> Place:
        """The place with most votes, whatever it costs."""
        return max(self.places, key=lambda venue: self.count_votes(venue.name))

    @property
    def reply_text(self) -> str:
        """The day by which travel and meals are to be told."""
        return f"{self.reply_by:%-d %B %Y}"

    @property
    def until_text(self) -> str:
        return f"{self.ends:%A, %-d %B %Y, %H:%M}"

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """The tally by sheet, in rows by header."""
        head = len(self.people)
        votes: list[list[Any]] = [[ballot.email, ballot.place, ballot.afternoon] for ballot in self.counted]
        places: list[list[Any]] = [
            [
                venue.name,
                venue.hire,
                venue.per_head,
                head,
                venue.compute_cost(head),
                self.budget,
                self.count_votes(venue.name),
                "yes" if self.fits_budget(venue) else "no",
            ]
            for venue in self.places
        ]
        afternoons: list[list[Any]] = [[name, count] for name, count in self.ranks]
        sheets = {"Votes": votes, "Places": places, "Afternoons": afternoons}
        return {
            sheet: [dict(zip(HEADS[sheet], row, strict=True)) for row in sheet_rows]
            for sheet, sheet_rows in sheets.items()
        }

    def list_venue_facts(self) -> list[dict[str, Any]]:
        """What is known of each place, for facts."""
        return [
            {
                "name": venue.name,
                "number": venue.number,
                "host": venue.host.email,
                "votes": self.count_votes(venue.name),
                "days": [str(venue.first), str(venue.first + DAY)],
            }
            for venue in self.places
        ]

    def save(self, path: Path, author: str) -> None:
        """The tally as a workbook with live formulas."""
        rows, last = self.rows(), len(self.counted) + 1
        book = Book(self.ends + 3 * DAY, title=self.title, author=author)
        book.sheet("Votes", [HEADS["Votes"], *([*row.values()] for row in rows["Votes"])])
        live = {
            "Cost": "=B{row}+C{row}*D{row}", "Votes": f"=COUNTIF(Votes!B$2:B${last},A{{row}})",
            "Within budget": '=IF(E{row}<=F{row},"yes","no")',
        }  # fmt: skip
        formats = dict.fromkeys((1, 2, 4, 5), EUR)
        book.sheet("Places", [HEADS["Places"], *_with_formulas(rows["Places"], live)], formats=formats)
        live = {"Votes": f"=COUNTIF(Votes!C$2:C${last},A{{row}})"}
        book.sheet("Afternoons", [HEADS["Afternoons"], *_with_formulas(rows["Afternoons"], live)])
        book.save(path)

    def as_set(self, owner: Somebody, names: Mapping[str, str]) -> Set:
        """The two days in the owner's calendar, with everybody who comes along as a guest."""
        guests = tuple(
            Attendee(participant, names[participant], "accepted")
            for participant in self.people
            if participant != owner.email
        )
        begins, domain = self.won.first, owner.email.partition("@")[2]
        event = Event(
            f"retreat-{self.year}@{domain}", self.title, begins, begins + 2 * DAY, f"{self.afternoon} in the afternoon",
            self.won.name, organizer=Attendee(owner.email), attendees=guests, stamp=self.ends + 4 * DAY,
        )  # fmt: skip
        return Set(event)


HEADS = {
    "Votes": ("Person", "Place", "Afternoon"),
    "Places": ("Place", "Hire", "Per person", "People", "Cost", "Budget", "Votes", "Within budget"),
    "Afternoons": ("Afternoon", "Votes"),
}
"""The sheets of a tally and their columns."""


def _with_formulas(rows: Sequence[Mapping[str, Any]], live: Mapping[str, str]) -> list[list[Any]]:
    return [
        [Formula(live[name].format(row=place), value) if name in live else value for name, value in row.items()]
        for place, row in enumerate(rows, 2)
    ]


def make_places(
    rng: random.Random, hosts: Mapping[str, tuple[str, str]], year: int, prices: Sequence[int]
) -> list[Place]:
    """Places with the first and last names of their hosts, each on two days in June of its own; prices: per head."""
    thursday = next(date(year, 6, day) for day in range(3, 10) if date(year, 6, day).weekday() == 3)
    weeks, new_venues = rng.sample(range(len(hosts)), len(hosts)), []
    for (name, who), week, price in zip(hosts.items(), weeks, prices, strict=True):
        host = Somebody(*who, address_of(*who, f"{name.casefold().replace(' ', '-')}.example"))
        number = f"{''.join(word[0] for word in name.split())}-{year % 100}{rng.randint(100, 999)}"
        new_venues.append(Place(name, host, number, thursday + week * 7 * DAY, 50 * rng.randint(20, 40), price))
    return new_venues


def plan_retreat(
    rng: random.Random,
    people: Sequence[Somebody],
    voters: Sequence[Somebody],
    votes: Mapping[Place, int],
    budget: int,
    ends: datetime,
) -> Retreat:
    """A retreat of which places and afternoons stand in any order; votes: of each place."""
    count, names = len(voters), rng.sample(AFTERNOONS, 3)
    most = count // 3 + 2
    liked = dict(zip(names, (most, most - 1, count - 2 * most + 1), strict=True))
    ballots = cast_ballots(rng, voters, {place.name: share for place, share in votes.items()}, liked, ends)
    emails = sorted(colleague.email for colleague in people)
    return Retreat(rng.sample([*votes], len(votes)), budget, emails, ballots, sorted(names), ends)


def cast_ballots(
    rng: random.Random,
    voters: Sequence[Somebody],
    expected_votes: Mapping[str, int],
    afternoons: Mapping[str, int],
    ends: datetime,
) -> list[Ballot]:
    """The answers that count: so many votes for each place and each afternoon, in the three weeks before the end."""
    lists = [[name for name, count in of.items() for _ in range(count)] for of in (expected_votes, afternoons)]
    for ballot_list in lists:
        rng.shuffle(ballot_list)
    new_ballots = [
        Ballot(who.email, ends - rng.randint(2, 15) * DAY - timedelta(minutes=rng.randrange(30, 540)), *chosen)
        for who, *chosen in zip(voters, *lists, strict=True)
    ]
    return sorted(new_ballots, key=lambda ballot: ballot.at)


def in_haste(rng: random.Random, retreat: Retreat, others: Sequence[Somebody], changed: int) -> list[Ballot]:
    """The answers that do not count: of others, of so many who then changed their mind, and two that came too late.

    All are for what comes second. Who changed their mind, or tries to when the time is up, is for the winner.
    """
    chosen, start, ends = (retreat.runner_up.name, retreat.ranks[1][0]), retreat.ends - 17 * DAY, retreat.ends
    voted = {ballot.email for ballot in retreat.counted}
    idle = next(email for email in retreat.people if email not in voted)
    won = [ballot for ballot in retreat.counted if ballot.place == retreat.won.name]
    minds = rng.sample(won, changed + 1)
    hasty_ballots = [
        Ballot(ballot.email, start - timedelta(minutes=rng.randrange(60, 600)), *chosen) for ballot in minds[:-1]
    ]
    hasty_ballots += [
        Ballot(ballot.email, start + rng.randint(1, 6) * DAY - timedelta(minutes=rng.randrange(500)), *chosen)
        for ballot in others
    ]
    late = (ends + timedelta(minutes=rng.randint(15, 95)) for _ in range(2))
    return [
        *hasty_ballots,
        *(Ballot(email, at, *chosen) for email, at in zip((minds[-1].email, idle), late, strict=True)),
    ]


def plan_within_budget(
    rng: random.Random, people: Sequence[Somebody], hosts: Mapping[str, tuple[str, str]], ends: datetime
) -> Retreat:
    """A retreat at the favourite of three places, all of which the budget allows; hosts: their names by place."""
    voters, places = rng.sample(people, len(people) - 6), make_places(rng, hosts, ends.year, (128, 119, 124))
    part = len(voters) // 3
    shares = len(voters) - 2 * part + 2, part, part - 2
    budget = max(venue.compute_cost(len(people)) for venue in places) // 100 * 100 + 400
    return plan_retreat(rng, people, voters, dict(zip(places, shares, strict=True)), budget, ends)


def plan_too_dear(
    rng: random.Random, people: Sequence[Somebody], hosts: Mapping[str, tuple[str, str]], ends: datetime, *, cut: bool
) -> Retreat:
    """A retreat whose favourite of four places is too dear; unless the budget was cut, its offer was better at first.

    The place that wins is one vote ahead of the next.
    """
    voters = rng.sample(people, len(people) - rng.randint(7, 9))
    prices = rng.randint(175, 195), rng.randint(120, 135), rng.randint(110, 125), rng.randint(105, 130)
    first, *others = make_places(rng, hosts, ends.year, prices)
    first = replace(first, hire=first.hire + 800, was=0 if cut else first.hire - 100)
    least = (len(voters) - 5) // 3
    shares = least + 3, least, least - 1, len(voters) - 3 * least - 2
    budget = (first.compute_cost(len(people)) - rng.randint(150, 600)) // 100 * 100
    return plan_retreat(rng, people, voters, dict(zip((first, *others), shares, strict=True)), budget, ends)
