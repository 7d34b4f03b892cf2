"""The dossier itself: letters, minutes, a form, a scanned page, comments, bookmarks, properties, attached files."""

import io
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.state_init.names import Person
from yardkit.state_init.pdfs import Blank, Sheet
from yardkit.state_init.rendering.ink import encode_image
from yardkit.state_init.rendering.letters import Line, break_paragraph, draw_scanned_page


@dataclass(frozen=True)
class Named:
    """A person on the list of private persons; `code` are the two parts of the ID number."""

    person: Person
    number: int
    code: tuple[str, str]
    form: str = "Ms"
    consents: bool = False

    @property
    def id_number(self) -> str:
        return "-".join(self.code)

    @property
    def spellings(self) -> tuple[str, str, str]:
        first, last = self.person.first, self.person.last
        return f"{last}, {first}", f"{self.form} {last}", f"{first[0]}. {last}"

    @property
    def capitals(self) -> str:
        return self.person.name.upper()

    @property
    def terms(self) -> list[str]:
        """All that is to be taken out of this person."""
        private = [mark.join(self.code) for mark in ("-", " ", "")] + [self.person.email]
        return private if self.consents else [self.person.name, *self.spellings, *private]


@dataclass(frozen=True)
class Scene:
    """Whom and what the dossier is about; the last official shares a surname with the second private person."""

    case: str
    plant: str
    listed: tuple[Named, ...]
    officials: tuple[Person, ...]
    others: tuple[Person, ...]
    story: Mapping[str, Any]

    def fill(self, text: str, **gaps: str) -> str:
        """Fill the gaps of a text of the story."""
        return text.format(p=self.listed, o=self.officials, plant=self.plant, **gaps)


@dataclass
class Dossier:
    """The file, the texts of its pages (small letters, spaces single), and the boxes of the scanned page in mm."""

    data: bytes = b""
    texts: dict[int, str] = field(default_factory=dict)
    scan: dict[str, Any] = field(default_factory=dict)
    private_fields: list[str] = field(default_factory=list)
    private_attachments: list[str] = field(default_factory=list)


class _Writer:
    """A sheet that remembers what it wrote on which page."""

    def __init__(self, scene: Scene, rng: random.Random) -> None:
        self.scene, self.rng, self.made = scene, rng, Dossier()
        self.sheet = Sheet(
            f"Dossier {scene.case}: {scene.plant}", author=scene.officials[0].name,
            subject=f"Complaint of {scene.listed[1].person.name}", margin_mm=25, size_pt=11,
        )  # fmt: skip
        self._add_foot()

    def _add_foot(self) -> None:
        self.sheet.at(105, 287, f"File {self.scene.case} · page {self.sheet.pages}", size_pt=8.5, align="center")

    def start_page(self, *, foot: bool = True) -> None:
        self.sheet.new_page()
        if foot:
            self._add_foot()

    def keep(self, text: str) -> None:
        page = self.sheet.pages
        self.made.texts[page] = f"{self.made.texts.get(page, '')} {' '.join(text.split()).casefold()}"

    def add_heading(self, text: str, level: int = 1) -> None:
        self.sheet.add_heading(text, level)
        self.keep(text)

    def text(self, *texts: str) -> None:
        for text in texts:
            self.sheet.text(text)
            self.sheet.y += 3
            self.keep(text)

    def table(self, rows: list[list[str]], widths: list[float]) -> None:
        self.sheet.table(rows, widths)
        self.keep(" ".join(" | ".join(row) for row in rows))

    def write_part(self, part: str) -> None:
        """Write a part of the story: its heading, and its texts with asides where numbers stand."""
        page = self.scene.story[part]
        self.add_heading(self.scene.fill(page["heading"]), page.get("level", 1))
        self.write_texts(page["texts"])

    def write_texts(self, texts: Sequence[str | int]) -> None:
        for text in texts:
            if isinstance(text, int):
                self.text(*self.rng.sample(self.scene.story["asides"], text))
            else:
                self.text(self.scene.fill(text))


