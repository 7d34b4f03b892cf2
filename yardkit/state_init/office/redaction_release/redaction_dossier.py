"""The dossier itself: letters, minutes, a form, a scanned page, comments, bookmarks, properties, attached files."""

import io
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from yardkit.state_init.names import Person
from yardkit.state_init.pdfs import Blank, Sheet
from yardkit.state_init.rendering.ink import encode_image
from yardkit.state_init.rendering.letters import Line, break_paragraph, draw_scanned_page

_ASIDES = (
    "The visit was announced two days before. The papers of the operator were complete, with the exception of the"
    " inspection certificate of the hoist, which was handed in later.",
    "The readings were taken twice and compared with those of the year before; no difference of more than two "
    "percent was found. The instruments had been calibrated in January.",
    "The operator points out that the plant was approved for operation around the clock and that no complaint was"
    " made in the eleven years before. The approval of 2014 is in the annex of the file.",
    "Residents of two streets were asked in writing. Of 86 letters 31 were answered, of these 19 spoke of noise, "
    "8 of dust and 4 of neither. Nobody wished to be heard in person beyond those named in this file.",
    "The belt was stopped for forty minutes during the visit. During that time the level at the gate fell to 41 "
    "dB, which is what the road alone contributes at this hour.",
    "According to the log of the plant the night shift ended at 22 h on all days in question. The log is kept by "
    "hand and shows no corrections. A copy was made for the file.",
    "Photographs were taken of the quay, the belt and the roof of the silo. They show no damage to the covers. "
    "Two of the rubber seals are worn and will be replaced by the end of the quarter.",
)


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


def write_dossier(scene: Scene, rng: random.Random) -> Dossier:
    """Write the dossier."""
    writer = _Writer(scene, rng)
    dossier = writer.made
    _write_cover(writer)
    for part in (
        _write_chronology,
        _write_statement,
        _write_letter,
        _write_memo,
        _write_form,
        _write_scan,
        _write_hearing,
        _write_covered_names,
        _write_readings,
        _write_decision,
    ):
        writer.start_page(foot=part is not _write_scan)
        part(writer)
    dossier.data = _add_hidden_parts(writer.sheet.bytes(), scene, dossier)
    return dossier


def _write_cover(writer: _Writer) -> None:
    scene = writer.scene
    lead, same = scene.officials[0], scene.officials[-1]
    writer.sheet.y = 60
    writer.add_heading(f"Dossier {scene.case}", 0)
    writer.add_heading(scene.plant, 2)
    writer.text(
        f"Complaint of residents about noise and dust. Inspected by {same.name} on behalf of {lead.name}.",
        "Status: closed. To be published under the freedom of information act.",
    )


def _write_chronology(writer: _Writer) -> None:
    scene, rng = writer.scene, writer.rng
    first_named, two, three, four = (named for named in scene.listed[:4])
    same, yes = scene.officials[-1], scene.listed[8]
    writer.add_heading("Chronology")
    events = [
        f"Complaint of {two.person.name}",
        f"{same.name} visits the plant",
        f"Call of {three.spellings[1]}, second complaint",
        f"Letter of {first_named.spellings[2]} arrives",
        f"{yes.person.name} ({yes.id_number}) heard as a witness",
        f"Hearing with {two.spellings[1]} and Mr {same.last}",
        f"Measurement by {scene.officials[1].name}",
        f"{four.spellings[0]}: complaint withdrawn",
    ]
    rows = [["Date", "Event"]]
    rows += [[f"2025-{2 + n:02d}-{rng.randint(1, 28):02d}", event] for n, event in enumerate(events)]
    writer.table(rows, [28, 130])
    writer.text(
        *rng.sample(_ASIDES, 3),
        f"The reference number of the plant is {rng.randint(1950, 1999)}0314-{rng.randint(10, 99)}.",
    )


def _write_statement(writer: _Writer) -> None:
    scene, rng = writer.scene, writer.rng
    five, same, yes = scene.listed[4], scene.officials[-1], scene.listed[9]
    writer.add_heading(f"Statement of {five.person.name}")
    writer.text(
        f"Taken by {same.name}, {same.title.lower()}. ID number {' '.join(five.code)}.",
        f"I live close to {scene.plant}. Since last spring the noise begins at five in the morning. My neighbour "
        f"{scene.listed[1].person.name} and I have written down the hours for three months, and {yes.person.name} from "
        f"the works council has confirmed them. I spoke to Mr {same.last} about it, and to "
        f"{scene.officials[3].name} once.",
        *rng.sample(_ASIDES, 3),
        f"Signed: {five.person.name.upper()}",
    )


def _write_letter(writer: _Writer) -> None:
    scene, rng = writer.scene, writer.rng
    two, lead, six = scene.listed[1], scene.officials[0], scene.listed[5]
    writer.sheet.text(f"{two.person.name}\n{rng.randint(2, 80)} Quay Street")
    writer.keep(two.person.name)
    writer.text(f"E-mail: {two.person.email}")
    writer.add_heading("Second complaint", 2)
    writer.text(
        f"Dear {lead.name},",
        "it has been six weeks since my first letter and nothing has changed. The dust lies on the window sills every "
        f"morning. My colleague {six.person.name} ({six.person.email}) suffers from it as well, and so does the family "
        f"of {six.spellings[1]} across the street. Please send {scene.officials[1].name} or somebody else to measure.",
        f"For your file: my number is {''.join(two.code)}, that of {six.spellings[2]} is {six.id_number}.",
        f"Yours sincerely,\n{two.person.name}",
    )


