"""Reading mailboxes, with separate code, from Maildir folders whose messages an agent or another program wrote.

A message is a file ``mail/<address>/[.<Folder>/]cur/<seconds>.M<number>.yardkit:2,<flags>``; the mailbox ``@outside``
has the mails that left the world, by the header Delivered-To. Other files are not messages.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.files import parse_once, require_file_in
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading
from yardkit.world.decoding import decode_bytes

OUTSIDE = "@outside"
MAX_BYTES = 60_000_000
"""Of one message."""
MAX_MESSAGES = 20_000
MAX_HEADER = 100_000
"""Bytes of headers: the parser takes seconds for more."""
_HIDDEN = ("head", "script", "style", "title")
_INLINE = (
    "a",
    "abbr",
    "b",
    "code",
    "em",
    "font",
    "i",
    "img",
    "mark",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "u",
    "wbr",
)
_PIECE = re.compile(r'(?:"[^"]*"|<[^>]*>|\([^)]*\)|[^,;"<(])+')
"""A member of a list of addresses."""
_PATH = re.compile(
    r"mail/(?P<address>[^/]+)/(?:\.(?P<folder>[^/]+)/)?(?:cur|new)/(?P<arrived>\d+)\.M(?P<number>\d+)\.\w+:2,(?P<flags>[A-Z]*)"
)


@dataclass(frozen=True)
class Attached:
    """An attachment. digest: SHA-256 of its content."""

    name: str
    digest: str
    size_bytes: int


@dataclass(frozen=True)
class Mail:
    """A message.

    Attributes:
        path: its path below the apps; address, folder, number, flags: from the path.
        message_id, thread: its Message-ID, and those that it answers, the most recent last.
        sender, to, cc, bcc, delivered_to: bare addresses in lower case.
        text: the plain text; of a mail with only HTML, its words as they are shown.
        date: ISO 8601; empty if it has none.
    """

    path: str
    address: str
    folder: str
    number: int
    flags: str
    message_id: str
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    delivered_to: tuple[str, ...]
    subject: str
    date: str
    thread: tuple[str, ...]
    automatic: bool
    text: str = field(repr=False)
    files: tuple[Attached, ...] = ()

    @property
    def people(self) -> frozenset[str]:
        """The addresses of all recipients."""
        return frozenset((*self.to, *self.cc, *self.bcc))

    @property
    def invites(self) -> bool:
        """Whether a calendar sent it automatically, with an event."""
        return any(file.name == "invite.ics" for file in self.files)

    @property
    def own_text(self) -> str:
        """Its text without quoted or forwarded text."""
        own_lines = self.text.split("---------- Forwarded message")[0].splitlines()
        lines = [line for line in own_lines if not line.startswith(">")]
        return "\n".join(line for line in lines if not re.fullmatch(r"On .{6,200} wrote:", line))


def read_owner(submission: Submission) -> str:
    """Read the address of the workspace's owner.

    Raises:
        InsufficientEvidence: there is no mail in this world.
        InvalidArtifact: ``accounts.json`` cannot be read.
    """
    return str(read_accounts(submission.apps)["owner"]).casefold()


def read_accounts(apps: Path) -> dict[str, Any]:
    """Read ``accounts.json``: owner, names, domains, rules; raises as `read_owner` does."""
    path = require_file_in(apps, "mail/accounts.json", MAX_BYTES)
    try:
        accounts = json.loads(path.read_bytes())
        return {"owner": str(accounts["owner"]), "names": dict(accounts["names"])}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidArtifact(f"mail/accounts.json cannot be read ({error})") from error


def read_mails(submission: Submission, address: str = "", folder: str = "") -> list[Mail]:
    """Read the messages of a mailbox, by default the owner's, or of one of its folders, oldest first.

    Raises:
        InsufficientEvidence: there is no mail in this world.
        InvalidArtifact: there are too many, or one cannot be read.
    """
    user_folder = folder_name(address or read_owner(submission))
    user_paths = [path for path in mail_paths(submission.apps) if path.split("/")[1] == user_folder]
    mails = [read_mail(submission.apps, path) for path in user_paths if not folder or place_of(path)[1] == folder]
    return sorted(mails, key=lambda mail: mail.number)


def read_new(submission: Submission) -> list[Mail]:
    """Read the new messages in all mailboxes, by number; moved or marked messages are not new.

    Raises:
        InvalidArtifact: one cannot be read.
    """
    before, after = mail_paths(submission.untouched.apps), mail_paths(submission.apps)
    gone = {(mail.address, mail.message_id) for mail in _read_all(submission.untouched.apps, {*before} - {*after})}
    new_mails = _read_all(submission.apps, {*after} - {*before})
    return sorted(
        (mail for mail in new_mails if (mail.address, mail.message_id) not in gone), key=lambda mail: mail.number
    )


def _read_all(apps: Path, paths: Iterable[str]) -> list[Mail]:
    return [read_mail(apps, path) for path in sorted(paths)]


def mail_paths(apps: Path) -> list[str]:
    """List the paths of all messages below the apps.

    Raises:
        InvalidArtifact: there are too many.
    """
    paths = (path.relative_to(apps).as_posix() for path in (apps / "mail").rglob("*:2,*"))
    message_paths = sorted(path for path in paths if is_mail(path))
    if len(message_paths) > MAX_MESSAGES:
        raise InvalidArtifact(f"the mailboxes hold {len(message_paths):,} messages, more than {MAX_MESSAGES:,}")
    return message_paths


def is_mail(path: str) -> bool:
    """Whether a path below the apps is the path of a message."""
    return bool(_PATH.fullmatch(path))


def place_of(path: str) -> tuple[str, str]:
    """Return the mailbox and the folder of a message, from its path."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise ValueError(f"{path!r} is not the path of a message")
    return match["address"], _decode_folder(match["folder"])


