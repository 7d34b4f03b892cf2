"""What stands in a message: headers, text, attachments. Parsed once for each file, whatever it is called."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache
from pathlib import Path

from yardkit.servers.mail.engine.html_text import seen_text
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_BYTES = 60_000_000
_MAX_HEADER = 100_000
"""Characters of a header that are parsed: the parser takes seconds for longer ones."""


@dataclass(frozen=True)
class Attachment:
    """A file in a message. number: from 1; media_type: as the message says."""

    number: int
    name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True)
class Content:
    """What a message says of itself.

    Attributes:
        sender, to, cc, bcc, reply_to: addresses as they are written, such as ``Ada Berg <ada@example.com>``.
        date: ISO 8601 with its offset; empty where the message has none.
        message_id, answers: its Message-ID, and those of the messages that it answers, the nearest last.
        text: as plain text; of HTML what a reader would see.
        html: whether the text was made of HTML.
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


def read_content(path: Path) -> Content:
    """What a message says of itself.

    Raises:
        Problem: it is too large.
    """
    check_bytes(path, MAX_BYTES)
    status = path.stat()
    # The inode of a message that was removed is given to the next one, which is dated by when it arrived.
    version = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return _read_content(_Known(path, _compute_digest(_Known(path, version))))


def read_message(path: Path) -> EmailMessage:
    """The message itself; damaged parts are as good as they can be read."""
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
    return message


def read_attachment(path: Path, number: int) -> tuple[Attachment, bytes]:
    """An attachment and its bytes.

    Raises:
        Problem: the message has none of that number.
    """
    attachments = list(_iter_attachments(read_message(path)))
    if not 1 <= number <= len(attachments):
        names = "; ".join(f"{attachment.number}: {attachment.name}" for attachment, _ in attachments)
        raise Problem(
            f"the message has no attachment {number}; it has {names}" if attachments else "it has no attachments"
        )
    return attachments[number - 1]


def addresses_of(texts: tuple[str, ...]) -> list[str]:
    """The bare addresses, in small letters, in order."""
    return [address.casefold() for _, address in getaddresses(texts) if address]


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


@lru_cache(maxsize=20_000)
def _read_content(known: _Known) -> Content:
    message = read_message(known.path)
    text, html = _extract_text(message)
    to, cc, bcc, reply_to = (_list_addresses(message, name) for name in ("To", "Cc", "Bcc", "Reply-To"))
    return Content(
        _get_header(message, "From"),
        to,
        cc,
        bcc,
        reply_to,
        _get_header(message, "Subject"),
        _parse_date(_get_header(message, "Date")),
        _get_header(message, "Message-ID"),
        tuple(re.findall(r"<[^<>\s]+>", f"{_get_header(message, 'References')} {_get_header(message, 'In-Reply-To')}")),
        text,
        html,
        tuple(attachment for attachment, _ in _iter_attachments(message)),
    )


def _get_header(message: EmailMessage, name: str) -> str:
    raw = next((str(value) for key, value in message.raw_items() if key.casefold() == name.casefold()), "")
    if len(raw) > _MAX_HEADER:
        return " ".join(raw[:_MAX_HEADER].split())
    try:
        value = message.get(name, "")
    except (ValueError, IndexError, KeyError, AttributeError):  # the parser of headers fails on some damaged ones
        value = raw
    return " ".join(str(value).split())


def _list_addresses(message: EmailMessage, name: str) -> tuple[str, ...]:
    pairs = getaddresses([_get_header(message, name)]) if _get_header(message, name) else []
    return tuple(
        f"{display_name} <{address}>" if display_name else address
        for display_name, address in pairs
        if display_name or address
    )


def _parse_date(text: str) -> str:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return ""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


def moment_of(date: str, otherwise: int) -> datetime:
    """When a message was sent; where it does not say so, when it came."""
    return datetime.fromisoformat(date) if date else datetime.fromtimestamp(otherwise, UTC)


def _extract_text(message: EmailMessage) -> tuple[str, bool]:
    for kind in ("plain", "html"):
        body = message.get_body((kind,))
        if body is not None:
            text = _decode_part(body)
            return (seen_text(text), True) if kind == "html" else (text.replace("\r\n", "\n"), False)
    return "", False


def _decode_part(part: MIMEPart) -> str:
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError, KeyError):
        payload = part.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _iter_attachments(message: EmailMessage) -> Iterator[tuple[Attachment, bytes]]:
    for number, part in enumerate(_iter_parts(message), 1):
        data = part.get_payload(decode=True)
        attachment_bytes = data if isinstance(data, bytes) else part.as_bytes()
        name = part.get_filename() or f"attachment-{number}{_guess_suffix(part)}"
        file_name = re.sub(r"[\x00-\x1f/\\]", "_", name)[:200]
        yield Attachment(number, file_name, part.get_content_type(), len(attachment_bytes)), attachment_bytes


def _iter_parts(message: EmailMessage) -> Iterator[MIMEPart]:
    try:
        yield from message.iter_attachments()
    except (AttributeError, KeyError):  # said to have parts, and has none
        return


def _guess_suffix(part: MIMEPart) -> str:
    import mimetypes

    return (
        ".eml"
        if part.get_content_type() == "message/rfc822"
        else mimetypes.guess_extension(part.get_content_type()) or ""
    )