def write_dossier(scene: Scene, rng: random.Random) -> Dossier:
    """Write the dossier."""
    writer = _Writer(scene, rng)
    dossier = writer.made
    writer.sheet.y = 60
    writer.add_heading(f"Dossier {scene.case}", 0)
    writer.write_part("cover")
    parts: tuple[str | Callable[[_Writer], None], ...] = (
        *(_write_chronology, "statement", _write_letter, "memo", _write_form, _write_scan, _write_hearing),
        *(_write_covered_names, _write_readings, "decision"),
    )
    for part in parts:
        writer.start_page(foot=part is not _write_scan)
        if callable(part):
            part(writer)
        else:
            writer.write_part(part)
    dossier.data = _add_hidden_parts(writer.sheet.bytes(), scene, dossier)
    return dossier


def _write_chronology(writer: _Writer) -> None:
    scene, rng, page = writer.scene, writer.rng, writer.scene.story["chronology"]
    writer.add_heading(page["heading"])
    rows = [["Date", "Event"]]
    rows += [[f"2025-{n:02d}-{rng.randint(1, 28):02d}", scene.fill(event)] for n, event in enumerate(page["events"], 2)]
    writer.table(rows, [28, 130])
    writer.write_texts(page["texts"])
    writer.text(f"The reference number of the plant is {rng.randint(1950, 1999)}0314-{rng.randint(10, 99)}.")


def _write_letter(writer: _Writer) -> None:
    sender = writer.scene.listed[1].person
    writer.sheet.text(f"{sender.name}\n{writer.rng.randint(2, 80)} Quay Street")
    writer.keep(sender.name)
    writer.text(f"E-mail: {sender.email}")
    writer.write_part("letter")


def _write_form(writer: _Writer) -> None:
    scene, rng, dossier = writer.scene, writer.rng, writer.made
    seven, official = scene.listed[6], scene.officials[1]
    writer.add_heading("Record of the interview")
    blanks = [
        Blank("witness_name", "Witness", value=seven.person.name),
        Blank("witness_id", "ID number", value=seven.id_number),
        Blank("witness_mail", "E-mail", value=seven.person.email),
        Blank("place", "Place", value=f"Office at {scene.plant}"),
        Blank("inspector", "Inspector", value=official.name),
        Blank("sworn", "The witness was sworn in", "checkbox", value="yes"),
        Blank(
            "result", "Result", "radio", ("credible", "doubtful", "open"), value=rng.choice(("credible", "doubtful"))
        ),
    ]
    writer.sheet.add_form(blanks)
    for blank in blanks[:3]:
        writer.keep(blank.value)
    dossier.private_fields = [blank.name for blank in blanks[:3]]
    writer.sheet.y += 8
    writer.text(*rng.sample(scene.story["asides"], 3), f"Recorded by {official.name}.")


def _write_scan(writer: _Writer) -> None:
    scene, rng, dossier = writer.scene, writer.rng, writer.made
    person, official, story = scene.listed[0], scene.officials[5], scene.story["scan"]
    secrets, number = (
        (person.person.name, person.id_number),
        scene.fill(story["number"], aside=scene.story["asides"][5]),
    )
    lines = [
        Line(person.person.name, 25),
        Line(f"To the office of {official.name}", 45),
        Line("Noise at night", 70, bold=True),
        Line("Dear Sir or Madam,", 85),
        *break_paragraph(scene.fill(story["opening"]), 96),
        *break_paragraph(number, 130),
        Line("With kind regards,", 190),
        Line(person.person.name, 204),
    ]
    writer.sheet.add_picture(encode_image(draw_scanned_page(lines, rng), "jpeg", 80))
    writer.keep(" ".join(secrets))
    places = ((lines[1], official.name), (lines[2], "Noise at night"), (lines[-2], "regards"))
    dossier.scan = {
        "page": writer.sheet.pages,
        "private": [list(line.box(part)) for line in lines for part in secrets if part in line.text],
        "kept": [list(line.box(part)) for line, part in places],
        "words": [word for line in lines for word in _iter_public_words(line, secrets)],
    }


