"""A budget check: cost centres over and under the limits, some of which only seem so, one that has another code now."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.hours import at_work
from yardkit.state_init.company.letters import Letter, format_money, link_thread, write_note
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import Kinds, Notebook, open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.persons import Colleague
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.warehouse import build_change_facts, fill_warehouse
from yardkit.state_init.desk.budget_alarm import budgets
from yardkit.state_init.desk.budget_alarm.budgets import Centre, Transfer
from yardkit.state_init.material import take_out
from yardkit.world import World

ROLES: Mapping[str, tuple[float, float, float, float]] = {
    "over": (0.96, 0.07, 0.02, 0.02), "on_order": (0.69, 0.25, 0.01, 0.02), "gave": (0.8, 0.08, 0.03, 0.01),
    "got": (0.9, 0.04, 0.01, 0.02), "asked": (0.91, 0.03, 0.01, 0.02), "handed": (0.93, 0.02, 0.02, 0.02),
    "not_yet": (0.9, 0.05, 0.02, 0.01), "just": (0.86, 0.038, 0.01, 0.02), "worn": (0.82, 0.04, 0.01, 0.11),
    "closed": (0.79, 0.06, 0.14, 0.02), "quiet": (0.55, 0.1, 0.02, 0.02), "other": (0.61, 0.05, 0.03, 0.01),
    "small": (0.4, 0.2, 0.01, 0.02), "renamed": (0.82, 0.19, 0.02, 0.02),
}  # fmt: skip
"""By the part that a cost centre plays: spent, open, never invoiced, depreciation, of its budget before `T-07`."""
CHECKED, ALARM = (date(2026, 2, 16), date(2026, 5, 15)), 90


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Warehouse, workbook, notes and mailbox; the facts say what is right."""
    cast, today = cast_of(world), world.now.date()
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    filled = fill_warehouse(world, cast, get_stream(world, "warehouse"), stories, lines=4_000, events=1_000)
    noted = fill_notes(world, cast, get_stream(world, "notes"), stories, minutes=20, tasks=40)
    parts, transfers = _make_centres(rng)
    centres = sorted(parts.values(), key=lambda centre: centre.code)
    people = rng.sample(cast.colleagues[1:-4], len(centres) + 2)
    owners = dict(zip(parts, people, strict=False)) | {"handed": cast.colleagues[-4]}
    new = {"handed": cast.colleagues[-3], "not_yet": people[-1]}
    schema = f"{filled.place.partition('.')[0]}.FINANCE"
    postings = budgets.make_postings(rng, centres, today)
    orders = budgets.make_orders(rng, cast, centres, today)
    cards = budgets.make_cards(rng, cast, centres, today)
    budgets.put_tables(world, schema, centres, postings, orders, cards)
    checks = {day: budgets.earlier_check(rng, centres, transfers, postings, day) for day in CHECKED}
    budgets.save_budget(world, cast.owner.name, centres, transfers, checks)
    letters = [
        *_write_letters(
            rng, cast, parts, {**owners, **{f"{key} new": colleague for key, colleague in new.items()}}, transfers
        )
    ]
    fill_mail(world, cast, get_stream(world, "mail"), count=240, stories=stories, more=letters)
    with open_notebook(world) as notes:
        listed = {parts[key].code: (parts[key].name, colleague.email) for key, colleague in owners.items()}
        _write_rules(notes, cast, take_out(world, "budget_control.md"), noted.pages["Money"], listed)
    right = owners | {"handed": new["handed"]}
    warned = [centre.left for centre in centres if centre.percent > ALARM]
    return {
        "owner": cast.owner.email,
        "cards": f"{schema}.CARDS",
        "rows": [centre.line() for centre in centres],
        "changes": build_change_facts(budgets.CARDS, cards, budgets.frozen_cards(cards, centres, today)),
        "mails": [
            {
                "to": [right[key].email],
                "says": centre.warning,
                "never": [abs(left) for left in warned if left != centre.left],
            }
            for key, centre in parts.items()
            if centre.percent > ALARM
        ],
        "codes": {key: centre.code for key, centre in parts.items()},
        "older": (parts["renamed"].older or ("",))[0],
        "owners": {key: colleague.email for key, colleague in owners.items()},
        "new": {key: colleague.email for key, colleague in new.items()},
    }