def read_mail(apps: Path, path: str) -> Mail:
    """Read the message at a path below the apps.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a regular file, too large, or has endless headers.
    """
    match = _PATH.fullmatch(path)
    if match is None:
        raise InvalidArtifact(f"{path} is not a message")
    file = require_file_in(apps, path, MAX_BYTES)
    with watch_reading(file):
        content = parse_once(_read_mail, file)
    address, folder = place_of(path)
    return replace(
        content, path=path, address=address, folder=folder, number=int(match["number"]), flags=match["flags"]
    )


def folder_name(address: str) -> str:
    """Return the name of the folder of an address's mailbox."""
    return re.sub(r"[^\w.@+-]", "_", address.casefold()).lstrip(".") or "_"


def _decode_folder(name: str | None) -> str:
    """Decode the name of a folder from Maildir++ and IMAP's UTF-7 (RFC 3501)."""

    def decode_utf7(match: "re.Match[str]") -> str:
        packed = match[1].replace(",", "/")
        try:
            return base64.b64decode(packed + "=" * (-len(packed) % 4)).decode("utf-16-be") if packed else "&"
        except ValueError:
            return match[0]

    return "/".join(re.sub("&([A-Za-z0-9+,]*)-", decode_utf7, part) for part in name.split(".")) if name else "INBOX"


def _read_mail(path: Path) -> Mail:
    data = path.read_bytes()
    if len(data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]) > MAX_HEADER:
        raise InvalidArtifact(f"{path.name} has more than {MAX_HEADER:,} bytes of headers")
    try:
        return _parse_mail(data)
    except RecursionError:
        raise InvalidArtifact(f"{path.name} nests its parts too deeply") from None


def _parse_mail(data: bytes) -> Mail:
    message = message_from_bytes(data)
    sender, to, cc, bcc, delivered = (
        _read_addresses(message, name) for name in ("From", "To", "Cc", "Bcc", "Delivered-To")
    )
    answered = f"{_read_header(message, 'References')} {_read_header(message, 'In-Reply-To')}"
    texts, files = _collect_parts(message)
    return Mail(
        *("", "", "", 0, "", _read_header(message, "Message-ID"), next(iter(sender), ""), to, cc, bcc, delivered),
        *(_read_header(message, "Subject"), _normalize_date(_read_header(message, "Date"))),
        tuple(dict.fromkeys(re.findall(r"<[^<>\s]+>", answered))),
        _read_header(message, "Auto-Submitted").casefold() not in ("", "no"),
        "\n".join(map(_read_text, texts)),
        tuple(map(_digest_file, files)),
    )


