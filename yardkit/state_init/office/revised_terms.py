"""Versions of a service agreement: renumbered, moved, reworded, silently changed; mails that announce a part."""

import datetime
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from yardkit.state_init.contracts import ADDED, AGREEMENT, CLAUSES, draw_other_value, draw_values, number_clauses
from yardkit.state_init.documents import FieldCode, Paper, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.world import World, save_text

Articles = list[tuple[str, list[str]]]
SAME = {kind: kind for kind in ("amount", "date", "party")}
KINDS = {"days": "period", "percent": "percentage", "modal": "duty", **SAME}
"""What the review calls a change of a slot of each kind."""
COUNTS = {"amount": (1, 3), "days": (1, 3), "percent": (1, 2), "date": (1, 2), "modal": (1, 3), "party": (1, 2)}
"""How many slots of each kind change, at least and at most."""
SENIOR_ROLES = ("Project manager", "Senior consultant", "Service technician", "Solution architect")
ROLES = ("Consultant", "Developer", *SENIOR_ROLES, "Tester", "Trainer")
LEVELS = (
    ("Availability of the portal", "99.5 %"),
    ("Answer to a critical incident", "30 minutes"),
    ("Answer to other requests", "8 hours"),
)


@dataclass
class Version:
    """One version of the agreement, to be written down."""

    agreement: Articles
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


class RevisedTermsFacts(TypedDict):
    """The real changes: their clauses, kind, values, and whether they were announced."""

    prompt: dict[str, str]
    changes: list[dict[str, str]]


def seed(world: World, rng: random.Random) -> RevisedTermsFacts:
    """Build our version, the one that came back, a recalled and an older one, the mails, and what else lies there."""
    mails = take_out_toml(world, "mails.toml")["mails"]
    us, them = make_companies(rng, 2)
    writers = make_people(rng, 2, us.domain) + make_people(rng, 1, them.domain)
    articles, values = _shuffle_articles(rng), draw_values(rng)
    ours = Version(articles, values, {role: f"EUR {rng.randrange(56, 150) * 10:,}" for role in ROLES})
    theirs, changes = _revise_version(rng, ours)
    figures = [change for change in changes if change["kind"] in ("amount", "period", "date", "percentage")]
    *announced, lie = rng.sample(figures, 4)
    announced += [change for change in changes if change["kind"] == "added"]
    for change in changes:
        change["announced"] = "yes" if change in announced else "no"
    stem = f"{us.name.split()[0]}_{them.name.split()[0]}_Services_Agreement"
    names = {"older": "v2", "ours": "v3", "recalled": "v4", "theirs": "v4_clean"}
    names = {name: f"{stem}_{ending}.docx" for name, ending in names.items()}
    recalled, _ = _revise_version(rng, ours)
    older = Version(ours.agreement, draw_values(rng), ours.rates)
    for name, version in (("older", older), ("ours", ours), ("recalled", recalled), ("theirs", theirs)):
        paper = _write_paper(world, version, us, them, theirs=name in ("recalled", "theirs"))
        paper.save(world.files / "contracts" / names[name])
    _write_mails(world, mails, writers, names | {"announcement": _write_announcement(rng, announced, lie)})
    _write_other_files(world, rng, us, them, writers)
    return {"prompt": {"customer": us.full, "supplier": them.full}, "changes": changes}


def _shuffle_articles(rng: random.Random) -> Articles:
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


def _move_clauses(
    rng: random.Random, agreement: list[tuple[str, list[str]]], removed: str, title: str
) -> list[tuple[str, list[str]]]:
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
            layout = paper.add_paragraph(f"{number}.{place}\t{version.text(key)}").paragraph_format
            layout.left_indent, layout.first_line_indent = 457_200, -457_200
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
    others = iter(lambda: draw_other_value("", kind, rng, lie["old"]), "")
    false_value = next(value for value in others if value != lie["new"])
    lines.append(_describe_change(lie, false_value))
    rng.shuffle(lines)
    return "\n".join(f"- {line}" for line in lines)


def _describe_change(change: dict[str, str], new: str) -> str:
    if change["kind"] == "added":
        return f"Clause {change['new_clause']} is new."
    number = change["new_clause"]
    where = number if number == "Annex A" else f"Clause {number} (your {change['old_clause']})"
    return f"{where}: {new} instead of {change['old']}."


def _write_mails(
    world: World, mails: Sequence[dict[str, Any]], writers: Sequence[Person], gaps: dict[str, str]
) -> None:
    """The correspondence: sent, returned by mistake, returned, thanked."""
    for number, mail in enumerate(mails, 1):
        sender, to = (writers[person] for person in mail["between"])
        text = f"Dear {to.first},\n\n{mail['body'].lstrip().format(**gaps)}\n\nBest regards\n{sender.name}\n"
        sent = world.now - datetime.timedelta(days=mail["ago"], hours=number)
        path = world.files / "mail" / f"{number:02}_{sent:%Y-%m-%d}.eml"
        send_mail(path, sender, to, mail["subject"], text, sent)


def _write_other_files(world: World, rng: random.Random, us: Company, them: Company, writers: Sequence[Person]) -> None:
    """An agreement of another kind and notes of a call with figures that are not in any version."""
    paper = Paper("Non-disclosure Agreement", author=us.name, now=world.now)
    paper.add_heading("Non-disclosure Agreement", 0)
    paper.add_paragraph(f"{us.full} and {them.full} keep each other's secrets.")
    paper.save(world.files / "contracts" / "NDA_signed.docx")
    wishes = f"- payment term: they would like {rng.choice((50, 60, 90))} days\n"
    wishes += f"- cap: they mentioned EUR {rng.randrange(2, 9) * 50_000:,}\n- nothing agreed\n"
    save_text(world.files / "notes" / "call.md", f"# Call with {writers[2].name}\n\n{wishes}")
    lines = "".join(f"{writer.name},{writer.email}\n" for writer in writers)
    save_text(world.files / "notes" / "contacts.csv", f"name,mail\n{lines}")
