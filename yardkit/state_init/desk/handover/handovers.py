"""The threads of somebody who is away: who waits for an answer, what was answered elsewhere, and what falls due."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment
from yardkit.state_init.company.letters import File, Letter, write_note
from yardkit.state_init.company.persons import Colleague, Contact
from yardkit.state_init.company.sales import Sale

DAY = timedelta(days=1)
TOPICS = (
    ("Invoice of order {order}", "could you send us a copy of the invoice of order {order}? Ours is lost.",
     "the copy is attached to the invoice page of your account.", "the copy with the other address"),
    ("Keys for order {order}", "two keys are missing for what came with order {order}. Do you have spare ones?",
     "yes, two spare keys are on their way to you.", "the spare keys"),
    ("Order {order}: the fabric", "can the fabric of order {order} be washed, or does it have to be cleaned?",
     "it can be washed at 30 degrees.", "the leaflet on the fabric"),
    ("Order {order}: more of the same", "what would four more pieces cost, like those of order {order}?",
     "the same as those, if you order this month.", "the offer for four more"),
    ("Warranty, order {order}", "how long is the warranty on order {order}, and whom do we call?",
     "it is three years, and you call us.", "the papers of the warranty"),
    ("Assembly of order {order}", "do you send somebody who puts order {order} together, or do we do that?",
     "our fitters can do it; they call you.", "the plan of the assembly"),
    ("Order {order}: packaging", "would you take back the packaging of order {order}?",
     "yes, the driver takes it along next time.", "the label for the packaging"),
    ("Order {order}: a scratch", "one panel of order {order} has a scratch. What can you do about it?",
     "we send a new panel, and you keep the old one.", "our word on the panel"),
)  # fmt: skip
"""Subject, question, answer, and what may be promised."""
THEIRS: Mapping[str, str] = {
    "ask": "{question}",
    "ask_by": "{question} We need your answer by {due}, since we decide on the next day.",
    "again": "thank you. There is one more thing: does that hold for our branch, too?",
    "thanks": "thank you, that is all we wanted to know.",
    "never_mind": "please never mind, we have found it out ourselves.",
    "not_before": "we do not need it that soon. {due} is early enough.",
}
HERS: Mapping[str, str] = {
    "answer": "{answer}",
    "promise": "you will have {thing} by {first}.",
    "agree": "good, then you will have it by {due}.",
    "kept": "as promised, here is {thing}.",
}
SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "open": ("ask",), "open_again": ("ask", "answer", "again"), "needed": ("ask_by",),
    "automatic": ("ask", "automatic"),
    "called_in_vain": ("ask",), "answered": ("ask", "answer"), "thanked": ("ask", "answer", "thanks"),
    "by_the_desk": ("ask", "desk"), "from_home": ("ask",), "called": ("ask",), "never_mind": ("ask", "never_mind"),
    "copied": ("ask_other",), "promised": ("ask", "promise"), "on_saturday": ("ask", "promise"),
    "after": ("ask", "promise"), "moved": ("ask", "promise", "not_before", "agree"),
    "moved_out": ("ask", "promise", "not_before", "agree"), "kept": ("ask", "promise", "kept"),
}  # fmt: skip
"""What is written, mail by mail."""
WAITING = ("open", "open_again", "needed", "automatic", "called_in_vain")
SETTLED_ELSEWHERE = ("from_home", "called", "by_the_desk")
FALLING_DUE = ("needed", "promised", "on_saturday", "moved")


@dataclass(frozen=True)
class Leave:
    """Who is away, for whom, from the first day to the last one; desk: the address that several answer from."""

    away: Colleague
    deputy: Colleague
    other: Colleague
    first: date
    last: date
    desk: str

    @property
    def home(self) -> str:
        """Their own address at home."""
        return f"{self.away.name} <{self.away.email.partition('@')[0]}@home-post.example>"

    @property
    def back(self) -> date:
        """The first day at work again."""
        return self.last + DAY * (7 - self.last.weekday() if self.last.weekday() > 3 else 1)


@dataclass(frozen=True)
class Matter:
    """A thread about an order. due: what it names as the last day, moved or not; letters: oldest first."""

    kind: str
    sale: Sale
    asker: Contact
    topic: tuple[str, str, str, str]
    due: date | None = None
    first: date | None = None
    letters: tuple[Letter, ...] = field(default=())

    @property
    def entered(self) -> date | None:
        """The working day on which it stands in the deputy's calendar."""
        if self.kind not in FALLING_DUE or self.due is None:
            return None
        return self.due - max(0, self.due.weekday() - 4) * DAY


