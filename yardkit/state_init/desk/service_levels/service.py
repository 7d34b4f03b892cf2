"""Service contracts and tickets whose clocks run in service time, and stand still while a customer is to answer."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.state_init.company.letters import Letter, link_thread, write_note
from yardkit.state_init.company.persons import Colleague
from yardkit.state_init.company.trade import Customer

TICKETS = {
    "TICKET_ID": "text", "CONTRACT": "text", "PRIORITY": "text", "SUBJECT": "text", "STATUS": "text",
    "OPENED_AT": "time", "SOLVED_AT": "time",
}  # fmt: skip
MINUTES = {"TICKET_ID": "text", "MINUTES": "int", "TARGET_MINUTES": "int", "LATE": "yes"}
HEAD = ("Contract", "Customer", "Late tickets", "Percent", "Credit EUR")
"""Of the document of credits."""
ZONES = {
    "Denmark": "Europe/Copenhagen", "Germany": "Europe/Berlin", "Sweden": "Europe/Stockholm",
    "Portugal": "Europe/Lisbon", "Austria": "Europe/Vienna", "Poland": "Europe/Warsaw",
    "Netherlands": "Europe/Amsterdam",
}  # fmt: skip
MOST = 20
"""Percent of the monthly fee that a customer gets in a month at most."""
_DAY, _DESK = timedelta(days=1), (8, 18)
_THINGS = ("Desk lifts no more", "Lamp control is offline", "Locker does not open", "Booking screen is black",
           "Sensor sends nothing", "Panel shows the wrong room", "Charger stays cold")  # fmt: skip
_ASKED = ("which firmware does it show on the back?", "could you send us a photo of the label?",
          "does it happen with another cable, too?", "who may let our technician in?")  # fmt: skip
_HOLDING_REPLIES = (
    "a spare part is on its way to us",
    "our technician looks into it this afternoon",
    "the maker knows the fault",
)
_AWAY = "this is an automatic reply: I am out of the office and read my mails tomorrow."


@dataclass(frozen=True)
class Contract:
    """A contract.

    Attributes:
        country: whose holidays hold and whose clocks it goes by.
        hours: when service begins and ends on working days; none: around the clock.
        fee: of a month, in cents.
        targets: minutes by priority.
        amended: from which day on how many minutes P2 has.
    """

    number: str
    customer: Customer
    country: str
    hours: tuple[int, int] | None
    fee: int
    targets: Mapping[str, int]
    amended: tuple[date, int] | None = None

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(ZONES[self.country])

    def target(self, priority: str, opened: datetime) -> int:
        """Minutes for a ticket."""
        if priority == "P2" and self.amended and opened.astimezone(self.zone).date() >= self.amended[0]:
            return self.amended[1]
        return self.targets[priority]

    def count_minutes(self, start: datetime, end: datetime, off: frozenset[date]) -> int:
        """Minutes of service time between two moments."""
        if self.hours is None:
            return round((end - start).total_seconds() / 60)
        day, total = start.astimezone(self.zone).date(), 0.0
        while day <= end.astimezone(self.zone).date():
            opens, closes = (datetime.combine(day, time(hour), self.zone).astimezone(UTC) for hour in self.hours)
            if day.weekday() < 5 and day not in off:
                total += max(0.0, (min(end, closes) - max(start, opens)).total_seconds())
            day += _DAY
        return round(total / 60)


@dataclass(frozen=True)
class Ticket:
    """A ticket. Moments are in UTC.

    Attributes:
        status: solved, open or withdrawn.
        ended: when it was solved or withdrawn.
        asked, answered: a question of ours and its answer.
        automatic: when an automatic reply came between these two.
        answered_at, thanked: news of ours, and what was said to them.
    """

    number: str
    contract: Contract
    priority: str
    subject: str
    status: str
    opened: datetime
    ended: datetime
    asked: datetime | None = None
    answered: datetime | None = None
    automatic: datetime | None = None
    answered_at: datetime | None = None
    thanked: datetime | None = None

    @property
    def target(self) -> int:
        return self.contract.target(self.priority, self.opened)

    def count_minutes(self, off: frozenset[date]) -> int:
        """Of its clock."""
        return self.count_gross_minutes(off) - self.between(self.asked, self.answered, off)

    def count_gross_minutes(self, off: frozenset[date]) -> int:
        """If the clock never stood still."""
        return self.contract.count_minutes(self.opened, self.ended, off)

    def between(self, start: datetime | None, end: datetime | None, off: frozenset[date]) -> int:
        return self.contract.count_minutes(start, end, off) if start and end else 0

    def row(self) -> tuple[Any, ...]:
        """As the warehouse has it."""
        solved = self.ended.replace(tzinfo=None) if self.status == "solved" else None
        head = (self.number, self.contract.number, self.priority, self.subject, self.status)
        return (*head, self.opened.replace(tzinfo=None), solved)

    def build_result(self, off: frozenset[date]) -> tuple[str, int, int, bool]:
        """Its row of the table of minutes."""
        minutes = self.count_minutes(off)
        return self.number, minutes, self.target, minutes > self.target


Fits = Callable[[Ticket, frozenset[date]], bool]
"""Whether a ticket plays a part, by the holidays of its country."""


def _compute_share(ticket: Ticket, minutes: int) -> float:
    return minutes / ticket.target


def _compute_share_without(ticket: Ticket, start: datetime | None, end: datetime | None, off: frozenset[date]) -> float:
    return _compute_share(ticket, ticket.count_gross_minutes(off) - ticket.between(start, end, off))


_NONE: frozenset[date] = frozenset()
_LATE, _IN_TIME = (1.1, 1.8), (0.3, 0.9)
FITS: Mapping[str, Fits] = {
    "fast": lambda ticket, off: 0.2 < _compute_share(ticket, ticket.count_minutes(off)) < 0.8,
    "late": lambda ticket, off: _is_within_span(ticket, off, _LATE),
    "very": lambda ticket, off: _is_within_span(ticket, off, (2.2, 3.5)),
    "paused": lambda ticket, off: (
        _is_within_span(ticket, off, _IN_TIME) and _compute_share(ticket, ticket.count_gross_minutes(off)) > 1.2
    ),
    "paused_less": lambda ticket, off: (
        _is_within_span(ticket, off, _LATE) and _compute_share(ticket, ticket.count_gross_minutes(off)) > 2.2
    ),
    "holiday": lambda ticket, off: (
        _is_within_span(ticket, off, _IN_TIME) and _compute_share(ticket, ticket.count_minutes(_NONE)) > 1.1
    ),
    "automatic": lambda ticket, off: (
        _is_within_span(ticket, off, _IN_TIME)
        and _compute_share_without(ticket, ticket.asked, ticket.automatic, off) > 1.1
    ),
    "told": lambda ticket, off: (
        _is_within_span(ticket, off, _LATE)
        and _compute_share_without(ticket, ticket.answered_at, ticket.thanked, off) < 0.9
    ),
    "amended": lambda ticket, off: (
        _is_within_span(ticket, off, _LATE) and ticket.count_minutes(off) < 0.9 * ticket.contract.targets["P2"]
    ),
    "withdrawn": lambda ticket, off: _is_within_span(ticket, off, _LATE),
}
"""By the part that a ticket plays."""
_PAUSED = ("paused", "paused_less", "automatic")


def _is_within_span(ticket: Ticket, off: frozenset[date], span: tuple[float, float]) -> bool:
    return span[0] < _compute_share(ticket, ticket.count_minutes(off)) < span[1]


def make_ticket(
    rng: random.Random, contract: Contract, part: str, number: str, off: frozenset[date], days: Sequence[date]
) -> Ticket:
    """A ticket that plays a part, opened on one of the days."""
    for _ in range(60_000):
        new_ticket = _draw_ticket(rng, contract, part, number, days)
        new_ticket = _move_over_holidays(rng, new_ticket, off) if part == "holiday" else new_ticket
        if _is_plausible(new_ticket, off, days) and FITS[part](new_ticket, off):
            return new_ticket
    raise ValueError(f"no ticket of {contract.number} can be {part}")


def _draw_ticket(rng: random.Random, contract: Contract, part: str, number: str, days: Sequence[date]) -> Ticket:
    day, zone = rng.choice(days), contract.zone
    opened = datetime.combine(day, time(rng.randrange(7, 18), rng.randrange(60)), zone).astimezone(UTC)
    moments = [opened]
    for _ in range(4):
        moments.append(moments[-1] + timedelta(minutes=rng.randrange(15, rng.choice((300, 1_500, 4_000)))))
    priority = "P2" if part == "amended" or contract.amended else rng.choice(("P1", "P2", "P3"))
    status = "withdrawn" if part == "withdrawn" else "solved"
    last = moments[4] if part in (*_PAUSED, "told") else moments[rng.choice((1, 2))]
    new_ticket = Ticket(number, contract, priority, rng.choice(_THINGS), status, opened, last)
    if part in _PAUSED:
        automatic = moments[1] + timedelta(minutes=rng.randrange(1, 4)) if part == "automatic" else None
        new_ticket = replace(new_ticket, asked=moments[1], answered=moments[2], automatic=automatic)
    if part == "told":
        new_ticket = replace(new_ticket, answered_at=moments[1], thanked=moments[2])
    return new_ticket


def _move_over_holidays(rng: random.Random, ticket: Ticket, off: frozenset[date]) -> Ticket:
    """A ticket that is open over the holidays."""
    zone = ticket.contract.zone
    moments = [
        datetime.combine(day, time(rng.randrange(8, 18), rng.randrange(60)), zone).astimezone(UTC)
        for day in (min(off) - _DAY, max(off) + _DAY)
    ]
    return replace(ticket, opened=moments[0], ended=moments[1])


def _is_plausible(ticket: Ticket, off: frozenset[date], days: Sequence[date]) -> bool:
    """Somebody is at a desk when a mail is written, and all of it is over in time."""
    written = (ticket.opened, ticket.ended, ticket.asked, ticket.answered, ticket.answered_at, ticket.thanked)
    if ticket.ended.date() > days[-1]:
        return False
    return ticket.contract.hours is None or all(_at_desk(moment, ticket.contract, off) for moment in written if moment)


def _at_desk(moment: datetime, contract: Contract, off: frozenset[date]) -> bool:
    local = moment.astimezone(contract.zone)
    return _DESK[0] <= local.hour < _DESK[1] and local.weekday() < 5 and local.date() not in off


def letters_of(rng: random.Random, ticket: Ticket, us: Colleague) -> tuple[Letter, ...]:
    """All that was written about a ticket, in one thread."""
    them, zone = ticket.contract.customer.contacts[0], ticket.contract.zone
    ended = {"solved": "this is solved now. Thank you for your patience.",
             "withdrawn": "it works again, we do not know why. Please close this, we withdraw it."}  # fmt: skip
    messages = [
        (ticket.opened, False, f"{ticket.subject[0].lower()}{ticket.subject[1:]}. This is {ticket.priority} for us."),
        (ticket.answered_at, True, f"for your information: {rng.choice(_HOLDING_REPLIES)}. You need not do anything."),
        (ticket.thanked, False, "thank you, that is good to know."),
        (ticket.asked, True, f"before we can go on we must know: {rng.choice(_ASKED)}"),
        (ticket.automatic, False, _AWAY),
        (ticket.answered, False, "here is my answer: it is the one by the window, and nothing else was changed there."),
        (ticket.ended if ticket.status in ended else None, ticket.status == "solved", ended.get(ticket.status, "")),
    ]
    letters = []
    for number, (moment, ours, message_text) in enumerate(messages):
        if moment is not None:
            by, to = (us, them) if ours else (them, us)
            key, text = f"{ticket.number}/{number}", write_note(to.first, message_text, by.name)
            subject = f"{ticket.number} {ticket.subject}"
            letters.append(Letter(key, by.mailbox, (to.mailbox,), subject, text, moment.astimezone(zone)))
    return link_thread(*sorted(letters, key=lambda letter: letter.sent))


def credit_of(contract: Contract, results: Sequence[tuple[str, int, int, bool]]) -> dict[str, Any] | None:
    """The row of a contract in the document of credits; none if nothing was late."""
    late = [row for row in results if row[3]]
    if not late:
        return None
    percent = min(MOST, sum(10 if minutes > 2 * target else 5 for _, minutes, target, _ in late))
    tickets = ", ".join(sorted(row[0] for row in late))
    amount = round(contract.fee * percent / 100) / 100
    return dict(zip(HEAD, (contract.number, contract.customer.name, tickets, percent, amount), strict=True))


def with_total(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the document with that of the total."""
    total = round(sum(row[HEAD[4]] for row in rows), 2)
    return [*rows, {**dict.fromkeys(HEAD, ""), HEAD[0]: "Total", HEAD[3]: None, HEAD[4]: total}]


def list_document_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The cells of the document, its head first."""
    yield list(HEAD)
    for row in rows:
        percent = "" if row[HEAD[3]] is None else str(row[HEAD[3]])
        yield [row[HEAD[0]], row[HEAD[1]], row[HEAD[2]], percent, f"{row[HEAD[4]]:,.2f}"]
