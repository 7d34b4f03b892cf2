"""Messages made: new ones, answers, forwards, drafts. The same bytes for the same content and time."""

import hashlib
import html
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.errors import HeaderParseError
from email.message import EmailMessage, Message
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from pathlib import Path
from urllib.parse import quote

from yardkit.servers.mail.engine.headers import addresses_of, split_people
from yardkit.servers.mail.engine.messages import Content
from yardkit.servers.mail.engine.parts import Leaf, name_leaf
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_ATTACHED_BYTES = 25_000_000
"""Of all attachments of a message together, as most mail services take."""
MAX_RECIPIENTS = 200
_AS_WRITTEN = SMTP.clone(refold_source="none")
"""Lines of a header stay as another program cut them."""
_ADDRESS = re.compile(r"[^@\s<>(),;:\"\\]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


@dataclass(frozen=True)
class AttachedFile:
    """A file to attach. media_type: empty where its name tells it; charset: of a text that is passed on."""

    name: str
    data: bytes
    media_type: str = ""
    charset: str = ""
    content_id: str = ""
    location: str = ""


@dataclass(frozen=True)
class Draft:
    """What is to be written.

    Attributes:
        to, cc, bcc: addresses, with or without names, several in one text parted by commas.
        text, html: the text, and the same as HTML; without `html` the mail is plain text.
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
    attachments: Sequence[AttachedFile] = ()
    answers: Sequence[str] = ()
    extra_headers: dict[str, str] = field(default_factory=dict)
    header_message_id: str = ""


@dataclass(frozen=True)
class Outgoing:
    """A message that is ready to be sent.

    Attributes:
        message: its bytes, as the sender keeps them; open_copy: as the others get them, without Bcc.
        recipients: bare addresses in small letters.
        to, subject, text, message_id, answers: what it says of itself.
        attachments: how many files it holds.
    """

    message: bytes
    open_copy: bytes
    recipients: list[str]
    to: list[str]
    subject: str
    text: str
    message_id: str
    answers: Sequence[str]
    moment: datetime
    attachments: int = 0


def make_outgoing(draft: Draft, sender: str, moment: datetime) -> Outgoing:
    """A new message, ready to be sent.

    Raises:
        Problem: it has no recipient, or as `compose_message`.
    """
    message = compose_message(draft, sender, moment)
    same = draft.header_message_id or message_id(draft, sender, moment)
    unseen = replace(draft, bcc=(), header_message_id=same)
    return Outgoing(
        message,
        compose_message(unseen, sender, moment) if draft.bcc else message,
        _require_recipients((*draft.to, *draft.cc, *draft.bcc)),
        [str(person) for text in draft.to for person in split_people(text)],
        draft.subject,
        draft.text,
        same,
        draft.answers,
        moment,
        len(draft.attachments),
    )


def date_draft(message: Message, content: Content, sender: str, moment: datetime) -> Outgoing:
    """A draft of any program as it is, ready to be sent: only sender, date and Message-ID are new.

    Raises:
        Problem: it has no recipient, or an address is not valid.
    """
    people = (*content.to, *content.cc, *content.bcc)
    recipients = _require_recipients(people)
    checked_addresses(people)
    same = message_id(Draft(content.to, content.subject, content.text, "", content.cc, content.bcc), sender, moment)
    for name in ("From", "Sender", "Date", "Message-ID", "X-Unsent", "Delivered-To", "Return-Path"):
        del message[name]
    for name, value in (("From", sender), ("Date", format_datetime(moment)), ("Message-ID", same)):
        message[name] = value
    own_copy = message.as_bytes(policy=_AS_WRITTEN)
    del message["Bcc"]
    open_copy = message.as_bytes(policy=_AS_WRITTEN)
    return Outgoing(
        own_copy,
        open_copy,
        recipients,
        list(content.to),
        content.subject,
        content.text,
        same,
        content.answers,
        moment,
        len(content.attachments),
    )


def _require_recipients(people: Sequence[str]) -> list[str]:
    recipients = list(dict.fromkeys(addresses_of(tuple(people))))
    if not recipients:
        raise Problem("the message has no recipient; give an address in to, cc or bcc")
    return recipients


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
    people = [person for text in texts for person in split_people(text)]
    for person in people:
        if not _ADDRESS.fullmatch(to_ascii_address(person.address)):
            given = person.address or person.name
            raise Problem(f"{given!r} is not a valid mail address; use one such as 'ada.berg@example.com'")
    if len(people) > MAX_RECIPIENTS:
        raise Problem(f"{len(people)} recipients are too many; the limit is {MAX_RECIPIENTS}")
    return [formataddr((person.name, to_ascii_address(person.address))) for person in people]


def to_ascii_address(address: str) -> str:
    """An address as mail servers know it, its domain in Punycode.

    Raises:
        Problem: what is before the @ has other letters, which few servers take.
    """
    local, _, domain = address.rpartition("@")
    if address.isascii():
        return address
    if not local.isascii():
        raise Problem(
            f"{address!r} has letters beyond ASCII before the @, which cannot be sent; ask for another address"
        )
    import idna

    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode('ascii')}"
    except idna.IDNAError:
        return address


def read_attachments(paths: Sequence[Path]) -> list[AttachedFile]:
    """Files as attachments.

    Raises:
        Problem: together they have more than `MAX_ATTACHED_BYTES`.
    """
    size = sum(check_bytes(path) for path in paths)
    if size > MAX_ATTACHED_BYTES:
        raise Problem(f"the attachments have {size:,} bytes; the limit is {MAX_ATTACHED_BYTES:,}. Send fewer")
    return [AttachedFile(path.name, path.read_bytes()) for path in paths]


def pass_on(leaves: Sequence[Leaf]) -> list[AttachedFile]:
    """The attachments of a message as those of another, with the kinds and charsets that they have."""
    return [
        AttachedFile(name_leaf(leaf, number), leaf.data, leaf.media_type, leaf.charset, leaf.content_id, leaf.location)
        for number, leaf in enumerate(leaves, 1)
        if not leaf.inside
    ]


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
    lines = [f"{name}: {value}" for name, value in _list_heads(content)]
    return "\n".join(["---------- Forwarded message ----------", *lines, "", content.text.rstrip()])


def format_forwarded_html(content: Content, text: str, page: str) -> str:
    """The HTML of a message as one that forwards it shows it, below what is written."""
    heads = _list_heads(content)
    lines = [f"<b>{name}:</b> {html.escape(value)}" for name, value in heads]
    written = f"<div>{html.escape(text.rstrip())}</div><br>".replace("\n", "<br>\n") if text.strip() else ""
    return f"{written}<div>---------- Forwarded message ----------<br>\n{'<br>'.join(lines)}</div><br>\n{page}\n"


def _list_heads(content: Content) -> list[tuple[str, str]]:
    heads = (("From", content.sender), ("Date", content.date), ("Subject", content.subject))
    recipients = (("To", ", ".join(content.to)), ("Cc", ", ".join(content.cc)))
    return [(name, value) for name, value in (*heads, *recipients) if value]


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
    page = [*message.iter_parts()][-1] if draft.html else None
    for file in draft.attachments:
        inline = isinstance(page, EmailMessage) and _is_shown(file, draft.html)
        _attach_file(page if inline and isinstance(page, EmailMessage) else message, file, inline=inline)


def _is_shown(file: AttachedFile, page: str) -> bool:
    """Whether HTML shows a picture that is sent with it."""
    content_id = file.content_id.strip("<>")
    marks = [f"cid:{content_id}", f"cid:{quote(content_id)}"] if content_id else []
    marks += [f'"{file.location}"', f"'{file.location}'"] if file.location else []
    return file.media_type.startswith("image/") and any(mark in page for mark in marks)


def _attach_file(message: EmailMessage, file: AttachedFile, *, inline: bool = False) -> None:
    media_type = file.media_type or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    kind, _, subtype = media_type.partition("/")
    if media_type == "message/rfc822" and file.media_type:
        _attach_message(message, file)
        return
    if kind in ("message", "multipart") or not subtype:  # bytes as they are, whatever they hold
        kind, subtype = "application", "octet-stream"
    parameters = {"charset": file.charset} if file.charset and kind == "text" else None
    content_id = file.content_id if re.fullmatch(r"<[^<>\s]+>", file.content_id) else None
    add = message.add_related if inline else message.add_attachment
    add(file.data, maintype=kind, subtype=subtype, filename=file.name, params=parameters, cid=content_id)
    if inline and file.location.isascii() and file.location.isprintable():
        part = [*message.iter_parts()][-1]
        part["Content-Location"] = file.location


def _attach_message(message: EmailMessage, file: AttachedFile) -> None:
    """Attach a message as it stands: other programs show what is in it, and its signature stays valid."""
    part = EmailMessage(policy=SMTP)
    part["Content-Type"] = "message/rfc822"
    part["Content-Transfer-Encoding"] = "7bit" if file.data.isascii() else "8bit"
    part.add_header("Content-Disposition", "attachment", filename=file.name)
    part.set_payload(file.data.decode("ascii", "surrogateescape"))
    if message.get_content_type() != "multipart/mixed":
        message.make_mixed()
    message.attach(part)
