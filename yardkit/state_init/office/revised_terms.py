"""Versions of a service agreement: renumbered, moved, reworded, silently changed; mails that announce a part."""

import datetime
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.state_init.contracts import (
    ADDED,
    AGREEMENT,
    CLAUSES,
    Agreement,
    draw_other_value,
    draw_values,
    number_clauses,
)
from yardkit.state_init.documents import FieldCode, Paper, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.world import World, save_text

KINDS = {
    "amount": "amount",
    "days": "period",
    "percent": "percentage",
    "date": "date",
    "modal": "duty",
    "party": "party",
}
"""What the review calls a change of a slot of each kind."""
COUNTS = {"amount": (1, 3), "days": (1, 3), "percent": (1, 2), "date": (1, 2), "modal": (1, 3), "party": (1, 2)}
"""How many slots of each kind change, at least and at most."""
ROLES = (
    "Consultant",
    "Developer",
    "Project manager",
    "Senior consultant",
    "Service technician",
    "Solution architect",
    "Tester",
    "Trainer",
)
LEVELS = (
    ("Availability of the portal", "99.5 %"),
    ("Answer to a critical incident", "30 minutes"),
    ("Answer to other requests", "8 hours"),
)


@dataclass
class Version:
    """One version of the agreement, to be written down."""

    agreement: list[tuple[str, list[str]]]
    values: dict[str, dict[str, str]]
    rates: dict[str, str]
    extra: dict[str, str] = field(default_factory=dict)
    reworded: set[str] = field(default_factory=set)
    respelled: set[str] = field(default_factory=set)
    misled: dict[str, str] = field(default_factory=dict)

    @property
    def numbers(self) -> dict[str, str]:
        return number_clauses(self.agreement)

    def get_reference(self, key: str) -> str:
        """The number of the clause to which a clause refers."""
        return self.numbers[self.misled.get(key, CLAUSES[key].see)]

    def text(self, key: str) -> str:
        if key in self.extra:
            return self.extra[key]
        numbers = {CLAUSES[key].see: self.get_reference(key)} if CLAUSES[key].see else {}
        clause_text = CLAUSES[key].format_text(self.values[key], numbers, other_words=key in self.reworded)
        return respell_text(clause_text) if key in self.respelled else clause_text


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build our version, the one that came back, a recalled and an older one, the mails, and what else lies there."""
    us, them = make_companies(rng, 2)
    writers = make_people(rng, 2, us.domain) + make_people(rng, 1, them.domain)
    ours = Version(
        _shuffle_articles(rng), draw_values(rng), {role: f"EUR {rng.randrange(56, 150) * 10:,}" for role in ROLES}
    )
    theirs, changes = _revise_version(rng, ours)
    announced = rng.sample(
        [change for change in changes if change["kind"] in ("amount", "period", "date", "percentage")], 4
    )
    lie = announced.pop()
    announced += [change for change in changes if change["kind"] == "added"]
    for change in changes:
        change["announced"] = "yes" if change in announced else "no"
    stem = f"contracts/{us.name.split()[0]}_{them.name.split()[0]}_Services_Agreement"
    names = {
        "older": f"{stem}_v2.docx",
        "ours": f"{stem}_v3.docx",
        "recalled": f"{stem}_v4.docx",
        "theirs": f"{stem}_v4_clean.docx",
    }
    recalled, _ = _revise_version(rng, ours)
    older = Version(ours.agreement, draw_values(rng), ours.rates)
    for name, version, fashion in (
        ("older", older, False),
        ("ours", ours, False),
        ("recalled", recalled, True),
        ("theirs", theirs, True),
    ):
        _write_paper(world, version, us, them, theirs=fashion).save(world.files / names[name])
    _write_mails(world, writers, names, _write_announcement(rng, announced, lie))
    _write_other_files(world, rng, us, them, writers)
    return {"prompt": {"customer": us.full, "supplier": them.full}, "changes": changes}


def _shuffle_articles(rng: random.Random) -> list[tuple[str, list[str]]]:
    """The articles in an order of their own; the first and the last stay."""
    first, *middle, last = ((title, list(keys)) for title, keys in AGREEMENT)
    rng.shuffle(middle)
    return [first, *middle, last]


def _revise_version(rng: random.Random, ours: Version) -> tuple[Version, list[dict[str, str]]]:
    """Another version with real and cosmetic changes, and the real ones."""
    changed = _choose_clauses(rng)
    values = {key: dict(slots) for key, slots in ours.values.items()}
    for key, kind in changed:
        values[key][kind] = draw_other_value(key, kind, rng, ours.values[key][kind])
    touched = {key for key, _ in changed}
    removed, misled = _choose_removed_clause(rng, touched), rng.choice([key for key in CLAUSES if CLAUSES[key].see])
    title, new_wording = rng.choice(ADDED)
    agreement = _move_clauses(rng, ours.agreement, removed, title)
    rates = dict(ours.rates)
    role = rng.choice(ROLES)
    rates[role] = f"EUR {int(re.sub(r'[^0-9]', '', rates[role])) + rng.choice((-30, 40, 60, 90)):,}"
    candidates = [key for key, clause in CLAUSES.items() if clause.reworded]
    reworded = {*rng.sample(candidates, 12), *[key for key in candidates if key in touched][:2]} - {misled}
    respelled = set(rng.sample([key for key in CLAUSES if key not in touched], 24))
    theirs = Version(agreement, values, rates, {"added": new_wording}, reworded, respelled)
    others = [key for key in CLAUSES if key not in (CLAUSES[misled].see, misled, removed)]
    theirs.misled = {misled: rng.choice(others)}
    return theirs, _list_changes(ours, theirs, changed, removed, misled, role)


def _choose_clauses(rng: random.Random) -> list[tuple[str, str]]:
    """Clauses with the kind of slot that changes in each, no clause twice; one at least can be said in other words."""
    picked: dict[str, str] = {}
    for kind, (least, most) in COUNTS.items():
        pool = [key for key, clause in CLAUSES.items() if kind in clause.kinds and key not in picked]
        first = [key for key in pool if CLAUSES[key].reworded][:3] if kind == "amount" else pool
        picked[rng.choice(first)] = kind
        for key in rng.sample([key for key in pool if key not in picked], rng.randint(least, most) - 1):
            picked[key] = kind
    return list(picked.items())


def _choose_removed_clause(rng: random.Random, touched: set[str]) -> str:
    """A clause that goes: one that nobody refers to and that is not changed besides."""
    aims = {clause.see for clause in CLAUSES.values()}
    return rng.choice([key for key, clause in CLAUSES.items() if key not in touched | aims and not clause.see])


def _move_clauses(rng: random.Random, agreement: Agreement, removed: str, title: str) -> list[tuple[str, list[str]]]:
    """One article elsewhere, two clauses elsewhere in their articles, one gone, one new."""
    first, *middle, last = ((name, [key for key in keys if key != removed]) for name, keys in agreement)
    place = rng.randrange(len(middle))
    article = middle.pop(place)
    middle.insert(rng.choice([other for other in range(len(middle) + 1) if other != place]), article)
    for _, keys in rng.sample(middle, 3):
        keys.append(keys.pop(rng.randrange(len(keys) - 1)))
    new_articles = [first, *middle, last]
    keys = next(keys for name, keys in new_articles if name == title)
    keys.insert(rng.randrange(1, len(keys)), "added")
    return new_articles


def _list_changes(
    ours: Version, theirs: Version, changed: Sequence[tuple[str, str]], removed: str, misled: str, role: str
) -> list[dict[str, str]]:
    """The real changes, in the order of the new version; the removed clause comes last."""
    old, new = ours.numbers, theirs.numbers
    rows = [
        _make_row(old[key], new[key], KINDS[kind], ours.values[key][kind], theirs.values[key][kind])
        for key, kind in changed
    ]
    rows.append(
        _make_row(old[misled], new[misled], "reference", ours.get_reference(misled), theirs.get_reference(misled))
    )
    rows.append(_make_row("", new["added"], "added", "", theirs.extra["added"]))
    rows.sort(key=lambda row: [int(part) for part in row["new_clause"].split(".")])
    rows.append(_make_row("Annex A", "Annex A", "amount", ours.rates[role], theirs.rates[role]))
    rows.append(_make_row(old[removed], "", "removed", ours.text(removed), ""))
    return rows


def _make_row(old_clause: str, new_clause: str, kind: str, old: str, new: str) -> dict[str, str]:
    return {"old_clause": old_clause, "new_clause": new_clause, "kind": kind, "old": old, "new": new}


def respell_text(text: str) -> str:
    """The same values written in another way."""
    text = re.sub(r"\b(\d+) ([A-Z][a-z]+) (20\d\d)\b", r"\2 \1, \3", text)
    text = re.sub(r"EUR (\d[\d,]*\d)", r"EUR \1.00", text)
    text = re.sub(r" %", "%", text)
    text = text.replace(" shall ", " must ", 1)
    return re.sub(r'"([A-Z][\w ]+)"', "\u201c\\1\u201d", text)


def _write_paper(world: World, version: Version, us: Company, them: Company, *, theirs: bool) -> Paper:
    """The agreement as a document; the other side writes in another font."""
    look: dict[str, Any] = {"font": "Arial", "size_pt": 10, "accent": "7A1F1F"} if theirs else {}
    paper = Paper("Services Agreement", author=them.name if theirs else us.name, now=world.now, **look)
    paper.header("Services Agreement", "\t\t", "Confidential")
    paper.footer("Page ", FieldCode("PAGE"), " of ", FieldCode("NUMPAGES", "5"))
    paper.add_heading("Services Agreement", 0)
    paper.add_paragraph("between ", Text(us.full, bold=True), f", {', '.join(us.address)} (the Customer),")
    paper.add_paragraph("and ", Text(them.full, bold=True), f", {', '.join(them.address)} (the Supplier).")
    for number, (title, keys) in enumerate(version.agreement, 1):
        paper.add_heading(f"{number}. {title}")
        for place, key in enumerate(keys, 1):
            clause_paragraph = paper.add_paragraph(f"{number}.{place}\t{version.text(key)}")
            clause_paragraph.paragraph_format.left_indent, clause_paragraph.paragraph_format.first_line_indent = (
                457_200,
                -457_200,
            )
    paper.add_heading("Annex A: Rates")
    rates = sorted(version.rates.items(), key=lambda rate: rate[1] if theirs else rate[0])
    paper.table([["Role", "Rate per day"], *map(list, rates)], widths_mm=[90, 50], align_right=[1])
    paper.add_heading("Annex B: Service levels")
    paper.table([["Service level", "Target"], *map(list, LEVELS)], widths_mm=[90, 50])
    return paper


def _write_announcement(rng: random.Random, announced: Sequence[dict[str, str]], lie: dict[str, str]) -> str:
    """What the covering mail says: real changes, one with a value that the document does not have, and cosmetics."""
    lines = [_describe_change(record, record["new"]) for record in announced]
    kind = next(slot for slot, name in KINDS.items() if name == lie["kind"])
    false_value = next(
        candidate
        for candidate in iter(lambda: draw_other_value("", kind, rng, lie["old"]), "")
        if candidate != lie["new"]
    )
    lines.append(_describe_change(lie, false_value))
    rng.shuffle(lines)
    return "\n".join(f"- {line}" for line in lines)


def _describe_change(change: dict[str, str], new: str) -> str:
    if change["kind"] == "added":
        return f"Clause {change['new_clause']} is new."
    where = (
        "Annex A"
        if change["new_clause"] == "Annex A"
        else f"Clause {change['new_clause']} (your {change['old_clause']})"
    )
    return f"{where}: {new} instead of {change['old']}."


def _write_mails(world: World, writers: Sequence[Person], names: dict[str, str], announcement: str) -> None:
    """The correspondence: sent, returned by mistake, returned, thanked."""
    ours, boss, theirs = writers
    file = {key: name.partition("/")[2] for key, name in names.items()}
    letters = (
        (
            ours,
            theirs,
            14,
            "Services Agreement, version 3",
            f"attached is our version, {file['ours']}.\nIt replaces {file['older']}.",
        ),
        (
            theirs,
            ours,
            5,
            "Services Agreement, our comments",
            f"please find our version in {file['recalled']}.\nThe changes are purely editorial.",
        ),
        (
            theirs,
            ours,
            4,
            "Services Agreement, the right file",
            f"sorry, {file['recalled']} was an internal draft; please disregard it.\nWhat we are ready to sign is "
            f"{file['theirs']}.\nIt is based on your {file['ours']}. We tidied up the wording\nand moved an article. "
            f"Besides, in the new numbering:\n\n{announcement}",
        ),
        (
            boss,
            ours,
            3,
            "Re: Services Agreement, the right file",
            "can we sign this? I would like to know what they really changed.",
        ),
    )
    for number, (sender, to, ago, subject, body) in enumerate(letters, 1):
        text = f"Dear {to.first},\n\n{body}\n\nBest regards\n{sender.name}\n"
        sent = world.now - datetime.timedelta(days=ago, hours=number)
        send_mail(world.files / "mail" / f"{number:02}_{sent:%Y-%m-%d}.eml", sender, to, subject, text, sent)


def _write_other_files(world: World, rng: random.Random, us: Company, them: Company, writers: Sequence[Person]) -> None:
    """An agreement of another kind and notes of a call with figures that are not in any version."""
    paper = Paper("Non-disclosure Agreement", author=us.name, now=world.now)
    paper.add_heading("Non-disclosure Agreement", 0)
    paper.add_paragraph(f"{us.full} and {them.full} keep each other's secrets.")
    paper.save(world.files / "contracts" / "NDA_signed.docx")
    save_text(
        world.files / "notes" / "call.md",
        f"# Call with {writers[2].name}\n\n- payment term: they would like {rng.choice((50, 60, 90))} days\n"
        f"- cap: they mentioned EUR {rng.randrange(2, 9) * 50_000:,}\n- nothing agreed\n",
    )
    save_text(
        world.files / "notes" / "contacts.csv",
        "name,mail\n" + "".join(f"{writer.name},{writer.email}\n" for writer in writers),
    )
