"""A contract with changes and comments of the other side, and mails that say what to put into it."""

import datetime
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from yardkit.state_init.contracts import ADDED, AGREEMENT, CLAUSES, draw_other_value, draw_values, number_clauses
from yardkit.state_init.documents import Commented, Deleted, FieldCode, Inserted, Paper, Piece, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.world import World, save_text

BOLD = {"amount", "days", "percent", "date"}
TERM, BETTER = "deliverable", "work result"
ROLES = ("Consultant", "Developer", "Project manager", "Senior consultant", "Service technician", "Tester", "Trainer")
REMARKS = (
    "Our insurer asks for another wording here.",
    "Is this in line with what we said in the call?",
    "Please confirm that this covers deliverables of subcontractors too.",
    "We would like to discuss this point.",
    "Our finance department has a question on this.",
    "Could you explain the reason for this clause?",
    "Please check the reference.",
    "Our works council wants to read this first.",
)
ANSWERS = (
    "We confirm this point as it stands.",
    "This clause reflects the requirements of our insurer and cannot be changed.",
    "We will come back to this after the meeting of our board.",
    "Agreed in principle; the details follow with the next version.",
    "This is our standard for all suppliers of this size.",
)
SENTENCES = (
    " This also applies to affiliated companies.",
    " Mandatory law remains unaffected.",
    " The parties will review this clause once a year.",
)


@dataclass(frozen=True)
class Instruction:
    """A change of one slot of one clause."""

    key: str
    kind: str
    old: str
    new: str


@dataclass(frozen=True)
class Thread:
    """A comment of the other side: where it hangs, and what is to be done with it."""

    key: str
    remark: str
    resolved: bool = False
    answer: int = -1
    action: str = ""