def make_matters(rng: random.Random, sales: Sequence[Sale], leave: Leave, counts: Mapping[str, int]) -> list[Matter]:
    """So many threads of each kind, each about an order of its own; at least two are of the first kind.

    The first two come from one person; all others who wait are different people, and none of them has a matter that
    was settled elsewhere.
    """
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    pair = next(
        (first_sale, other)
        for first_sale in sales
        for other in sales
        if first_sale.customer == other.customer and first_sale != other
    )
    left, matters = [*pair, *(sale for sale in sales if sale not in pair)], list[Matter]()
    for kind in kinds:
        waiting = {matter.asker.email for matter in matters if matter.kind in WAITING} if len(matters) > 1 else set()
        is_separate = kind in (*WAITING, *SETTLED_ELSEWHERE)
        sale = next(sale for sale in left if not is_separate or sale.contact.email not in waiting)
        left.remove(sale)
        asker = matters[0].asker if len(matters) == 1 else sale.contact
        matter = Matter(kind, sale, asker, rng.choice(TOPICS), *_choose_days(rng, kind, leave))
        matters.append(replace(matter, letters=tuple(_write_thread(rng, matter, leave))))
    return matters


def make_leave(rng: random.Random, cast: Cast, now: datetime) -> Leave:
    """Since yesterday, until a Friday or a Thursday."""
    team = [colleague for colleague in cast.colleagues[:-4] if colleague.department == cast.owner.department]
    away, other = rng.sample(team[1:], 2)
    first = (now - DAY).date()
    last = first + rng.choice((10, 11)) * DAY
    return Leave(away, cast.owner, other, first, last, f"Order desk <orders@{cast.domain}>")