def _write_memo(writer: _Writer) -> None:
    scene, rng = writer.scene, writer.rng
    two, three, same = scene.listed[1], scene.listed[2], scene.officials[-1]
    writer.add_heading("Internal memo")
    writer.text(
        f"From: {same.name}. To: {scene.officials[0].name}, {scene.officials[2].name}.",
        f"I am not related to {two.spellings[1]}, though we share the surname {two.person.last}. I have told "
        f"{scene.officials[4].name} so. {two.spellings[1]} and {three.person.name} were both at the gate when I came; "
        f"{three.spellings[1]} did not want to give her number, the guard wrote down {three.id_number}.",
        *rng.sample(_ASIDES, 3),
        f"{same.name}",
    )


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
    writer.text(*rng.sample(_ASIDES, 3), f"Recorded by {official.name}.")


def _write_scan(writer: _Writer) -> None:
    scene, rng, dossier = writer.scene, writer.rng, writer.made
    first_named, official = scene.listed[0], scene.officials[5]
    opening = (
        f"my name is {first_named.person.name} and I have lived opposite the plant for eleven years. Last night the"
        " machines ran until two in the morning again. I ask you to come and listen for yourself."
    )
    lines = [
        Line(first_named.person.name, 25),
        Line(f"To the office of {official.name}", 45),
        Line("Noise at night", 70, bold=True),
        Line("Dear Sir or Madam,", 85),
        *break_paragraph(opening, 96),
        *break_paragraph(
            f"My number is {first_named.id_number} and you reach me at the office in the morning. {_ASIDES[5]}", 130
        ),
        Line("With kind regards,", 190),
        Line(first_named.person.name, 204),
    ]
    image = draw_scanned_page(lines, rng)
    writer.sheet.add_picture(encode_image(image, "jpeg", 80))
    writer.keep(f"{first_named.person.name} {first_named.id_number}")
    private = [
        line.box(part)
        for line in lines
        for part in (first_named.person.name, first_named.id_number)
        if part in line.text
    ]
    dossier.scan = {
        "page": writer.sheet.pages,
        "private": [list(box) for box in private],
        "kept": [
            list(lines[1].box(official.name)),
            list(lines[2].box("Noise at night")),
            list(lines[-2].box("regards")),
        ],
        "words": [
            other
            for line in lines
            for other in _iter_public_words(line, (first_named.person.name, first_named.id_number))
        ],
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
    scene, rng = writer.scene, writer.rng
    writer.add_heading("Minutes of the hearing")
    present = [scene.listed[n] for n in (1, 3, 7)]
    rows = [["Present", "As"]]
    rows += [[named.spellings[0], "complainant"] for named in present]
    rows += [
        [f"{official.last}, {official.first}", "authority"] for official in (*scene.officials[:3], scene.officials[-1])
    ]
    writer.table(rows, [90, 60])
    two, eight, yes = scene.listed[1], scene.listed[7], scene.listed[8]
    writer.text(
        f"{two.spellings[2]} repeats the complaint. {eight.person.name} says that the dust comes from the belt and not "
        f"from the silo; {yes.person.name} of the works council does not agree. {scene.officials[2].name} asks for the "
        f"log of the belt. {eight.spellings[1]} leaves the room at 11:40, and {eight.spellings[2]} is not heard again.",
        *rng.sample(_ASIDES, 3),
        f"Minutes: {scene.officials[2].name}",
    )


def _write_covered_names(writer: _Writer) -> None:
    """Somebody has drawn black bars over names before; the names are still below them."""
    scene, rng = writer.scene, writer.rng
    four, five = scene.listed[3], scene.listed[4]
    writer.add_heading("Note of the guard")
    for named in (four, five):
        writer.text(f"At the gate: {named.person.name}, number {named.id_number}.")
        from reportlab.lib.colors import HexColor

        writer.sheet.canvas.setFillColor(HexColor("#000000"))
        bottom = (297 - writer.sheet.y + 2.2) * 72 / 25.4
        writer.sheet.canvas.rect(46 * 72 / 25.4, bottom, 90 * 72 / 25.4, 12, fill=1, stroke=0)
    writer.text(*rng.sample(_ASIDES, 4))


def _write_readings(writer: _Writer) -> None:
    rng = writer.rng
    writer.add_heading("Readings")
    rows = [["Sample", "Place", "Level, dB", "Dust, mg"]]
    for _ in range(24):
        sample = f"{rng.randint(1960, 1999)}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}-{rng.randint(100, 999)}"
        level, dust = rng.uniform(40, 80), rng.uniform(0.1, 2)
        rows.append([sample, rng.choice(("gate", "belt", "quay", "roof")), f"{level:.1f}", f"{dust:.2f}"])
    writer.table(rows, [45, 40, 35, 35])


def _write_decision(writer: _Writer) -> None:
    scene, rng = writer.scene, writer.rng
    yes, no = scene.listed[9], scene.listed[5]
    writer.add_heading("Decision")
    writer.text(
        f"The belt of {scene.plant} runs from 7 to 20 h only. {scene.officials[0].name} and {scene.officials[5].name} "
        f"sign for the authority, {scene.officials[-1].name} sees to it.",
        f"Copies go to {yes.person.name} (works council, {yes.person.email}), to {no.person.name} and to the operator.",
        *rng.sample(_ASIDES, 3),
    )


def _add_hidden_parts(data: bytes, scene: Scene, dossier: Dossier) -> bytes:
    """Comments, properties and attached files."""
    import pikepdf

    two, three = scene.listed[1], scene.listed[2]
    comments = [
        (2, f"{two.spellings[1]} called again about this line."),
        (4, "Check the date of this letter."),
        (9, f"Is this {three.person.name}? {three.person.email}"),
        (11, f"Wording agreed with {scene.officials[4].name}."),
    ]
    with pikepdf.open(io.BytesIO(data)) as opened:
        for page, text in comments:
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
