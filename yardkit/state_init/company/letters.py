"""Letters of a seeded company: what is written, to whom, in answer to what, with which files; and meetings.

Letters name each other by key, and files are told by their content: they are drawn when a mailbox is filled
(`yardkit.state_init.company.mail`).
"""

import hashlib
import zlib
from dataclasses import dataclass, replace
from datetime import datetime

Cell = str | int | float
Rows = tuple[tuple[Cell, ...], ...]
_HELLO = ("Dear", "Dear", "Hello", "Hi", "Good morning")
_BYE = ("Kind regards", "Best regards", "Best wishes", "Many thanks", "Regards")


@dataclass(frozen=True)
class File:
    """A file that goes with a letter.

    Attributes:
        name: its suffix says what is made of it: ``.pdf`` all of it, ``.xlsx`` and ``.csv`` the table,
            ``.png`` the title as a bar code (Code 39).
        rows: the table, its first row the head.
        lines, below: what stands above and below the table.
    """

    name: str
    title: str
    rows: Rows = ()
    lines: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


@dataclass(frozen=True)
class Letter:
    """A mail, before it has a mailbox.

    Attributes:
        key: names it, such as ``SO-10412/confirmation``; unique in a world.
        sender, to, cc: as a mail shows them, such as ``Ada Berg <ada.berg@example.com>``.
        answers: the key of the letter that it answers.
        html: the same text as HTML.
        folder: where it lies; empty for where it came, which of the owner's own letters is Sent.
        bulk: whether a machine sent it to many.
    """

    key: str
    sender: str
    to: tuple[str, ...]
    subject: str
    text: str
    sent: datetime
    cc: tuple[str, ...] = ()
    answers: str = ""
    files: tuple[File, ...] = ()
    html: str = ""
    folder: str = ""
    bulk: bool = False

    @property
    def message_id(self) -> str:
        """Its Message-ID, which depends on its key and its sender alone."""
        domain = self.sender.rpartition("@")[2].rstrip(">")
        return f"<{hashlib.sha256(f'{self.key}/{self.sender}'.encode()).hexdigest()[:24]}@{domain}>"


@dataclass(frozen=True)
class Meeting:
    """Something that takes place. uid: names it; organizer, people: addresses; about: a number, such as an order's."""

    uid: str
    title: str
    begins: datetime
    ends: datetime
    time_zone: str
    place: str
    organizer: str
    people: tuple[str, ...]
    about: str = ""
    cancelled: bool = False


def link_thread(*letters: Letter) -> tuple[Letter, ...]:
    """Letters of which each answers the one before, under its subject."""
    linked_letters: list[Letter] = []
    for letter in letters:
        answer = (
            replace(letter, answers=linked_letters[-1].key, subject=f"Re: {linked_letters[0].subject}")
            if linked_letters
            else letter
        )
        linked_letters.append(answer)
    return tuple(linked_letters)


def format_money(minor: int, currency: str = "EUR") -> str:
    """An amount in minor units as letters write it, such as EUR 1,234.50."""
    return f"{currency} {minor / 100:,.2f}"


def join_paragraphs(*texts: str) -> str:
    """The text of a letter; empty paragraphs are left out."""
    return "\n\n".join(text for text in texts if text)


def write_note(first: str, note_text: str, by: str) -> str:
    """A short letter: to whom, what, by whom."""
    draw = zlib.crc32(note_text.encode())
    hello, bye = _HELLO[draw % len(_HELLO)], _BYE[draw // 7 % len(_BYE)]
    return join_paragraphs(f"{hello} {first},", note_text[0].upper() + note_text[1:], f"{bye}\n{by}")
