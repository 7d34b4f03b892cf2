"""Who may use a shared drive by the rules of a company, and what the owners of files are told when that changes."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from yardkit.apps.drive import FOLDER, SPREADSHEET, Grant, Item, Role, add_item, content_of, in_trash, path_of
from yardkit.apps.store import Store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import choose_later_moment
from yardkit.state_init.company.letters import Letter, write_note
from yardkit.state_init.company.note_pages import Notebook
from yardkit.state_init.company.notes_texts import make_part
from yardkit.state_init.company.persons import Colleague, Somebody
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World

DAY = timedelta(days=1)

FORM = "This is what the sharing review changed on your files:", "Please do this yourself, I may only read the file:"


@dataclass(frozen=True)
class Rules:
    """What the handbook says.

    Attributes:
        barred: addresses that have no access at all.
        auditors: by address, whether their mandate holds.
        folders: by address of somebody from outside, the path of the folder of their project.
        excepted: addresses with the items for which there is an exception.
    """

    domain: str
    finance: frozenset[str]
    barred: frozenset[str]
    auditors: Mapping[str, bool]
    folders: Mapping[str, str]
    excepted: frozenset[tuple[str, str]]

    def left_of(self, grant: Grant, path: str) -> Role | Literal["none"]:
        """What the rules leave of a grant for what has this path."""
        email, inside = grant.email, path.split("/")[0] == "Finance"
        if email in self.barred or email.endswith("@webmail.example"):
            return "none"
        if (email, grant.item_id) in self.excepted:
            return grant.role
        if email in self.auditors:
            return "reader" if self.auditors[email] and inside else "none"
        if email.endswith(f"@{self.domain}"):
            return "reader" if inside and email not in self.finance else grant.role
        if not f"{path}/".startswith(self.folders.get(email, "-")):
            return "none"
        return "commenter" if grant.role == "writer" else grant.role


@dataclass(frozen=True)
class Change:
    """What the rules ask for. owner: whose item it is; ask: whether only its owner can do it."""

    grant: Grant
    name: str
    owner: str
    now: str
    ask: bool = False

    def line(self) -> dict[str, Any]:
        """What the letter to the owner says of it."""
        return {"name": self.name, "email": self.grant.email, "was": self.grant.role, "now": self.now, "ask": self.ask}


def grant_random_item(store: Store, rng: random.Random, email: str, items: Sequence[Item], role: Role) -> Grant:
    """Let somebody use one of these items."""
    free = [item for item in items if item.owner != email]
    item = rng.choice(
        [file_item for file_item in free if not store.find(Grant, "item_id = ? AND email = ?", [file_item.id, email])]
    )
    return store.put(Grant(store.next_id(Grant), item.id, email, role))


def add_book(world: World, store: Store, rng: random.Random, title: str, folder: str, owner: str) -> Item:
    """A spreadsheet of somebody in a folder, last changed within half a year."""
    item, changed = add_item(store, title, SPREADSHEET, folder, ".xlsx", owner), world.now - rng.randrange(3, 200) * DAY
    rows = [[word, rng.randint(2, 90)] for word in rng.sample(("North", "South", "East", "West", "Abroad"), 4)]
    save_workbook(content_of(world, item), {"List": [["Where", "How many"], *rows]}, changed)
    return store.change(item, created=(changed - 200 * DAY).isoformat(), modified=changed.isoformat())


def find_changes(store: Store, rules: Rules, me: str) -> Iterator[Change]:
    """All that the rules ask for, but for the bin."""
    for grant in store.find(Grant):
        item = store.get(Item, grant.item_id)
        now = rules.left_of(grant, path_of(store, item))
        if now != grant.role and not in_trash(store, item):
            mine = store.find(Grant, "item_id = ? AND email = ? AND role = 'reader'", [item.id, me])
            yield Change(grant, item.name, item.owner, now, bool(mine))


def letter_text(lines: Sequence[Mapping[str, Any]]) -> str:
    """What a letter to an owner says: what was changed, and what they are to do themselves."""
    parts = []
    for ask, head in enumerate(FORM):
        change_lines = [
            f"- {change['name']}: {change['email']}, {change['was']} -> {change['now']}"
            for change in lines
            if change["ask"] == ask
        ]
        parts += [head, "\n".join(change_lines)] if change_lines else []
    return "\n\n".join(parts)


def old_reviews(store: Store, cast: Cast, rng: random.Random, grant_counts: Mapping[str, int]) -> Iterator[Letter]:
    """What the owner wrote after earlier reviews, each held so many days ago."""
    for quarter, days in grant_counts.items():
        yield from _old_review(store, cast, rng, store.now - days * DAY, quarter)


def _old_review(store: Store, cast: Cast, rng: random.Random, sent: datetime, quarter: str) -> Iterator[Letter]:
    """Letters to three other owners, of whom the first is to do some of it."""
    me, ways = cast.owner, (("writer", "none"), ("writer", "commenter"), ("reader", "none"), ("commenter", "none"))
    locked = {grant.item_id for grant in store.find(Grant, "email = ? AND role = 'reader'", [me.email])}
    then = "kind != ? AND NOT trashed AND owner != ? AND created < ?"
    files = store.find(Item, then, [FOLDER, me.email, sent.isoformat()])
    first, *others = rng.sample([item for item in files if item.id in locked], 1) + rng.sample(files, len(files))
    owners = list(dict.fromkeys(item.owner for item in (first, *others)))[:3]
    for place, owner in enumerate(owners):
        theirs, person = [item for item in others if item.owner == owner and item != first], cast.find_colleague(owner)
        lines = []
        for item in [*([] if place else [first]), *theirs[:2]]:
            (was, now), email = rng.choice(ways), rng.choice(cast.contacts).email
            lines.append({"name": item.name, "email": email, "was": was, "now": now, "ask": item.id in locked})
        text, at = (
            write_note(person.first, letter_text(lines), me.first),
            choose_later_moment(rng, sent, place // 2, me.time_zone),
        )
        yield Letter(f"review/{quarter}/{place}", me.mailbox, (person.mailbox,), f"Sharing review {quarter}", text, at)


def _write_letter(key: str, by: Colleague, cast: Cast, subject: str, text: str, sent: datetime) -> Letter:
    words = write_note(cast.owner.first, text, f"{by.name}\n{by.title}")
    return Letter(key, by.mailbox, (cast.owner.mailbox,), subject, words, sent)


def write_staff(notes: Notebook, cast: Cast, group: int, at: datetime, left: Mapping[str, date]) -> None:
    """Pages of a group that say who leaves when (by name), and who works in which department."""
    by, staff = cast.find_head("Human Resources").email, [make_part("paragraph", "By department.")]
    leavers = [make_part("bulleted_list_item", f"{name}: last day {day:%-d %B %Y}") for name, day in left.items()]
    for department in cast.departments:
        people = ", ".join(
            f"{colleague.name} ({colleague.email})" for colleague in cast.staff if colleague.department == department
        )
        staff.append(make_part("bulleted_list_item", f"{department}: {people}"))
    notes.add_page("Leavers", group, at, by, [make_part("paragraph", "Who leaves us, and when."), *leavers])
    notes.add_page("Who is who", group, at, by, staff)


def write_mandates(cast: Cast, rng: random.Random, now: datetime, who: Mapping[str, Somebody]) -> Iterator[Letter]:
    """What the head of Finance wrote about the two auditors: first, and last."""
    head, early = cast.find_head("Finance"), f"{now - rng.randint(4, 9) * DAY:%-d %B %Y}"
    far, tomorrow = (f"{now + days * DAY:%-d %B %Y}" for days in (rng.randint(20, 40), 1))
    auditor_name, other = who["auditor"].name, who["auditor_gone"].name
    texts = (
        (
            70,
            "Auditors",
            f"{auditor_name} and {other} of Ledger Audit go through our books. Please let them use the folder "
            f"Finance. The mandate of {auditor_name} ends on {early}, the mandate of {other} ends on {far}.",
        ),
        (3, f"Mandate of {other}", f"They were fast: the mandate of {other} ended on {early}, sooner than planned."),
        (
            5,
            f"Mandate of {auditor_name}",
            f"There are some questions left. The mandate of {auditor_name} now ends on {tomorrow}.",
        ),
    )
    for place, (days, subject, text) in enumerate(texts):
        yield _write_letter(
            f"mandate/{place}", head, cast, subject, text, choose_later_moment(rng, now - days * DAY, 0, head.time_zone)
        )


Given = Mapping[tuple[str, str], Grant]
"""Grants by whom they are for and where."""


def write_exceptions(
    store: Store, rng: random.Random, cast: Cast, who: Mapping[str, Somebody], given: Given, *, again: bool
) -> Iterator[Letter]:
    """What the head of Legal granted; one is over, one was granted by somebody else, one has a second word.

    again: whether that word prolongs it; else it is taken back.
    """
    head, sales = cast.find_head("Legal"), cast.find_head("Sales")
    past, later_on = (f"{store.now + days * DAY:%-d %B %Y}" for days in (-rng.randint(5, 20), rng.randint(10, 60)))
    until = past if again else later_on
    word = f"is prolonged. It ends on {later_on}." if again else "is no longer needed. I take it back from today on."
    plan = (
        ("excepted", "Purchasing", head, 45, later_on, ""), ("expired", "Purchasing", head, 110, past, ""),
        ("refused", "Sales", sales, 20, later_on, ""), ("second_word", "theirs", head, 60, until, word),
    )  # fmt: skip
    for key, place, by, days, ends, more in plan:
        recipient, file = who[key].name, store.get(Item, given[key, place].item_id).name
        subject = f"Exception for {recipient}"
        text = (
            f'{recipient} keeps the access to the file "{file}", up to and including {ends}. We need it for a while'
            " yet."
        )
        sent = choose_later_moment(rng, store.now - days * DAY, 0, by.time_zone)
        yield _write_letter(f"exception/{key}", by, cast, subject, text, sent)
        if more:
            text = f'The exception of {recipient} for the file "{file}" {more}'
            yield _write_letter(
                f"exception/{key}/2", by, cast, subject, text, choose_later_moment(rng, sent, 30, by.time_zone)
            )