def _iter_public_words(line: Line, private: tuple[str, ...]) -> Iterator[list[Any]]:
    """The words of a line that belong to nothing private, each with its box."""
    hidden = [match.span() for text in private for match in re.finditer(re.escape(text), line.text)]
    for match in re.finditer(r"\S+", line.text):
        if not any(start < match.end() and match.start() < end for start, end in hidden):
            _, top, left, _ = line.box(line.text[: match.start()])
            _, _, right, bottom = line.box(line.text[: match.end()])
            yield [match[0], left, top, right, bottom]


def _write_hearing(writer: _Writer) -> None:
    scene, page = writer.scene, writer.scene.story["hearing"]
    writer.add_heading(page["heading"])
    rows = [["Present", "As"], *([scene.listed[n].spellings[0], "complainant"] for n in (1, 3, 7))]
    present = (*scene.officials[:3], scene.officials[-1])
    writer.table(rows + [[f"{official.last}, {official.first}", "authority"] for official in present], [90, 60])
    writer.write_texts(page["texts"])


def _write_covered_names(writer: _Writer) -> None:
    """Somebody has drawn black bars over names before; the names are still below them."""
    scene, rng = writer.scene, writer.rng
    four, five = scene.listed[3], scene.listed[4]
    writer.add_heading("Note of the guard")
    from reportlab.lib.colors import HexColor

    for named in (four, five):
        writer.text(f"At the gate: {named.person.name}, number {named.id_number}.")
        writer.sheet.canvas.setFillColor(HexColor("#000000"))
        bottom = (297 - writer.sheet.y + 2.2) * 72 / 25.4
        writer.sheet.canvas.rect(46 * 72 / 25.4, bottom, 90 * 72 / 25.4, 12, fill=1, stroke=0)
    writer.text(*rng.sample(scene.story["asides"], 4))


def _write_readings(writer: _Writer) -> None:
    rng = writer.rng
    writer.add_heading("Readings")
    rows = [["Sample", "Place", "Level, dB", "Dust, mg"]]
    for _ in range(24):
        sample = f"{rng.randint(1960, 1999)}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}-{rng.randint(100, 999)}"
        level, dust = rng.uniform(40, 80), rng.uniform(0.1, 2)
        rows.append([sample, rng.choice(("gate", "belt", "quay", "roof")), f"{level:.1f}", f"{dust:.2f}"])
    writer.table(rows, [45, 40, 35, 35])


def _add_hidden_parts(data: bytes, scene: Scene, dossier: Dossier) -> bytes:
    """Comments, properties and attached files."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as opened:
        for page, text in ((int(page), scene.fill(text)) for page, text in scene.story["comments"].items()):
            note = pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[540, 700, 558, 718],
                Contents=pikepdf.String(text), T=pikepdf.String(scene.officials[2].name), Name=pikepdf.Name.Comment,
            )  # fmt: skip
            annotations = opened.pages[page - 1].obj.get("/Annots", pikepdf.Array())
            annotations.append(opened.make_indirect(note))
            opened.pages[page - 1].obj["/Annots"] = annotations
        names = "; ".join(named.person.name for named in scene.listed[:4])
        opened.docinfo["/Keywords"] = f"{scene.plant}; {names}"
        rows = "".join(f"{named.number},{named.person.name},{named.id_number}\n" for named in scene.listed)
        _attach_file(opened, "witnesses.csv", f"no,name,id\n{rows}")
        _attach_file(opened, "belt_log.csv", "hour,tonnes\n7,120\n8,131\n9,127\n")
        dossier.private_attachments = ["witnesses.csv"]
        buffer = io.BytesIO()
        opened.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def _attach_file(opened: Any, name: str, text: str) -> None:
    import pikepdf

    stamp = "D:20260301080000Z"
    opened.attachments[name] = pikepdf.AttachedFileSpec(
        opened, text.encode(), filename=name, creation_date=stamp, mod_date=stamp, mime_type="text/csv"
    )