@dataclass(frozen=True)
class Plan:
    """All that is in the contract and that is asked for."""

    agreement: Sequence[tuple[str, Sequence[str]]]
    values: Mapping[str, Mapping[str, str]]
    rates: Mapping[str, str]
    foreign: Mapping[str, tuple[str, str]]
    threads: Sequence[Thread]
    changes: Sequence[Instruction]
    struck: str
    added: tuple[str, str]
    role: str
    rate: str
    dropped: Instruction
    wrong: str
    remark: tuple[str, str]
    answers: Sequence[str]

    @property
    def numbers(self) -> dict[str, str]:
        return number_clauses(self.agreement)

    def text(self, key: str, values: Mapping[str, str] | None = None) -> str:
        parts = CLAUSES[key].parts(self.values[key] if values is None else values, self.numbers)
        return f"{self.numbers[key]}\t{''.join(text for _, text in parts)}"

    def build_expected_text(self, key: str) -> str:
        """The text of a clause after all that is asked for, the other side's changes accepted."""
        values = dict(self.values[key])
        values |= {change.kind: change.new for change in self.changes if change.key == key}
        kind, clause_text = self.foreign.get(key, ("", ""))
        values |= {kind: clause_text} if kind in values else {}
        text = self.text(key, values) + (clause_text if kind == "sentence" else "")
        return text.replace(TERM, BETTER)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the contract, stale copies, the mails, the standard answers, and what else lies there."""
    us, them = make_companies(rng, 2)
    staff = make_people(rng, 2, us.domain) + make_people(rng, 1, them.domain)
    plan = _make_plan(rng)
    stem = f"contract/{us.name.split()[0]}_{them.name.split()[0]}_Services_Agreement"
    _write_paper(world, plan, us, them, staff[2]).save(world.files / f"{stem}_v5.docx")
    stale = replace(plan, values=draw_values(rng), foreign={}, threads=())
    _write_paper(world, stale, us, them, staff[2]).save(world.files / f"{stem}_v4.docx")
    _write_mails(world, plan, staff, f"{stem}_v5.docx".partition("/")[2])
    _write_other_files(world, rng, plan, us, staff)
    return {
        "prompt": {
            "negotiator": staff[0].name,
            "author": staff[1].name,
            "counsel": staff[2].name,
            "file": f"{stem}_v5.docx",
        },
        "file": f"{stem}_v5.docx",
        **_build_truth(plan),
    }


def _make_plan(rng: random.Random) -> Plan:
    first, *middle, last = AGREEMENT
    rng.shuffle(middle)
    agreement = [first, *middle, last]
    values = draw_values(rng)
    rates = {role: f"EUR {rng.randrange(56, 150) * 10:,}" for role in ROLES}
    free = [key for key in CLAUSES if TERM not in CLAUSES[key].text]
    foreign = _make_foreign_changes(rng, free, values)
    changes = _make_changes(rng, [key for key in free if key not in foreign], values)
    used = {*foreign, *(change.key for change in changes)}
    aims = {clause.see for clause in CLAUSES.values()}
    struck = rng.choice([key for key in free if key not in used | aims])
    quiet = [key for key in CLAUSES if key not in used | {struck}]
    keys = rng.sample(quiet, 9)
    role = rng.choice(ROLES)
    dropped = next(change for change in changes if change.kind == "modal")
    remaining_changes = [change for change in changes if change is not dropped]
    corrected = next(instruction for instruction in remaining_changes if instruction.kind == "days")
    return Plan(
        agreement,
        values,
        rates,
        foreign,
        _make_threads(rng, keys[:8]),
        remaining_changes,
        struck,
        rng.choice(ADDED),
        role,
        next(new for new in iter(lambda: f"EUR {rng.randrange(56, 150) * 10:,}", "") if new != rates[role]),
        dropped,
        next(
            candidate
            for candidate in iter(lambda: draw_other_value("", "days", rng, corrected.old), "")
            if candidate != corrected.new
        ),
        (keys[8], "We propose to keep this clause as it is."),
        rng.sample(ANSWERS, len(ANSWERS)),
    )


def _make_foreign_changes(
    rng: random.Random, free: Sequence[str], values: Mapping[str, Mapping[str, str]]
) -> dict[str, tuple[str, str]]:
    """Changes of the other side by clause: a new value for a slot, or a sentence more."""
    first_key, two = rng.sample(
        [key for key in free if "days" in CLAUSES[key].kinds or "percent" in CLAUSES[key].kinds], 2
    )
    foreign_changes = {}
    for key in (first_key, two):
        kind = "days" if "days" in CLAUSES[key].kinds else "percent"
        foreign_changes[key] = (kind, draw_other_value(key, kind, rng, values[key][kind]))
    pools = [key for key in free if key not in foreign_changes], [key for key in CLAUSES if key not in free]
    for pool, sentence in zip(pools, rng.sample(SENTENCES, 2), strict=True):
        foreign_changes[rng.choice(pool)] = ("sentence", sentence)
    return foreign_changes


def _make_changes(
    rng: random.Random, free: Sequence[str], values: Mapping[str, Mapping[str, str]]
) -> list[Instruction]:
    new_changes: dict[str, Instruction] = {}
    for kind, count in (("amount", 2), ("days", 1), ("percent", 1), ("date", 1), ("modal", 2), ("party", 1)):
        pool = [key for key in free if kind in CLAUSES[key].kinds and key not in new_changes]
        for key in rng.sample(pool, count):
            old = values[key][kind]
            new_changes[key] = Instruction(key, kind, old, draw_other_value(key, kind, rng, old))
    return list(new_changes.values())


def _make_threads(rng: random.Random, keys: Sequence[str]) -> list[Thread]:
    """Comments of the other side, each with another fate."""
    remarks = rng.sample(REMARKS, len(REMARKS))
    first_answer, two, three = rng.sample(range(len(ANSWERS)), 3)
    fates: list[dict[str, Any]] = [
        {"answer": first_answer},
        {"answer": two, "action": "resolve"},
        {"answer": three},
        {"action": "resolve"},
        {"resolved": True, "action": "reopen"},
    ]
    fates += [rng.choice(({}, {"resolved": True})) for _ in range(rng.randint(1, 3))]
    return [Thread(key, remark, **fate) for key, remark, fate in zip(keys, remarks, fates, strict=False)]


def _build_truth(plan: Plan) -> dict[str, Any]:
    """What must be in the document at the end."""
    numbers = plan.numbers
    changed = {change.key: change for change in plan.changes}
    kinds = dict.fromkeys(changed, "value") | {key: "term" for key in numbers if TERM in CLAUSES[key].text}
    title, added_text = plan.added
    place, keys = next((n, keys) for n, (name, keys) in enumerate(plan.agreement, 1) if name == title)
    opened = {
        thread.remark: (thread.resolved or thread.action == "resolve") and thread.action != "reopen"
        for thread in plan.threads
    }
    return {
        "clauses": [
            {
                "number": numbers[key],
                "kind": kind,
                "original": plan.text(key),
                "wanted": plan.build_expected_text(key),
                "old": changed[key].old if key in changed else TERM,
                "new": changed[key].new if key in changed else BETTER,
                "bold": kind == "value" and changed[key].kind in BOLD,
            }
            for key, kind in kinds.items()
        ],
        "struck": plan.text(plan.struck),
        "added": {"text": f"{place}.{len(keys) + 1}\t{added_text}", "after": numbers[keys[-1]]},
        "rate": {"role": plan.role, "old": plan.rates[plan.role], "new": plan.rate},
        "replies": {thread.remark: plan.answers[thread.answer] for thread in plan.threads if thread.answer >= 0},
        "resolved": opened,
        "moved": [thread.remark for thread in plan.threads if thread.action],
        "remark": {"number": numbers[plan.remark[0]], "text": plan.remark[1]},
    }


def _write_paper(world: World, plan: Plan, us: Company, them: Company, counsel: Person) -> Paper:
    """The contract with what the other side has put into it."""
    from docx.shared import Mm

    paper = Paper("Services Agreement", author=us.name, now=world.now)
    style = paper.docx.styles.add_style("Clause", 1)
    style.base_style = paper.docx.styles["Normal"]
    style.paragraph_format.left_indent, style.paragraph_format.first_line_indent = Mm(12), Mm(-12)
    paper.header("Services Agreement", "\t\t", "Confidential draft")
    paper.footer("Page ", FieldCode("PAGE"), " of ", FieldCode("NUMPAGES", "5"))
    paper.add_heading("Services Agreement", 0)
    paper.add_paragraph("between ", Text(us.full, bold=True), f", {', '.join(us.address)} (the Customer),")
    paper.add_paragraph("and ", Text(them.full, bold=True), f", {', '.join(them.address)} (the Supplier).")
    for number, (title, keys) in enumerate(plan.agreement, 1):
        paper.add_heading(f"{number}. {title}")
        for key in keys:
            paper.add_paragraph(*_build_clause(plan, key, counsel.name), style="Clause")
    paper.add_heading("Annex A: Rates")
    paper.table([["Role", "Rate per day"], *map(list, plan.rates.items())], widths_mm=[90, 50], align_right=[1])
    paper.add_heading("Annex B: Service levels")
    paper.add_bullets(["Availability of the portal: 99.5 %", f"Each {TERM} is delivered in two copies."])
    return paper


def _build_clause(plan: Plan, key: str, counsel: str) -> list[Piece]:
    pieces = [*_iter_pieces(plan, key, counsel)]
    thread = next((candidate for candidate in plan.threads if candidate.key == key), None)
    if thread is not None:
        pieces = [Commented(pieces, thread.remark, counsel, thread.resolved)]
    return [f"{plan.numbers[key]}\t", *pieces]


def _iter_pieces(plan: Plan, key: str, counsel: str) -> Iterator[Piece]:
    changed, foreign_text = plan.foreign.get(key, ("", ""))
    for kind, text in CLAUSES[key].parts(plan.values[key], plan.numbers):
        if kind and kind == changed:
            yield from (Deleted(text, by=counsel), Inserted(foreign_text, by=counsel))
        elif kind in BOLD:
            yield Text(text, bold=True)
        else:
            yield text
    if changed == "sentence":
        yield Inserted(foreign_text, by=counsel)


def _write_mails(world: World, plan: Plan, staff: Sequence[Person], name: str) -> None:
    """The instructions, their correction, and mails about other things."""
    negotiator, author, counsel = staff
    letters = (
        (
            counsel,
            negotiator,
            6,
            "Services Agreement v5",
            f"you find our changes and comments in {name}.\nWe look forward to yours.",
        ),
        (negotiator, author, 4, "Our position on the Services Agreement", _write_instructions(plan, counsel.name)),
        (author, negotiator, 3, "Re: Our position on the Services Agreement", "thank you, I will do it on Monday."),
        (negotiator, author, 2, "Corrections to our position", _write_corrections(plan)),
        (counsel, author, 1, "Parking at our office", "there is a place for you next to the gate on Thursday."),
    )
    for number, (sender, to, ago, subject, body) in enumerate(letters, 1):
        text = f"Dear {to.first},\n\n{body}\n\nBest regards\n{sender.name}\n"
        sent = world.now - datetime.timedelta(days=ago, hours=number)
        send_mail(world.files / "mail" / f"{number:02}_{sent:%Y-%m-%d}.eml", sender, to, subject, text, sent)


def _write_instructions(plan: Plan, counsel: str) -> str:
    """The mail of the negotiator, point by point."""
    numbers, days = plan.numbers, next(change for change in plan.changes if change.kind == "days")
    asked = sorted([*plan.changes, plan.dropped], key=lambda instruction: numbers[instruction.key])
    points = [
        f"Clause {numbers[order.key]}: {plan.wrong if order is days else order.new} instead of {order.old}."
        for order in asked
    ]
    title, added_text = plan.added
    place, keys = next((n, keys) for n, (name, keys) in enumerate(plan.agreement, 1) if name == title)
    points += [
        f"Strike clause {numbers[plan.struck]} altogether. Do not renumber the others.",
        f"New clause {place}.{len(keys) + 1}, behind {numbers[keys[-1]]}:\n  {added_text}",
        f"Annex A: {plan.role} costs {plan.rate} instead of {plan.rates[plan.role]}.",
        f'In all clauses "{BETTER}" replaces "{TERM}"\n  (and "{BETTER}s" "{TERM}s"). The annexes keep the old word.',
    ]
    points += [_on_thread(plan, thread, counsel) for thread in plan.threads if thread.action or thread.answer >= 0]
    points.append(f"Put a comment of our own on clause {numbers[plan.remark[0]]}:\n  {plan.remark[1]}")
    listed = "\n".join(f"{number}. {point}" for number, point in enumerate(points, 1))
    return f"please put this into the agreement:\n\n{listed}\n\nThe standard answers are those of playbook.md."


def _on_thread(plan: Plan, thread: Thread, counsel: str) -> str:
    where = f"Comment of {counsel}\n  on clause {plan.numbers[thread.key]}: "
    if thread.action == "reopen":
        return f"{where}was resolved too early, reopen it."
    answered = f"answer with standard answer S{thread.answer + 1}" if thread.answer >= 0 else ""
    if thread.action == "resolve":
        return f"{where}{answered + ' and resolve it' if answered else 'just resolve it'}."
    return f"{where}{answered}, leave it open."


def _write_corrections(plan: Plan) -> str:
    numbers, days = plan.numbers, next(change for change in plan.changes if change.kind == "days")
    return (
        f"two corrections. Clause {numbers[days.key]}: it must be {days.new}, not {plan.wrong}.\n"
        f"And forget what I wrote about clause {numbers[plan.dropped.key]};\nit stays as it is."
    )


def _write_other_files(world: World, rng: random.Random, plan: Plan, us: Company, staff: Sequence[Person]) -> None:
    """The standard answers, those of the year before, contacts, and notes of a call."""
    answers = "\n".join(f"## S{number}\n\n{text}\n" for number, text in enumerate(plan.answers, 1))
    save_text(world.files / "playbook.md", f"# Standard answers of {us.name}\n\n{answers}")
    older = "\n".join(f"## S{number}\n\n{text}\n" for number, text in enumerate(rng.sample(ANSWERS, 4), 1))
    save_text(
        world.files / "archive" / "playbook_2024.md",
        f"# Standard answers of {us.name} (2024, no longer used)\n\n{older}",
    )
    lines = "".join(f"{person.name},{person.email}\n" for person in staff)
    save_text(world.files / "archive" / "contacts.csv", f"name,mail\n{lines}")
    save_text(
        world.files / "notes_call.md",
        f"# Call\n\n- {staff[2].first} wants EUR {rng.randrange(60, 90) * 1000:,} for clause 3.1\n- nothing decided\n",
    )
