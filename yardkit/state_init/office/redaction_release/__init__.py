"""A dossier of an inspection that is to be published: private persons all over it, also where nobody looks."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from yardkit.state_init.documents import Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import Person, make_people
from yardkit.state_init.office.redaction_release.redaction_dossier import Dossier, Named, Scene, write_dossier
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.workbooks import Book
from yardkit.world import World, save_bytes, save_text

HEAD = ["No.", "Name", "Also written as", "ID number", "E-mail", "Consent to be named"]
PLANTS = ("Harbour Crane 7", "Ferry Terminal East", "Cold Store 3", "Grain Silo West", "Tank Farm Nord")
WOMEN = frozenset(
    re.findall(
        r"\w+",
        """
        Adaeze Aino Akira Alba Amira Anja Ayumi Beatriz Birgit Camila Catherine Chiara Chloé Deepa Eilidh Elena Elif
        Emma Fatima Fiona Francesca Giulia Grace Hana Hannah Helena Ingrid Isabel Jana Joana Julia Kamila Katarzyna
        Laura Leila Lina Lucía Maria Marta Mei Mia Miriam Nadia Naoko Niamh Olga Petra Priya Renata Rosa Ruth Sara
        Sofia Tereza Ulrike Valentina Vera Yara Zoë
        """,
    )
)
OFFICES = ("Director", "Inspector", "Senior inspector", "Harbour master", "Legal counsel", "Mayor")


class RedactionReleaseFacts(TypedDict):
    """The dossier and its public version, what is private, who stays named, pages by number on the list, the scan."""

    prompt: dict[str, str]
    file: str
    public: str
    terms: list[str]
    names: list[str]
    named: list[str]
    log: dict[str, list[int]]
    scan: dict[str, Any]
    emptied: list[str]
    dropped: list[str]


def seed(world: World, rng: random.Random) -> RedactionReleaseFacts:
    """Build the dossier, the list of persons, a stale list, a draft, and what else lies there."""
    scene = _make_scene(rng, take_out_toml(world, "dossier.toml"))
    dossier = write_dossier(scene, rng)
    name = f"dossier_{scene.case.replace('/', '-')}.pdf"
    save_bytes(world.files / "dossier" / name, dossier.data)
    _write_draft(world, scene)
    _write_person_list(world, rng, scene)
    _write_side_files(world, rng, scene)
    return {
        "prompt": {"dossier": name, "public": name.replace("dossier", "public"), "plant": scene.plant},
        "file": f"dossier/{name}",
        "public": f"release/{name.replace('dossier', 'public')}",
        "terms": sorted({term for named in scene.listed for term in named.terms}),
        "names": [named.person.name for named in scene.listed if not named.consents],
        "named": [official.name for official in scene.officials] + [e.person.name for e in scene.listed if e.consents],
        "log": _find_pages(dossier, scene.listed),
        "scan": dossier.scan,
        "emptied": dossier.private_fields,
        "dropped": dossier.private_attachments,
    }


def _find_pages(dossier: Dossier, listed: Sequence[Named]) -> dict[str, list[int]]:
    """On which pages something of a person is to be taken out, by number on the list."""
    person_pages = {}
    for named in listed:
        pages = [page for page, text in sorted(dossier.texts.items()) if any(t.casefold() in text for t in named.terms)]
        if pages:
            person_pages[str(named.number)] = pages
    return person_pages


def _make_scene(rng: random.Random, story: Mapping[str, Any]) -> Scene:
    """Who is in the dossier: private persons, two of them with consent, an official of the same surname as one."""
    staff = make_people(rng, 70)
    women = sorted((person for person in staff if person.first in WOMEN), key=lambda woman: not woman.name.isascii())
    private, rest = women[:10], [person for person in staff if person not in women[:10]]
    man = next(person for person in rest if person.first not in WOMEN)
    officials = [person for person in rest if person is not man][:6]
    others = [person for person in rest if person is not man][6:]
    same = Person(man.first, private[1].last, man.email, "Inspection", "Inspector")
    numbers = sorted(rng.sample(range(1, 60), len(private)))
    rng.shuffle(numbers)
    listed = [_make_named_person(rng, person, number, "Ms") for person, number in zip(private, numbers, strict=True)]
    listed = [replace(named, consents=place in (8, 9)) for place, named in enumerate(listed)]
    case = f"{rng.randint(2023, 2025)}/{rng.randint(100, 999)}"
    return Scene(case, rng.choice(PLANTS), tuple(listed), (*officials, same), tuple(others), story)


def _make_named_person(rng: random.Random, person: Person, number: int, form: str) -> Named:
    born = f"{rng.randint(1951, 2001)}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}"
    return Named(person, number, (born, f"{rng.randint(1000, 9999)}"), form)


def _write_person_list(world: World, rng: random.Random, scene: Scene) -> None:
    """The list of persons, with many that the dossier does not name; and the list of last year."""
    by_number = {named.number: named for named in scene.listed}
    others = iter(scene.others)
    rows: list[list[Any]] = []
    for number in range(1, 60):
        who = by_number.get(number)
        if who is None:
            person = next(others)
            who = _make_named_person(rng, person, number, "Ms" if person.first in WOMEN else "Mr")
            consent = rng.choice(("no", "no answer", "yes", "no", ""))
        else:
            consent = "yes" if who.consents else rng.choice(("no", "no answer", "withdrawn"))
        rows.append([number, who.person.name, "; ".join(who.spellings), who.id_number, who.person.email, consent])
    officials = [["Name", "Office"]]
    officials += [
        [official.name, office] for official, office in zip(scene.officials, (*OFFICES, "Inspector"), strict=True)
    ]
    book = Book(world.now, title="Persons in the dossier", author=scene.officials[0].name)
    book.sheet("Private persons", [HEAD, *rows], title=f"Persons in file {scene.case}", widths={2: 52})
    book.sheet("Officials", officials)
    book.save(world.files / "release" / "private_persons.xlsx")
    stale = Book(world.now, title="Persons in the dossier")
    old = [[*row[:5], "yes" if rng.random() < 0.5 else "no"] for row in rows if rng.random() < 0.7]
    stale.sheet("Private persons", [HEAD, *old], title=f"Persons in file {scene.case} (2025)")
    stale.save(world.files / "release" / "old" / "private_persons_2025-11.xlsx")


def _write_draft(world: World, scene: Scene) -> None:
    draft = Sheet(f"Dossier {scene.case} DRAFT", author=scene.officials[0].name)
    draft.add_heading(f"Draft: {scene.plant}", 0)
    draft.text(f"First collection of papers. {scene.listed[0].person.name} is still to be heard.")
    draft.save(world.files / "dossier" / "old" / "dossier_draft.pdf")


def _write_side_files(world: World, rng: random.Random, scene: Scene) -> None:
    """Rules, mails, an example of another release, a contact list."""
    lead, counsel = scene.officials[0], scene.officials[4]
    rules = Paper("Rules for publishing", author=counsel.name, now=world.now)
    rules.add_heading("Rules for publishing", 0)
    rules.add_paragraph(
        "Private persons are made unrecognisable before a file is published. Covering a text is not enough."
    )
    rules.add_bullets(
        ["Officials stay named.", "The log of redactions is published with the file.", "Case numbers stay."]
    )
    rules.save(world.files / "release" / "rules_for_publishing.docx")
    example = Sheet("Public version 2024/087", author=lead.name)
    example.add_heading("Public version of file 2024/087", 0)
    example.text("On 3 May the witness ██████ was heard. The inspector found no fault.")
    example.save(world.files / "release" / "old" / "public_2024-087.pdf")
    for count, (subject, body) in enumerate(scene.story["mails"].items(), 1):
        sent = world.now.replace(day=rng.randint(2, 9), hour=8 + count)
        send_mail(world.files / "mail" / f"{count:02d}.eml", counsel, lead, subject, scene.fill(body), sent)
    lines = "\n".join(f"- {official.name}: {official.email}" for official in scene.officials)
    save_text(world.files / "contacts.md", f"# Contacts\n\n{lines}\n")
