"""A contract with changes and comments of the other side, and mails that say what to put into it."""

import datetime
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from yardkit.state_init.contracts import ADDED, AGREEMENT, CLAUSES, draw_other_value, draw_values, number_clauses
from yardkit.state_init.documents import Commented, Deleted, FieldCode, Inserted, Paper, Piece, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.world import World, save_text

BOLD = {"amount", "days", "percent", "date"}
TERM, BETTER = "deliverable", "work result"
ROLES = ("Consultant", "Developer", "Project manager", "Senior consultant", "Service technician", "Tester", "Trainer")


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

    @property
    def instruction(self) -> str:
        answered = f"answer with standard answer S{self.answer + 1}" if self.answer >= 0 else ""
        if self.action == "resolve":
            return f"{answered} and resolve it" if answered else "just resolve it"
        if self.action == "reopen":
            return "was resolved too early, reopen it"
        return f"{answered}, leave it open" if answered else ""


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


class ContractRedlineFacts(TypedDict):
    """What must be in the contract: clauses, the one struck and the new one, a rate, threads, our own comment."""

    prompt: dict[str, str]
    file: str
    clauses: list[dict[str, Any]]
    struck: str
    added: dict[str, str]
    rate: dict[str, str]
    replies: dict[str, str]
    resolved: dict[str, bool]
    moved: list[str]
    remark: dict[str, str]


def seed(world: World, rng: random.Random) -> ContractRedlineFacts:
    """Build the contract, stale copies, the mails, the standard answers, and what else lies there."""
    story = take_out_toml(world, "letters.toml")
    us, them = make_companies(rng, 2)
    staff = make_people(rng, 2, us.domain) + make_people(rng, 1, them.domain)
    plan = _make_plan(rng, story)
    stem = f"contract/{us.name.split()[0]}_{them.name.split()[0]}_Services_Agreement"
    _write_paper(world, plan, us, them, staff[2]).save(world.files / f"{stem}_v5.docx")
    stale = replace(plan, values=draw_values(rng), foreign={}, threads=())
    _write_paper(world, stale, us, them, staff[2]).save(world.files / f"{stem}_v4.docx")
    _write_mails(world, plan, story, staff, f"{stem}_v5.docx".partition("/")[2])
    _write_other_files(world, rng, plan, story["answers"], us, staff)
    names = {"negotiator": staff[0].name, "author": staff[1].name, "counsel": staff[2].name}
    return _build_truth(plan, f"{stem}_v5.docx", names)


def _make_plan(rng: random.Random, story: dict[str, Any]) -> Plan:
    first, *middle, last = AGREEMENT
    rng.shuffle(middle)
    agreement = [first, *middle, last]
    values = draw_values(rng)
    rates = {role: f"EUR {rng.randrange(56, 150) * 10:,}" for role in ROLES}
    free = [key for key in CLAUSES if TERM not in CLAUSES[key].text]
    foreign = _make_foreign_changes(rng, free, values, story["sentences"])
    changes = _make_changes(rng, [key for key in free if key not in foreign], values)
    used = {*foreign, *(change.key for change in changes)}
    aims = {clause.see for clause in CLAUSES.values()}
    struck = rng.choice([key for key in free if key not in used | aims])
    quiet = [key for key in CLAUSES if key not in used | {struck}]
    keys = rng.sample(quiet, 9)
    role = rng.choice(ROLES)
    dropped = next(change for change in changes if change.kind == "modal")
    remaining = [change for change in changes if change is not dropped]
    corrected = next(change for change in remaining if change.kind == "days")
    threads, added = _make_threads(rng, keys[:8], story["remarks"]), rng.choice(ADDED)
    rate = next(new for new in iter(lambda: f"EUR {rng.randrange(56, 150) * 10:,}", "") if new != rates[role])
    others = iter(lambda: draw_other_value("", "days", rng, corrected.old), "")
    wrong = next(value for value in others if value != corrected.new)
    remark, answers = (keys[8], story["remark"]), rng.sample(story["answers"], len(story["answers"]))
    return Plan(
        agreement,
        values,
        rates,
        foreign,
        threads,
        remaining,
        struck,
        added,
        role,
        rate,
        dropped,
        wrong,
        remark,
        answers,
    )


