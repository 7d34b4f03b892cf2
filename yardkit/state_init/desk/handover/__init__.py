"""The threads of a colleague on leave: who waits, who only seems to, and what falls due."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from yardkit.apps.calendar import Event
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.calendar import TEAM, Set, fill_calendar, forget_leave
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import open_notebook
from yardkit.state_init.company.notes import NotesFilled, fill_notes
from yardkit.state_init.company.notes_texts import make_part
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.state_init.desk.handover import handovers
from yardkit.state_init.desk.handover.handovers import DAY, Leave, Matter
from yardkit.state_init.names import MEN
from yardkit.world import World

PAGE = "Standing in for somebody"
RULES = (
    "Whoever waits for an answer gets one mail from the deputy, in the thread in which they asked last, however many "
    "questions they have. It names the orders that they asked about and the day from which on the colleague is at "
    "work again (a weekend is no work).",
    "Somebody waits if the last word is theirs and asks us for something. An automatic reply is no word. Nobody waits "
    "whom another of us has answered, by whatever address, or on the telephone: calls are noted as comments on the "
    "row of the order.",
    "Who got a copy of a question does not have to answer it.",
    "What the colleague has promised by a day, or a customer needs by a day, falls due on that day; if they have "
    "agreed on another one, on that. If it is a weekend, on the working day before. What was sent is not due any more.",
    "What falls due from the first day of the leave to the last stands in the deputy's calendar as a whole day. It is "
    "called as it always was.",
)
CALLED = "Called {name}: all is answered, nothing is open."
IN_VAIN = "Called {name}, nobody there. I will not manage to try again."
ASKERS = ("from_home", "called", "by_the_desk", "automatic", "called_in_vain")
COUNTS = {
    "open": 3, "open_again": 2, "needed": 2, "automatic": 1, "called_in_vain": 1, "answered": 4, "thanked": 5,
    "by_the_desk": 2, "from_home": 2, "called": 2, "never_mind": 2, "copied": 2, "promised": 2, "on_saturday": 1,
    "after": 2, "moved": 1, "moved_out": 1, "kept": 2,
}  # fmt: skip
"""How many threads there are of each kind; by the seed some more of two of them."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill mailbox, calendar and notes; the facts say who is to be written to, and what falls due when."""
    cast = cast_of(world)
    leave = handovers.make_leave(rng, cast, world.now)
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=76, purchases=4)
    *old, _ = (sale for sale in stories.sales if sale.ending in ("delivered", "complained", "refunded"))
    before, sales = old[:3], [sale for sale in old[3:] if sale.ordered.date() < leave.first - 30 * DAY]
    rng.shuffle(sales)
    counts = dict(COUNTS)
    for kind in rng.sample(("open", "open_again", "thanked", "promised"), 2):
        counts[kind] += 1
    matters = handovers.make_matters(rng, sales, leave, counts)
    by_kind = {kind: [matter for matter in matters if matter.kind == kind] for kind in counts}
    filled = fill_notes(world, cast, get_stream(world, "notes"), stories, minutes=12, tasks=30)
    _write_notes(world, cast, filled, by_kind, leave)
    numbers = _fill_mail(world, cast, rng, stories, matters, leave)
    _fill_calendar(world, cast, stories, leave, [sale.order for sale in before])
    waiting = handovers.list_waiting(matters, numbers)
    twice = next(expected_letter for expected_letter in waiting if expected_letter["to"] == matters[0].asker.email)
    due = [(matter.entered, matter) for matter in matters if matter.entered]
    return {
        "prompt": _build_facts(leave),
        "owner": cast.owner.email,
        "back": str(leave.back),
        "since": f"{leave.first}T00:00:00+00:00",
        "mails": waiting,
        "prefix": f"Due for {leave.away.first}",
        "due": [
            {"title": _format_title(leave, matter.sale.order), "starts": str(day), "ends": str(day + DAY)}
            for day, matter in due
        ],
        "first_day": str(leave.first),
        "last": str(leave.last),
        "saturday": str(by_kind["on_saturday"][0].sale.order),
        "moved": str(by_kind["moved"][0].sale.order),
        "first": str(by_kind["moved"][0].first),
        "twice": matters[0].asker.email,
        "on_saturday": str(by_kind["on_saturday"][0].due),
        "first_order": twice["orders"][0],
        "last_order": twice["orders"][-1],
        **{f"{kind}_asker": by_kind[kind][0].asker.email for kind in ASKERS},
        **{f"{kind}_order": str(by_kind[kind][0].sale.order) for kind in ("after", "kept")},
    }


def _build_facts(leave: Leave) -> dict[str, str]:
    them, their, they = ("him", "his", "he") if leave.away.first in MEN else ("her", "her", "she")
    named = {"away": leave.away.name, "folder": f"Handover {leave.away.first}", "page": PAGE}
    return named | {"them": them, "their": their, "they": they}


def _format_title(leave: Leave, order: int) -> str:
    return f"Due for {leave.away.first}: order {order}"


def _write_notes(
    world: World, cast: Cast, filled: NotesFilled, by_kind: Mapping[str, Sequence[Matter]], leave: Leave
) -> None:
    """The page on handovers, and what was noted of calls."""
    with open_notebook(world) as notes:
        rules, by = [make_part("bulleted_list_item", text) for text in RULES], cast.find_head("Human Resources").email
        notes.add_page(PAGE, filled.pages["People"], world.now - 200 * DAY, by, rules)
        for kind, text in (("called", CALLED), ("called_in_vain", IN_VAIN)):
            for matter in by_kind[kind]:
                row = filled.rows["Orders by mail", f"Order {matter.sale.order}"]
                moment = handovers.asked_at(matter) + timedelta(hours=3)
                notes.comment(row, moment, leave.other.email, text.format(name=matter.asker.name))


def _fill_mail(
    world: World, cast: Cast, rng: random.Random, stories: Stories, matters: Sequence[Matter], leave: Leave
) -> dict[str, str]:  # fmt: skip
    """The folder of the handover among the owner's own mail: Message-IDs by the keys of letters."""
    letters = [letter for matter in matters for letter in matter.letters]
    home = [handovers.write_home_answer(rng, matter, leave) for matter in matters if matter.kind == "from_home"]
    rated = handovers.write_machine_mails(rng, leave, [matter.sale.order for matter in matters[-3:]])
    letters += (replace(letter, folder=f"Handover {leave.away.first}") for letter in rated)
    filled = fill_mail(world, cast, get_stream(world, "mail"), count=540, stories=stories, more=[*letters, *home])
    return dict(filled.message_ids)


def _fill_calendar(world: World, cast: Cast, stories: Stories, leave: Leave, orders: Sequence[int]) -> None:
    """Until when the leave is, and what fell due in the last one."""
    stamp = make_moment(leave.first - 30 * DAY, 9, 0, "UTC")
    name, domain = leave.away.name, cast.domain
    after = leave.last + DAY
    sets = [Set(Event(f"leave@{domain}", f"{name} away", leave.first, after, stamp=stamp, busy=False), calendar=TEAM)]
    before = leave.first - 112 * DAY
    old = Event(f"leave-before@{domain}", f"{name} away", before, before + 12 * DAY, stamp=stamp, busy=False)
    sets.append(Set(old, calendar=TEAM))
    for days, order in zip((2, 4, 8), orders, strict=True):
        day = before + days * DAY
        event = Event(f"due-{order}@{domain}", _format_title(leave, order), day, day + DAY, stamp=stamp, busy=False)
        sets.append(Set(event))
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=6, more=sets)
    forget_leave(world, cast.owner.email, leave.away)
