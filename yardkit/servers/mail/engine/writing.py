"""Messages made: new ones, answers, forwards, drafts. The same bytes for the same content and time."""

import hashlib
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.errors import HeaderParseError
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, getaddresses
from pathlib import Path

from yardkit.servers.mail.engine.messages import Content
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_ATTACHED_BYTES = 25_000_000
"""Of all attachments of a message together, as most mail services take."""
MAX_RECIPIENTS = 200
_ADDRESS = re.compile(r"[^@\s<>(),;:\"\\]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


@dataclass(frozen=True)
class Draft:
    """What is to be written.

    Attributes:
        to, cc, bcc: addresses, with or without names, several in one text parted by commas.
        text, html: the text, and the same as HTML; without `html` the mail is plain text.
        attachments: names and bytes.
        answers: the Message-IDs of the thread that it continues, the one that it answers last.
        extra_headers: others, by name.
        header_message_id: its Message-ID; by default one that is made of the rest.
    """

    to: Sequence[str]
    subject: str
    text: str
    html: str = ""
    cc: Sequence[str] = ()
    bcc: Sequence[str] = ()
    attachments: Sequence[tuple[str, bytes]] = ()
    answers: Sequence[str] = ()
    extra_headers: dict[str, str] = field(default_factory=dict)
    header_message_id: str = ""


def compose_message(draft: Draft, sender: str, moment: datetime) -> bytes:
    """The message as bytes.

    Raises:
        Problem: an address is not valid, there are too many, or a line is not a valid header line.
    """
    message = EmailMessage(policy=SMTP)
    try:
        message["From"] = sender
        for name, texts in (("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc)):
            if addresses := checked_addresses(texts):
                message[name] = ", ".join(addresses)
        message["Subject"] = draft.subject
        message["Date"] = format_datetime(moment)
        message["Message-ID"] = draft.header_message_id or message_id(draft, sender, moment)
        if draft.answers:
            message["In-Reply-To"], message["References"] = draft.answers[-1], " ".join(draft.answers)
        for name, value in draft.extra_headers.items():
            message[name] = value
    except (ValueError, HeaderParseError) as error:
        raise Problem(f"a mail header is not valid ({error}); the subject and each address must be one line") from error
    _fill_message(message, draft)
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=={_compute_digest(draft, sender, moment)[:20]}{number}==")
    return message.as_bytes()


def checked_addresses(texts: Sequence[str]) -> list[str]:
    """Addresses one by one, each with its name.

    Raises:
        Problem: an address is not valid, or there are more than `MAX_RECIPIENTS`.
    """
    if any("\n" in text or "\r" in text for text in texts):
        raise Problem("an address contains a line break; give addresses such as 'Ada Berg <ada.berg@example.com>'")
    pairs = [pair for pair in getaddresses([text for text in texts if text.strip()]) if any(pair)]
    for name, address in pairs:
        if not _ADDRESS.fullmatch(address):
            raise Problem(f"{address or name!r} is not a valid mail address; use one such as 'ada.berg@example.com'")
    if len(pairs) > MAX_RECIPIENTS:
        raise Problem(f"{len(pairs)} recipients are too many; the limit is {MAX_RECIPIENTS}")
    return [formataddr(pair) for pair in pairs]


def read_attachments(paths: Sequence[Path]) -> list[tuple[str, bytes]]:
    """Files as attachments.

    Raises:
        Problem: together they have more than `MAX_ATTACHED_BYTES`.
    """
    size = sum(check_bytes(path) for path in paths)
    if size > MAX_ATTACHED_BYTES:
        raise Problem(f"the attachments have {size:,} bytes; the limit is {MAX_ATTACHED_BYTES:,}. Send fewer")
    return [(path.name, path.read_bytes()) for path in paths]


def reply_subject(subject: str) -> str:
    """The subject of an answer."""
    return subject if re.match(r"re\s*:", subject, re.IGNORECASE) else f"Re: {subject}"


def forward_subject(subject: str) -> str:
    """The subject of a forwarded message."""
    return subject if re.match(r"fwd?\s*:", subject, re.IGNORECASE) else f"Fwd: {subject}"


def quote_message(content: Content) -> str:
    """A message as an answer quotes it."""
    lines = [f"> {line}".rstrip() for line in content.text.rstrip().split("\n")]
    return "\n".join([f"On {content.date[:16].replace('T', ' ')}, {content.sender} wrote:", *lines])


def format_forwarded(content: Content) -> str:
    """A message as one that forwards it shows it."""
    heads = (("From", content.sender), ("Date", content.date), ("Subject", content.subject))
    recipients = (("To", ", ".join(content.to)), ("Cc", ", ".join(content.cc)))
    lines = [f"{name}: {value}" for name, value in (*heads, *recipients) if value]
    return "\n".join(["---------- Forwarded message ----------", *lines, "", content.text.rstrip()])


def message_id(draft: Draft, sender: str, moment: datetime) -> str:
    """A Message-ID that is the same for the same mail at the same time."""
    domain = sender.rsplit("@", 1)[-1].rstrip("> ") or "example.com"
    return f"<{_compute_digest(draft, sender, moment)[:24]}@{domain}>"


def _compute_digest(draft: Draft, sender: str, moment: datetime) -> str:
    digest_parts = (sender, *draft.to, *draft.cc, *draft.bcc, draft.subject, draft.text, moment.isoformat())
    return hashlib.sha256("\n".join(digest_parts).encode("utf-8", "replace")).hexdigest()


def _fill_message(message: EmailMessage, draft: Draft) -> None:
    text = draft.text.replace("\r\n", "\n")
    message.set_content(text if text.endswith("\n") else text + "\n", cte="quoted-printable")
    if draft.html:
        message.add_alternative(draft.html, subtype="html", cte="quoted-printable")
    for name, data in draft.attachments:
        kind, _, subtype = (mimetypes.guess_type(name)[0] or "application/octet-stream").partition("/")
        if kind in ("message", "multipart"):  # bytes as they are, whatever they hold
            kind, subtype = "application", "octet-stream"
        message.add_attachment(data, maintype=kind, subtype=subtype, filename=name)
