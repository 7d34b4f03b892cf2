"""Records in files of text: mails, notes and registers."""

import csv
import datetime
import io
import random
import textwrap
from collections.abc import Sequence
from pathlib import Path

from yardkit.state_init.lore.workspace.filing import Place
from yardkit.state_init.lore.workspace.records import Firm, Record
from yardkit.state_init.mails import send_mail
from yardkit.world import save_bytes, save_text

REGISTER_HEAD = ("Reference", "Date", "Partner", "Subject", "Entry", "Value", "Remarks")
_OPENINGS = (
    "thank you for your call. As discussed:",
    "please find below what we have on file.",
    "for your records, and for the closing of the month:",
    "this replaces what was sent on the telephone.",
    "we have checked our books once more.",
)
_CLOSINGS = (
    "Please come back to me if anything is unclear.",
    "The paper copy follows by post.",
    "A short confirmation is enough.",
    "We will keep the file open until the end of the quarter.",
)
_REMARKS = (
    "Filed after the call with {contact}.",
    "{contact} will be away next week.",
    "Original is with the {department} team.",
    "Nothing else is open with {partner}.",
    "To be mentioned in the next review with {partner}.",
)


def save_mails(files: Path, place: Place, records: Sequence[Record], firm: Firm, rng: random.Random) -> None:
    """A mail for each record; its name says when it came."""
    for number, record in enumerate(sorted(records, key=lambda known: known.day), 1):
        receiver = rng.choice(firm.staff)
        sent = datetime.datetime.combine(record.day, datetime.time(rng.randint(7, 18), rng.randrange(60)), datetime.UTC)
        opening = rng.choice(_OPENINGS)
        # Lines that mail programs need not break within a word
        lines = textwrap.wrap(record.format_sentence(rng), 68, break_long_words=False, break_on_hyphens=False)
        sentence = "\n".join(lines)
        body = (
            f"Dear {receiver.first},\n\n{opening}\n\n{sentence}\n\n"
            f"{rng.choice(_CLOSINGS)}\n\nKind regards\n{record.contact.name}\n"
            f"{record.partner.full}, {record.partner.city}\n"
        )
        send_mail(
            files / place.path / f"{record.day:%Y-%m-%d}_{number:03d}.eml",
            record.contact,
            receiver,
            f"{record.subject}, our reference {record.reference}",
            body,
            sent,
        )


def save_notes(files: Path, place: Place, records: Sequence[Record], firm: Firm, rng: random.Random) -> None:
    """A note for each record, under the name of its reference."""
    for record in records:
        by = rng.choice(firm.staff)
        remark = rng.choice(_REMARKS).format(
            contact=record.contact.name, department=by.department, partner=record.partner.name
        )
        text = (
            f"# {record.subject}: {record.partner.full}\n\n"
            f"Reference {record.reference}, noted by {by.name} on {record.day.day} {record.day:%B %Y}\n\n"
            f"- {record.format_sentence(rng)}\n- {remark}\n"
        )
        save_text(files / place.path / f"{record.reference}.md", text)


def save_register(files: Path, place: Place, records: Sequence[Record], _firm: Firm, _rng: random.Random) -> None:
    """A row for each record, by day."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(REGISTER_HEAD)
    for record in sorted(records, key=lambda known: known.day):
        value = "" if record.value is None else record.value
        writer.writerow(
            [record.reference, record.day, record.partner.full, record.subject, record.entry, value, record.text]
        )
    save_bytes(files / place.path, buffer.getvalue().encode())
