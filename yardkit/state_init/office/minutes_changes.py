"""Minutes with the tracked changes of three people, threads of comments, and actions to be listed."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.state_init.days import some_day
from yardkit.state_init.documents import Commented, Deleted, FieldCode, Inserted, Noted, Paper, Piece, Text
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.spellings import in_words
from yardkit.world import World, save_text

PLACEHOLDER = "To be filled in by the secretary."
_TEXTS = read_texts(__file__)
HEADINGS = _TEXTS["headings"]
EDITS = _TEXTS["edits"]
ACTIONS = _TEXTS["actions"]
REMARKS = _TEXTS["remarks"]


@dataclass(frozen=True)
class Edit:
    """A tracked replacement in a paragraph, before a text that stays."""

    by: str
    old: str
    new: str
    rest: str

    @property
    def pieces(self) -> list[Piece]:
        return [Deleted(self.old, by=self.by), Inserted(self.new, by=self.by), self.rest]


@dataclass(frozen=True)
class Action:
    """A line that begins with ACTION; `was` is the due day before somebody's tracked change of it."""

    owner: str
    what: str
    due: str
    was: str = ""
    by: str = ""

    @property
    def pieces(self) -> list[Piece]:
        start = f"ACTION: {self.owner} to {self.what} by "
        if not self.was:
            return [start, f"{self.due}."]
        return [start, Deleted(self.was, by=self.by), Inserted(self.due, by=self.by), "."]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the minutes, a stale draft, the minutes before, and what else lies there."""
    staff, firms = make_people(rng, 8), make_companies(rng, 4)
    names = [person.name for person in staff]
    accepted, rejected, left = roles = rng.sample(names[1:5], 3)
    topics = rng.sample(HEADINGS, 5)
    edits = _make_edits(rng, roles)
    actions = _make_actions(rng, names, firms, accepted)
    threads = _make_threads(rng, names)
    day = world.now.date() - datetime.timedelta(days=6)
    name = f"minutes_{day.isoformat()}.docx"
    phantom = Action(rng.choice(names), "cancel the order", _choose_day(rng))
    plan = _Plan(rng, staff, topics, edits, actions, threads, phantom, rejected)
    _write_paper(world, day, plan, draft=False).save(world.files / "minutes" / name)
    _write_paper(world, day, plan, draft=True).save(world.files / "minutes" / f"minutes_{day.isoformat()}_draft.docx")
    _write_older_papers(world, rng, day, staff)
    settled = [thread[0] for thread in threads if thread[3] and thread[3][-1][1] == "Done." and not thread[2]]
    return {
        "prompt": {
            "minutes": name,
            "accepted": accepted,
            "rejected": rejected,
            "left": left,
            "placeholder": PLACEHOLDER,
        },
        "file": f"minutes/{name}",
        "edits": [{"by": edit.by, "old": edit.old + edit.rest, "new": edit.new + edit.rest} for edit in edits],
        "changed_actions": [
            {"old": _format_action_line(action, action.was), "new": _format_action_line(action, action.due)}
            for action in actions
            if action.was
        ],
        "phantom": _format_action_line(phantom, phantom.due),
        "actions": [[str(n), action.what, action.owner, action.due] for n, action in enumerate(actions, 1)],
        "comments": {text: resolved or text in settled for text, _, resolved, _ in threads},
        "settled": settled,
    }


def _format_action_line(action: Action, due: str) -> str:
    return f"ACTION: {action.owner} to {action.what} by {due}."


def _make_edits(rng: random.Random, roles: Sequence[str]) -> list[Edit]:
    """Three edits of each of the three people, mixed."""
    authors = [author for author in roles for _ in range(3)]
    rng.shuffle(authors)
    new_edits = []
    for author, (old, new, rest) in zip(authors, rng.sample(EDITS, len(authors)), strict=True):
        a, b = rng.sample(range(11, 49), 2)
        new_edits.append(Edit(author, old.format(a=a), new.format(b=b), rest))
    return new_edits


def _make_actions(rng: random.Random, names: Sequence[str], firms: Sequence[Company], accepted: str) -> list[Action]:
    """One action for each topic; two of them got another due day in a change that is accepted."""
    texts = rng.sample(ACTIONS, 5)
    moved = rng.sample(range(5), 2)
    new_actions = []
    for number, text in enumerate(texts):
        what = text.format(company=rng.choice(firms).name)
        due, was = _choose_day(rng), ""
        if number in moved:
            was = next(day for day in iter(lambda: _choose_day(rng), "") if day != due)
        new_actions.append(Action(rng.choice(names), what, due, was, accepted if was else ""))
    return new_actions


def _choose_day(rng: random.Random) -> str:
    return in_words(some_day(rng, datetime.date(2026, 3, 18), 60))


Thread = tuple[str, str, bool, list[tuple[str, str]]]


def _make_threads(rng: random.Random, names: Sequence[str]) -> list[Thread]:
    """Comments with author, state and replies: two to be settled, the others not, each for a reason of its own."""
    first_name, two = rng.sample(names, 2)
    courses: list[tuple[bool, list[tuple[str, str]]]] = [
        (False, [(first_name, "Done.")]),
        (False, [(two, "I will ask."), (first_name, "Done.")]),
        (False, [(first_name, "Done."), (two, "Not quite, the annex is still missing.")]),
        (False, [(two, "Not done yet.")]),
        (False, []),
        (True, [(first_name, "Done.")]),
    ]
    rng.shuffle(courses)
    return [
        (text, rng.choice(names), resolved, replies)
        for text, (resolved, replies) in zip(rng.sample(REMARKS, 6), courses, strict=True)
    ]


@dataclass(frozen=True)
class _Plan:
    """What stands in the minutes."""

    rng: random.Random
    staff: list[Person]
    topics: Sequence[tuple[str, str, tuple[str, ...]]]
    edits: list[Edit]
    actions: list[Action]
    threads: list[Thread]
    phantom: Action
    rejected: str


def _write_paper(world: World, day: datetime.date, plan: _Plan, *, draft: bool) -> Paper:
    """The minutes; the draft is from before anybody changed or commented on them."""
    rng = random.Random(f"{plan.staff[0].name}:{day}")  # noqa: S311 - draft and minutes say the same
    paper = Paper("Minutes of the monthly meeting", author=plan.staff[0].name, now=world.now)
    paper.header("Monthly meeting", "\t\t", f"{day:%d.%m.%Y}")
    paper.footer("Internal. Page ", FieldCode("PAGE"), " of ", FieldCode("NUMPAGES", "2"))
    paper.add_heading("Minutes of the monthly meeting", 0)
    paper.add_paragraph("Date: ", Text(in_words(day), bold=True), ". Chair: ", plan.staff[0].name, ".")
    rows = [["Name", "Department", "Present"]]
    rows += [[person.name, person.department, "yes"] for person in plan.staff[:5]]
    rows += [[person.name, person.department, rng.choice(("yes", "excused"))] for person in plan.staff[5:]]
    paper.table(rows, widths_mm=[70, 60, 30])
    for number, (heading, sentence, things) in enumerate(plan.topics):
        paper.add_heading(heading)
        opening = sentence.format(who=rng.choice(plan.staff).name, thing=rng.choice(things))
        source = f"Paper {rng.randint(10, 99)} of {day.year}."
        paper.add_paragraph(*_write_opening(plan, number, opening, source, draft=draft))
        for edit in plan.edits[2 * number : 2 * number + 2]:
            paper.add_paragraph(*([edit.old + edit.rest] if draft else edit.pieces))
        action = plan.actions[number]
        paper.add_paragraph(*([_format_action_line(action, action.was or action.due)] if draft else action.pieces))
        if number == 2 and not draft:
            gone = Inserted("", by=plan.rejected)
            paper.add_paragraph(
                Inserted(_format_action_line(plan.phantom, plan.phantom.due), by=plan.rejected), mark=gone
            )
    _write_ending(paper, plan, rng, draft=draft)
    return paper


def _write_opening(plan: _Plan, number: int, text: str, source: str, *, draft: bool) -> list[Piece]:
    note: list[Piece] = [Noted("", source)] if number % 2 else []
    if draft:
        return [text, *note]
    remark, by, resolved, replies = plan.threads[number]
    return [Commented(text, remark, by, resolved, replies), *note]


def _write_ending(paper: Paper, plan: _Plan, rng: random.Random, *, draft: bool) -> None:
    paper.add_heading("Action items")
    paper.add_paragraph(PLACEHOLDER)
    paper.add_heading("Next meeting")
    when = f"The next meeting takes place on {rng.randint(7, 14)} April 2026 in room {rng.randint(101, 140)}."
    if draft:
        paper.add_paragraph(when)
    else:
        remark, by, resolved, replies = plan.threads[5]
        paper.add_paragraph(Commented(when, remark, by, resolved, replies))
    paper.add_bullets(["Report of the auditors", "Dates of the holidays", Text("Any other business", italic=True).text])


def _write_older_papers(world: World, rng: random.Random, day: datetime.date, staff: list[Person]) -> None:
    """The minutes of the month before, finished, and the agenda."""
    before = day - datetime.timedelta(days=28)
    paper = Paper("Minutes of the monthly meeting", author=staff[0].name, now=world.now - datetime.timedelta(days=30))
    paper.add_heading("Minutes of the monthly meeting", 0)
    paper.add_heading("Action items")
    rows = [["No.", "Action", "Owner", "Due"]]
    rows += [[str(n), rng.choice(ACTIONS[2:4]), rng.choice(staff).name, _choose_day(rng)] for n in (1, 2)]
    paper.table(rows, widths_mm=[15, 75, 40, 30])
    paper.save(world.files / "minutes" / f"minutes_{before.isoformat()}.docx")
    lines = "\n".join(f"- {person.name}, {person.department}, {person.email}" for person in staff)
    save_text(world.files / "members.md", f"# Members of the monthly meeting\n\n{lines}\n")
