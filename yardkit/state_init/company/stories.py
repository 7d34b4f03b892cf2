"""Story lines of a seeded company: what happened, with all numbers, people and times, for every app that knows of it.

A sale is an order in the shop, a thread in the mailbox, an invoice, a row in the books and a delivery in the calendar;
the story holds what they share, and `letters` and `meetings` are its traces. So each number in a mail or an event leads
to a record of another app.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hirings import Candidate, Hiring, make_hiring
from yardkit.state_init.company.letters import File, Letter, Meeting
from yardkit.state_init.company.purchases import Purchase, make_purchase
from yardkit.state_init.company.sales import ENDINGS, Complaint, Ending, Line, Refund, Sale, make_sale
from yardkit.state_init.company.trainings import Training, make_training

__all__ = [
    "Candidate",
    "Complaint",
    "File",
    "Hiring",
    "Letter",
    "Line",
    "Meeting",
    "Purchase",
    "Refund",
    "Sale",
    "Stories",
    "Training",
    "make_stories",
]


Story = Sale | Purchase | Hiring | Training


@dataclass(frozen=True)
class Stories:
    """What happened in a company; the oldest of each kind first. now: no letter is later."""

    now: datetime
    sales: tuple[Sale, ...] = ()
    purchases: tuple[Purchase, ...] = ()
    hirings: tuple[Hiring, ...] = ()
    trainings: tuple[Training, ...] = ()

    @property
    def letters(self) -> tuple[Letter, ...]:
        """All that were written until now, the oldest first."""
        return tuple(sorted(self._iter_letters(), key=lambda letter: (letter.sent, letter.key)))

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """Deliveries, interviews and exams, past ones and coming ones."""
        interviews = (meeting for hiring in self.hirings for meeting in hiring.meetings)
        exams = (training.exam for training in self.trainings)
        meetings = [*(sale.delivery for sale in self.sales if sale.delivery), *interviews, *exams]
        return tuple(sorted(meetings, key=lambda meeting: (meeting.begins, meeting.uid)))

    def _iter_letters(self) -> Iterator[Letter]:
        stories: tuple[Story, ...] = (*self.sales, *self.purchases, *self.hirings, *self.trainings)
        for story in stories:
            yield from (letter for letter in story.letters if letter.sent <= self.now)


def make_stories(
    cast: Cast,
    rng: random.Random,
    now: datetime,
    *,
    sales: int = 18,
    purchases: int = 6,
    hirings: int = 1,
    trainings: int = 3,
) -> Stories:
    """Stories of the last eight months, as many of each kind; sales end in all ways by turns.

    Orders are numbered from 10,401 on, the last digits of an invoice are those of its order.
    """
    firm = (rng, cast)
    return Stories(
        now,
        tuple(
            make_sale(*firm, 10_401 + 3 * place + rng.randint(0, 2), day, _choose_ending(place, sales))
            for place, day in enumerate(_choose_days(rng, now, 240, 3, sales))
        ),
        tuple(
            make_purchase(*firm, 2_200 + 7 * place + rng.randint(0, 6), day)
            for place, day in enumerate(_choose_days(rng, now, 200, 60, purchases))
        ),
        tuple(make_hiring(*firm, place, day) for place, day in enumerate(_choose_days(rng, now, 60, 24, hirings), 1)),
        tuple(
            make_training(*firm, place, day) for place, day in enumerate(_choose_days(rng, now, 30, 6, trainings), 1)
        ),
    )


def _choose_days(rng: random.Random, now: datetime, first: int, last: int, count: int) -> list[date]:
    """So many days in order, from `first` to `last` days before now."""
    back = [first + (last - first) * place / max(1, count - 1) + rng.random() for place in range(count)]
    return [(now - timedelta(days=days)).date() for days in back]


def _choose_ending(place: int, count: int) -> Ending:
    """The two newest orders are still on their way; the others have ended in every way."""
    open_ones = {count - 1: ENDINGS[-1], count - 2: ENDINGS[-2]}
    return open_ones.get(place, ENDINGS[place % 4])