def _make_foreign_changes(
    rng: random.Random, free: Sequence[str], values: Mapping[str, Mapping[str, str]], sentences: Sequence[str]
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
    for pool, sentence in zip(pools, rng.sample(sentences, 2), strict=True):
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


def _make_threads(rng: random.Random, keys: Sequence[str], texts: Sequence[str]) -> list[Thread]:
    """Comments of the other side, each with another fate."""
    remarks = rng.sample(texts, len(texts))
    first_answer, two, three = rng.sample(range(5), 3)
    fates: list[dict[str, Any]] = [
        {"answer": first_answer},
        {"answer": two, "action": "resolve"},
        {"answer": three},
        {"action": "resolve"},
        {"resolved": True, "action": "reopen"},
    ]
    fates += [rng.choice(({}, {"resolved": True})) for _ in range(rng.randint(1, 3))]
    return [Thread(key, remark, **fate) for key, remark, fate in zip(keys, remarks, fates, strict=False)]


def _build_truth(plan: Plan, file: str, names: dict[str, str]) -> ContractRedlineFacts:
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
        "prompt": {**names, "file": file},
        "file": file,
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


def _write_mails(world: World, plan: Plan, story: dict[str, Any], staff: Sequence[Person], name: str) -> None:
    """The instructions, their correction, and mails about other things."""
    numbers, days = plan.numbers, next(change for change in plan.changes if change.kind == "days")
    gaps = {"file": name, "points": _write_points(plan, story["points"], staff[2].name), "days": numbers[days.key]}
    gaps |= {"right": days.new, "wrong": plan.wrong, "dropped": numbers[plan.dropped.key]}
    for number, mail in enumerate(story["mails"], 1):
        sender, to = (staff[person] for person in mail["between"])
        text = f"Dear {to.first},\n\n{mail['body'].lstrip().format(**gaps)}\n\nBest regards\n{sender.name}\n"
        sent = world.now - datetime.timedelta(days=mail["ago"], hours=number)
        path = world.files / "mail" / f"{number:02}_{sent:%Y-%m-%d}.eml"
        send_mail(path, sender, to, mail["subject"], text, sent)


def _write_points(plan: Plan, wordings: dict[str, str], counsel: str) -> str:
    """The instructions of the negotiator, point by point."""
    numbers, (title, text) = plan.numbers, plan.added
    place, keys = next((n, keys) for n, (name, keys) in enumerate(plan.agreement, 1) if name == title)
    points = []
    for order in sorted([*plan.changes, plan.dropped], key=lambda instruction: numbers[instruction.key]):
        new = plan.wrong if order.kind == "days" else order.new
        points.append(wordings["value"].format(number=numbers[order.key], new=new, old=order.old))
    gaps = {
        "struck": numbers[plan.struck],
        "added": f"{place}.{len(keys) + 1}",
        "after": numbers[keys[-1]],
        "text": text,
    }
    gaps |= {"role": plan.role, "rate": plan.rate, "old_rate": plan.rates[plan.role], "better": BETTER, "term": TERM}
    points += [wordings[key].lstrip().format(**gaps) for key in ("strike", "add", "rate", "term")]
    points += [
        wordings["thread"].format(counsel=counsel, number=numbers[thread.key], what=thread.instruction)
        for thread in plan.threads
        if thread.instruction
    ]
    points.append(wordings["comment"].format(number=numbers[plan.remark[0]], text=plan.remark[1]))
    return "\n".join(f"{number}. {point}" for number, point in enumerate(points, 1))


def _write_other_files(
    world: World, rng: random.Random, plan: Plan, answers: Sequence[str], us: Company, staff: Sequence[Person]
) -> None:
    """The standard answers, those of the year before, contacts, and notes of a call."""
    current, older = (
        "\n".join(f"## S{number}\n\n{text}\n" for number, text in enumerate(texts, 1))
        for texts in (plan.answers, rng.sample(answers, 4))
    )
    save_text(world.files / "playbook.md", f"# Standard answers of {us.name}\n\n{current}")
    old_title = f"# Standard answers of {us.name} (2024, no longer used)"
    save_text(world.files / "archive" / "playbook_2024.md", f"{old_title}\n\n{older}")
    lines = "".join(f"{person.name},{person.email}\n" for person in staff)
    save_text(world.files / "archive" / "contacts.csv", f"name,mail\n{lines}")
    wish = f"- {staff[2].first} wants EUR {rng.randrange(60, 90) * 1000:,} for clause 3.1"
    save_text(world.files / "notes_call.md", f"# Call\n\n{wish}\n- nothing decided\n")