def list_waiting(matters: Sequence[Matter], message_ids: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each who waits (`to`), with the orders and the messages of the thread in which they asked last."""
    waiting = sorted((matter for matter in matters if matter.kind in WAITING), key=asked_at)
    waiting_facts: dict[str, dict[str, Any]] = {}
    for matter in waiting:
        orders = [*waiting_facts.get(matter.asker.email, {}).get("orders", []), matter.sale.order]
        thread = [message_ids[letter.key] for letter in matter.letters]
        waiting_facts[matter.asker.email] = {"to": matter.asker.email, "orders": orders, "thread": thread}
    return list(waiting_facts.values())


def asked_at(matter: Matter) -> datetime:
    """When the other side wrote last."""
    return max(letter.sent for letter in matter.letters if letter.sender == matter.asker.mailbox)


def write_home_answer(rng: random.Random, matter: Matter, leave: Leave) -> Letter:
    """The answer that was sent from home, with a copy to the deputy, under a subject of its own."""
    order, sent = matter.sale.order, choose_later_moment(rng, matter.letters[-1].sent, 1, leave.away.time_zone)
    answer_text = f"about order {order}: {matter.topic[2]} My notebook is being repaired, so I write from home."
    text = write_note(matter.asker.first, answer_text, leave.away.first)
    key, to, copy = f"home/{order}", (matter.asker.mailbox,), (leave.deputy.mailbox,)
    return Letter(key, leave.home, to, f"Your question on {order}", text, min(sent, _get_last_evening(leave)), copy)


def write_day(day: date) -> str:
    """A day as these letters write it."""
    return f"{day:%A}, {day.day} {day:%B}"


def write_machine_mails(rng: random.Random, leave: Leave, orders: Sequence[int]) -> Iterator[Letter]:
    """What machines ask."""
    for order in orders:
        sent = at_work(rng, leave.first - rng.randint(2, 12) * DAY, "UTC")
        text = f"Order {order} was delivered. Would you spare two minutes and tell us how it was?"
        by = "ParcelExpress <no-reply@parcelexpress.example>"
        yield Letter(f"rating/{order}", by, (leave.away.mailbox,), f"How was order {order}?", text, sent, bulk=True)


def _choose_days(rng: random.Random, kind: str, leave: Leave) -> tuple[date | None, date | None]:
    """The day that holds in the end, and the one that was said first."""
    within = leave.first + rng.choice((3, 4, 7, 8, 9, 10)) * DAY
    after = leave.back + rng.choice((1, 2, 3)) * DAY
    saturday = leave.first + 5 * DAY
    days = {
        "needed": within, "promised": within, "on_saturday": saturday, "after": after, "moved": leave.last - DAY,
        "moved_out": after, "kept": within,
    }  # fmt: skip
    due = days.get(kind)
    return due, leave.first + 2 * DAY if kind in ("moved", "moved_out") else due


def _get_last_evening(leave: Leave) -> datetime:
    """When the last working day before the leave ends."""
    return make_moment(leave.first - 3 * DAY, 17, 40, leave.away.time_zone)


def _write_thread(rng: random.Random, matter: Matter, leave: Leave) -> Iterator[Letter]:
    script, order = SCRIPTS[matter.kind], matter.sale.order
    back = rng.randint(len(script) + 1, 20)
    sent = at_work(rng, leave.first - back * DAY, matter.asker.time_zone)
    subject, question, answer, thing = (text.format(order=order) for text in matter.topic)
    text_values = {"question": question, "answer": answer, "thing": thing}
    text_values |= {name: write_day(day) for name, day in (("due", matter.due), ("first", matter.first)) if day}
    before: Letter | None = None
    for place, turn in enumerate(script):
        if matter.kind == "automatic":
            sent = make_moment(leave.first, 10, 5 + 9 * place, leave.away.time_zone)
        elif before:
            sent = max(
                min(choose_later_moment(rng, sent, rng.choice((0, 1)), "UTC"), _get_last_evening(leave)),
                before.sent + DAY / 200,
            )
        mark = "Automatic reply: " if turn == "automatic" else "Re: " if before else ""
        letter = replace(
            _write_turn(matter, leave, turn, text_values),
            key=f"handover/{order}/{place}",
            sent=sent,
            subject=mark + subject,
            answers=before.key if before else "",
            folder=f"Handover {leave.away.first}",
        )
        before = letter
        yield letter


def _write_turn(matter: Matter, leave: Leave, turn: str, text_values: Mapping[str, str]) -> Letter:
    """What one of them writes, without a subject and a time."""
    asker, away, now = matter.asker, leave.away, _get_last_evening(leave)
    if turn in THEIRS:
        text = write_note(away.first, THEIRS[turn].format(**text_values), f"{asker.name}\n{asker.company}")
        return Letter("", asker.mailbox, (away.mailbox,), "", text, now)
    if turn == "ask_other":
        text = write_note(leave.other.first, text_values["question"], f"{asker.name}\n{asker.company}")
        return Letter("", asker.mailbox, (leave.other.mailbox,), "", text, now, (away.mailbox,))
    if turn == "desk":
        text = write_note(asker.first, text_values["answer"], f"{leave.other.first}\nOrder desk")
        return Letter("", leave.desk, (asker.mailbox,), "", text, now, (away.mailbox,))
    if turn == "automatic":
        text = f"This mail was sent by itself. I am away until {write_day(leave.last)}; {leave.deputy.name} stands in."
        return Letter("", away.mailbox, (asker.mailbox,), "", text, now, bulk=True)
    text = write_note(asker.first, HERS[turn].format(**text_values), away.first)
    files = (File(f"order_{matter.sale.order}.pdf", f"Order {matter.sale.order}"),) if turn == "kept" else ()
    return Letter("", away.mailbox, (asker.mailbox,), "", text, now, files=files)
