"""What stands in a message: headers, text, attachments. Parsed once for each file, whatever it is called."""

import hashlib
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.policy import default
from functools import lru_cache
from pathlib import Path

from yardkit.kit.memory import Memory
from yardkit.servers.mail.engine.dates import parse_date
from yardkit.servers.mail.engine.headers import mend_head, read_correspondents, read_header
from yardkit.servers.mail.engine.parts import Leaf, lay_out, name_leaf
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_BYTES = 60_000_000
_KEPT_BYTES = 8_000_000
"""Of the texts of messages that are kept for the next call."""


@dataclass(frozen=True)
class Attachment:
    """A file in a message.

    Attributes:
        number: from 1.
        media_type: as the message says.
        inside: the number of the attached message that it is in; null for the message itself.
    """

    number: int
    name: str
    media_type: str
    size_bytes: int
    inside: int | None = None


@dataclass(frozen=True)
class Content:
    """What a message says of itself.

    Attributes:
        sender, to, cc, bcc, reply_to: addresses as they are written, such as ``Ada Berg <ada@example.com>``.
        date: ISO 8601 with its offset; empty where the message has none.
        message_id, answers: its Message-ID, and those of the messages that it answers, the nearest last.
        text: as plain text; of HTML what a reader would see.
        html: whether the text was made of HTML.
        attachments: every part that is not the text.
        notes: what of the message could not be read.
    """

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    reply_to: tuple[str, ...]
    subject: str
    date: str
    message_id: str
    answers: tuple[str, ...]
    text: str
    html: bool
    attachments: tuple[Attachment, ...]
    notes: tuple[str, ...] = ()


def read_content(path: Path) -> Content:
    """What a message says of itself.

    Raises:
        Problem: it is too large.
    """
    check_bytes(path, MAX_BYTES)
    status = path.stat()
    # The inode of a message that was removed is given to the next one, which is dated by when it arrived.
    version = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    digest = _compute_digest(_Known(path, version))
    return _contents.recall(digest, lambda: _read_content(path), _measure_content)


def read_message(path: Path) -> EmailMessage:
    """The message as the library's newer parser has it, which refuses much of what real programs write."""
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
    return message


def open_message(path: Path) -> Message:
    """The message with its headers as they were written; damaged parts are as good as they can be read."""
    data = mend_head(path.read_bytes())
    try:
        return message_from_bytes(data)
    except RecursionError:  # parts in parts in parts: shown as it stands
        return BytesHeaderParser().parsebytes(data)


def read_attachment(path: Path, number: int) -> tuple[Attachment, Leaf]:
    """An attachment, and the part of the message that it is.

    Raises:
        Problem: the message has none of that number.
    """
    leaves = lay_out(open_message(path)).attachments
    attachments = _list_attachments(leaves)
    if not 1 <= number <= len(attachments):
        names = "; ".join(f"{attachment.number}: {attachment.name}" for attachment in attachments)
        raise Problem(
            f"the message has no attachment {number}; it has {names}" if attachments else "it has no attachments"
        )
    return attachments[number - 1], leaves[number - 1]


class _Known:
    """A file by what it is known by: the same whatever it is called, as a message is renamed when it is moved."""

    def __init__(self, path: Path, key: object) -> None:
        self.path, self.key = path, key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.key == other.key


@lru_cache(maxsize=20_000)
def _compute_digest(version: _Known) -> bytes:
    return hashlib.blake2b(version.path.read_bytes(), digest_size=16).digest()


_contents = Memory[bytes, Content](_KEPT_BYTES)


def _read_content(path: Path) -> Content:
    message = open_message(path)
    layout = lay_out(message)
    sender, to, cc, bcc, reply_to = (_list_people(message, name) for name in ("From", "To", "Cc", "Bcc", "Reply-To"))
    sender = sender or _list_people(message, "Sender")
    date, date_note = parse_date(read_header(message, "Date"))
    return Content(
        ", ".join(sender),
        to,
        cc,
        bcc,
        reply_to,
        read_header(message, "Subject"),
        date,
        read_header(message, "Message-ID"),
        tuple(re.findall(r"<[^<>\s]+>", f"{read_header(message, 'References')} {read_header(message, 'In-Reply-To')}")),
        layout.text,
        layout.html,
        tuple(_list_attachments(layout.attachments)),
        tuple(filter(None, (date_note, *layout.notes))),
    )


def _measure_content(content: Content) -> int:
    people = (content.sender, *content.to, *content.cc, *content.bcc, *content.reply_to, *content.answers)
    texts = (content.text, content.subject, *people)
    return 1_000 + 300 * len(content.attachments) + sum(map(sys.getsizeof, texts))


def _list_people(message: Message, name: str) -> tuple[str, ...]:
    return tuple(str(person) for person in read_correspondents(message, name))


def _list_attachments(leaves: list[Leaf]) -> list[Attachment]:
    return [
        Attachment(number, name_leaf(leaf, number), leaf.media_type, len(leaf.data), leaf.inside or None)
        for number, leaf in enumerate(leaves, 1)
    ]


def moment_of(date: str, otherwise: int) -> datetime:
    """When a message was sent; where it does not say so, when it came."""
    return datetime.fromisoformat(date) if date else datetime.fromtimestamp(otherwise, UTC)