def _read_raw(message: Message, name: str) -> str:
    """All headers of this name as they are written, in one line; bytes are read as text."""
    values = [str(value) for key, value in message.raw_items() if key.casefold() == name.casefold()]
    raw = re.sub(r"[\r\n]+[ \t]*", " ", ", ".join(values))
    return raw if raw.isascii() else decode_bytes(raw.encode("utf-8", "surrogateescape")).text


def _read_header(message: Message, name: str) -> str:
    return _decode_header(_read_raw(message, name))


def _decode_header(raw: str) -> str:
    try:
        chunks = decode_header(raw)
    except (HeaderParseError, ValueError):  # damaged base64
        return " ".join(raw.split())
    texts = [
        chunk
        if isinstance(chunk, str)
        else decode_bytes(chunk, charset).text
        if charset
        else chunk.decode("raw-unicode-escape", "replace")
        for chunk, charset in chunks
    ]
    return " ".join("".join(texts).split())


def _read_addresses(message: Message, name: str) -> tuple[str, ...]:
    pieces = _PIECE.findall(_read_raw(message, name))
    # Names may hold an @ or brackets that nobody quoted, which leads the library astray: what is in angles counts.
    angles = [re.findall(r"<\s*([^<>\s]+@[^<>\s]+)\s*>", re.sub(r'"[^"]*"', "", piece)) for piece in pieces]
    addresses = [
        found_angles[-1] if found_angles else getaddresses([piece])[0][1]
        for piece, found_angles in zip(pieces, angles, strict=True)
    ]
    return tuple(dict.fromkeys(address.casefold() for address in addresses if address))


def _normalize_date(text: str) -> str:
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _collect_parts(part: Message) -> tuple[list[Message], list[Message]]:
    """The parts that are shown as text, and the files: every other leaf, but not other forms of the same text."""
    payload = part.get_payload()
    if part.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return ([], [part]) if _is_file(part) else ([part], [])
    collected = [_collect_parts(child) for child in payload if isinstance(child, Message)]
    texts, files = [texts for texts, _ in collected], [file for _, files in collected for file in files]
    if part.get_content_type() != "multipart/alternative":
        return [text for some in texts for text in some], files
    telling = [some for some in texts if any(_read_text(text).strip() for text in some)]
    plain_texts = [some for some in telling if all(text.get_content_type() == "text/plain" for text in some)]
    return next(iter(plain_texts or telling), []), files


def _is_file(part: Message) -> bool:
    is_text = part.get_content_type() in ("text/plain", "text/html") or part.get_content_maintype() == "multipart"
    return not is_text or part.get_content_disposition() == "attachment" or bool(part.get_filename())


def _read_text(part: Message) -> str:
    is_html = part.get_content_type() == "text/html"
    text = decode_bytes(_read_bytes(part), str(part.get_content_charset() or ""), html=is_html).text
    return _Page(text).words if is_html else text.replace("\r\n", "\n")


class _Page(HTMLParser):
    """The words of an HTML text as a mailer shows them, line by line; `words`: with > before quoted lines."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self._lines, self._quotes, self._hidden = [""], 0, 0
        self.feed(source)
        self.close()
        self.words = "\n".join(line.strip() for line in self._lines).strip()

    def handle_starttag(self, tag: str, _attributes: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _HIDDEN
        self._quotes += tag == "blockquote"
        self._break_line(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN and self._hidden > 0
        self._quotes -= tag == "blockquote" and self._quotes > 0
        self._break_line(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._lines[-1] += re.sub(r"\s+", " ", data)

    def _break_line(self, tag: str) -> None:
        if tag not in _INLINE:
            self._lines.append("> " if self._quotes else "")


def _read_bytes(part: Message) -> bytes:
    """The content of a leaf; of an attached message the message itself."""
    payload = part.get_payload()
    if isinstance(payload, list):
        return b"".join(inner.as_bytes() for inner in payload if isinstance(inner, Message))
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _digest_file(part: Message) -> Attached:
    data = _read_bytes(part)
    return Attached(_decode_header(part.get_filename() or ""), hashlib.sha256(data).hexdigest(), len(data))