def _make_centres(rng: random.Random) -> tuple[dict[str, Centre], list[Transfer]]:
    """A cost centre for each role, and the transfers between some of them."""
    code = rng.choice([*budgets.RENAMED])
    older, now, name = budgets.RENAMED[code]
    codes = dict(zip(ROLES, [*rng.sample([*budgets.NAMES], len(budgets.NAMES)), now], strict=True))
    plans = {key: rng.randrange(60, 320) * 1_000_00 for key in codes}
    plans["got"] = round(plans["gave"] * rng.uniform(0.96, 1.04) / 100_000) * 100_000
    given = round(plans["gave"] * 0.075 / 50_000) * 50_000
    small = [rng.randrange(2, 9) * 500_00 for _ in range(3)]
    transfers = [
        ("T-01", date(2026, 1, 27), codes["quiet"], codes["just"], small[0], "approved"),
        ("T-02", date(2026, 2, 11), codes["other"], codes["over"], small[1], "approved"),
        ("T-03", date(2026, 3, 3), codes["small"], codes["on_order"], small[2], "refused"),
        ("T-04", date(2026, 6, 18), codes["small"], code, small[0], "approved"),
        ("T-07", date(2026, 9, 2), codes["gave"], codes["got"], given, "asked"),
        ("T-08", date(2026, 9, 4), codes["quiet"], codes["asked"], round(plans["asked"] * 0.1), "asked"),
    ]
    new_centres = {}
    for key, own in codes.items():
        known = {own, code} if key == "renamed" else {own}
        moved = [(cents * (to in known) - cents * (of in known)) for no, _, of, to, cents, status in transfers
                 if status == "approved" or no == "T-07"]  # fmt: skip
        budget = plans[key] + sum(moved)
        shares = [share * (plans[key] if key in ("gave", "got") else budget) for share in ROLES[key]]
        new_centres[key] = budgets.make_centre(rng, (own, budgets.NAMES.get(own, name)), (plans[key], budget), shares)
    new_centres["renamed"] = replace(new_centres["renamed"], older=(code, older), renamed=date(2026, 6, 1))
    return new_centres, transfers


def _write_rules(notes: Notebook, cast: Cast, text: str, group: int, owners: Mapping[str, tuple[str, str]]) -> None:
    """The rule with an older version and a draft, and the table of owners: name and owner by code."""
    head, now = cast.find_head("Finance").email, notes.store.now
    rules = {limit: parts_of(text.format(limit=limit)) for limit in (85, ALARM, 95)}
    page = notes.add_page("Budget control", group, now - timedelta(days=410), head, rules[ALARM])
    notes.add_older_page(page, now - timedelta(days=95), head, rules[85])
    notes.add_draft("Budget control", group, now - timedelta(days=20), cast.colleagues[-1].email, rules[95])
    kinds: Kinds = {"Code": "title", "Cost centre": "text", "Owner": "people"}
    table = notes.table("Cost centre owners", kinds, now - timedelta(days=300), page.id)
    for code, (name, owner) in sorted(owners.items()):
        notes.row(table, code, now - timedelta(days=90), head, {"Cost centre": name, "Owner": [owner]})


def _write_letters(
    rng: random.Random,
    cast: Cast,
    parts: Mapping[str, Centre],
    people: Mapping[str, Colleague],
    transfers: Sequence[Transfer],
) -> Iterator[Letter]:
    """Two transfers that somebody asks for, of which one is approved, and two that are handed over, one later."""
    head, us = cast.find_head("Finance"), cast.owner
    given, asked = (transfer for transfer in transfers if transfer[5] == "asked")

    def letter(key: str, by: Colleague, subject: str, letter_text: str, day: int) -> Letter:
        sent: datetime = at_work(rng, date(2026, 9, day), by.time_zone)
        cc = () if by == head else (head.mailbox,)
        return Letter(key, by.mailbox, (us.mailbox,), subject, write_note(us.first, letter_text, by.name), sent, cc)

    def ask(transfer: Transfer, reason: str) -> str:
        no, _, of, to, cents, _ = transfer
        return f"please move {format_money(cents)} from {of} to {to}, {reason}. I have entered it as {no}."

    yield from link_thread(
        letter("T-07/1", people["gave"], "Transfer T-07", ask(given, "we will not need it this year"), 2),
        letter("T-07/2", head, "", "T-07 is approved. I enter it when I close the month.", 3),
    )
    yield from link_thread(
        letter("T-08/1", people["asked"], "Transfer T-08", ask(asked, "the prices have risen"), 4),
        letter("T-08/2", head, "", "I cannot say yes to T-08 yet: show me the offers first, please.", 7),
        letter("T-08/3", people["asked"], "", "the offers are on their way, so you can count T-08 as approved.", 9),
    )
    for key, day, when in (("handed", 1, "1 September 2026"), ("not_yet", 10, "1 October 2026")):
        centre, new = parts[key], people[f"{key} new"]
        handover_text = (
            f"from {when} on {new.name} ({new.email}) owns {centre.code} {centre.name}. Until then it is me."
        )
        yield letter(f"handover/{key}", people[key], f"Cost centre {centre.code}", handover_text, day)
