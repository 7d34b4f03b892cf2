"""Six scanned letters, some of them turned, one half scanned, to be made searchable, named and listed."""

import datetime
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out
from yardkit.state_init.names import Company, Person, make_companies, make_people, make_products
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.rendering.ink import encode_image
from yardkit.state_init.rendering.letters import Line, break_paragraph, draw_scanned_page
from yardkit.state_init.spellings import in_words
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_bytes, save_text

SUBJECTS = ("Offer for office chairs", "Change of our bank details", "Complaint about pallets", "Renewal of the lease",
            "Invitation to the site visit", "Delay of the second delivery", "Thanks for the order")  # fmt: skip
HEAD = ["File", "Reference", "Date", "Sender", "Subject", "Pages"]
TURNS = (0, 180, 90, 0, 270, 0)
"""How each file was put into the scanner, in degrees."""


@dataclass
class Letter:
    """A letter as it was written; `pages` hold the words of each page and where the reference stands, in mm."""

    sender: Company
    reference: str
    foreign: str
    day: datetime.date
    subject: str
    pages: list[dict[str, Any]] = field(default_factory=list)
    source: str = ""
    turn: int = 0


class ScanArchiveFacts(TypedDict):
    """The letters by their path in the archive: row of the index, pages, scan, and how it lay in the scanner."""

    letters: dict[str, dict[str, Any]]


def seed(world: World, rng: random.Random) -> ScanArchiveFacts:
    """Build the scans, the archive of last year, and what else lies there."""
    bodies = take_out(world, "letters.txt").splitlines()
    firms, staff = make_companies(rng, len(TURNS)), make_people(rng, 4 + len(TURNS))
    numbers = rng.sample(range(1000, 9999), 2 * len(firms))
    turns = rng.sample(TURNS, len(TURNS))
    letters = []
    for number, firm in enumerate(firms):
        own, foreign = (_make_reference(rng, numbers.pop()) for _ in range(2))
        day = datetime.date(2026, rng.randint(1, 3), rng.randint(1, 12))
        letter = Letter(firm, own, foreign, day, SUBJECTS[number])
        letter.source, letter.turn = f"scans/scan_{rng.randint(100, 999)}{number}.pdf", turns[number]
        data = _build_file(rng, letter, staff[0], staff[4 + number], bodies, annex=number == 3)
        save_bytes(world.files / letter.source, data)
        letters.append(letter)
    _write_side_files(world, rng, staff)
    return {
        "letters": {
            f"archive/{scan.reference}_{scan.day.isoformat()}.pdf": {
                "row": [scan.reference, scan.day.isoformat(), scan.sender.full, scan.subject, len(scan.pages)],
                "pages": scan.pages,
                "source": scan.source,
                "turn": scan.turn,
            }
            for scan in sorted(letters, key=lambda entry: (entry.day, entry.reference))
        },
    }


def _make_reference(rng: random.Random, number: int) -> str:
    return f"{''.join(rng.sample('BKRTX', 2))}-2026-{number}"


def _build_file(
    rng: random.Random, letter: Letter, to: Person, signer: Person, bodies: Sequence[str], *, annex: bool
) -> bytes:
    """The letter on its pages; the second page, where there is one, was never on paper."""
    import pikepdf

    lines = _write_lines(rng, letter, to, signer, bodies)
    sheet = Sheet("Scan")
    sheet.add_picture(encode_image(draw_scanned_page(lines, rng), "jpeg", 75))
    letter.pages.append(_describe_page(lines, letter.reference))
    if annex:
        sheet.new_page()
        sheet.add_heading("Annex", 2)
        text = f"Annex to {letter.reference}. The list of articles was sent by mail on the same day."
        sheet.text(text)
        rows = [["Article", "Pieces"], *([name, str(rng.randint(2, 90))] for name in make_products(rng, 12))]
        sheet.table(rows, [90, 30], right=(1,))
        letter.pages.append({"words": text.split(), "lines": [], "place": [], "text": True})
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(sheet.bytes())) as opened:
        opened.pages[0].rotate(letter.turn, relative=True)
        opened.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def _write_lines(rng: random.Random, letter: Letter, to: Person, signer: Person, bodies: Sequence[str]) -> list[Line]:
    """A letter: head, references (theirs and ours), date, subject, text."""
    other = letter.day + datetime.timedelta(days=rng.randint(14, 60))
    day = rng.choice((f"{letter.day:%d.%m.%Y}", in_words(letter.day), f"{letter.day.day} {letter.day:%b %Y}"))
    body = rng.choice(bodies).format(other=in_words(other))
    return [
        Line(letter.sender.full, 20, size_mm=6.5, bold=True),
        Line(f"{letter.sender.street}, {letter.sender.postcode} {letter.sender.city}", 30, size_mm=4.2),
        Line(f"{to.name}, Purchasing", 55),
        Line(f"Your reference: {letter.foreign}", 80),
        Line(f"Our reference: {letter.reference}", 88),
        Line(f"Date: {day}", 96),
        Line(letter.subject, 115, size_mm=5.4, bold=True),
        Line("Dear Sir or Madam,", 130),
        *break_paragraph(body, 142),
        Line("Kind regards,", 185),
        Line(signer.name, 203),
        Line(f"{signer.title}, {letter.sender.full}", 210, size_mm=4.2),
    ]


def _describe_page(lines: list[Line], reference: str) -> dict[str, Any]:
    """The words of a page, its lines with their boxes in mm, and the middle of the sender's reference."""
    left, top, right, bottom = lines[4].box(reference)
    return {
        "words": [word for line in lines for word in line.text.split()],
        "lines": [[line.text, *line.box(line.text)] for line in lines],
        "place": [(left + right) / 2, (top + bottom) / 2],
        "text": False,
    }


def _write_side_files(world: World, rng: random.Random, staff: list[Person]) -> None:
    """The archive of last year with its index, a mail, notes."""
    old = Sheet("KM-2025-1180")
    text = "Please find enclosed our invoice."
    sender = ("Old Sender Ltd", "1 Quay Street")
    old.letter(sender=sender, to=(staff[0].name,), date="3 December 2025", subject="Invoice", text=text)
    old.save(world.files / "archive" / "2025" / "KM-2025-1180_2025-12-03.pdf")
    day = datetime.date(2025, 12, 3)
    rows: list[list[Any]] = [HEAD, ["KM-2025-1180_2025-12-03.pdf", "KM-2025-1180", day, "Old Sender Ltd", "Invoice", 1]]
    save_workbook(world.files / "archive" / "2025" / "index.xlsx", {"Index": rows}, world.now)
    save_text(world.files / "scans" / "readme.txt", "The scanner in room 114 takes the sheets as they are put in.\n")
    text = "The scanner is repaired. Please scan the rest of the letters."
    sent = world.now.replace(day=rng.randint(2, 9))
    send_mail(world.files / "mail" / "01.eml", staff[1].email, staff[0].email, "Scanner", text, sent)
