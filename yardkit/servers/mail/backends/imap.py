"""IMAP as far as a mailbox needs it: folders, numbers, flags, messages. Source: RFC 3501, 6851 (MOVE), 4315 (UIDPLUS).

A connection is kept for the next call of this process, and made anew where it broke.
"""

import imaplib
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import RLock
from typing import Any

from yardkit.apps.mail import LETTERS
from yardkit.servers.mail.backends.settings import (
    TIMEOUT_S,
    Settings,
    explain_error,
    make_encryption_problem,
    parse_endpoint,
)
from yardkit.world import Problem

_MARKS = {"D": "\\Draft", "F": "\\Flagged", "R": "\\Answered", "S": "\\Seen", "P": "$Forwarded"}
"""What IMAP calls the letters of Maildir."""
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?P<delimiter>NIL|"(?:[^"\\]|\\.)") (?P<name>.*)')
_AT_ONCE = 50
"""Messages that are fetched with one command."""


@dataclass(frozen=True)
class RemoteFolder:
    r"""A folder. name: as the server writes it; delimiter: between its parts; uses: such as ``\Sent``."""

    name: str
    delimiter: str
    uses: frozenset[str]


@dataclass(frozen=True)
class Fetched:
    """A message, or what is known of it. flags: letters of Maildir; data: empty where only these were asked for."""

    uid: int
    flags: str
    arrived: datetime
    data: bytes = b""


class Imap:
    """A connection that is logged in."""

    def __init__(self, settings: Settings) -> None:
        self.connection = _connect_server(settings)
        self._can = b" ".join(self._check_reply("CAPABILITY", self.connection.capability())).upper().split()

    def is_alive(self) -> bool:
        """Whether the server still answers."""
        try:
            return bool(self.connection.noop()[0] == "OK")
        except (OSError, imaplib.IMAP4.error):
            return False

    def list_folders(self) -> list[RemoteFolder]:
        """All that hold messages."""
        remote_folders = []
        for line in self._check_reply("LIST", self.connection.list()):
            raw = line[0] + b'"' + line[1] + b'"' if isinstance(line, tuple) else line
            match = _LISTED.fullmatch(raw or b"")
            if match and b"\\Noselect" not in match["flags"]:
                name = match["name"].decode("ascii", "replace").strip('"').replace('\\"', '"').replace("\\\\", "\\")
                delimiter = match["delimiter"].decode("ascii", "replace").strip('"').replace("NIL", "")
                remote_folders.append(RemoteFolder(name, delimiter[-1:], frozenset(match["flags"].decode().split())))
        return remote_folders

    def select(self, folder: str, *, writing: bool = False) -> int:
        """Go to a folder; its UIDVALIDITY."""
        self._check_reply(f"SELECT {folder}", self.connection.select(_quote_name(folder), readonly=not writing))
        return int((self.connection.response("UIDVALIDITY")[1] or [b"0"])[0] or 0)

    def list_uids(self) -> list[int]:
        """Of the messages of the folder, the newest last."""
        search_reply = self._check_reply("SEARCH", self.connection.uid("SEARCH", "ALL"))
        return sorted(int(uid) for uid in (search_reply[0] or b"").split())

    def read_flags(self, uids: Sequence[int]) -> dict[int, str]:
        """The flags of messages."""
        return {message.uid: message.flags for message in self._fetch_messages(uids, "(UID FLAGS)", len(uids) or 1)}

    def iter_messages(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """Messages; that they are fetched does not mark them as read."""
        yield from self._fetch_messages(uids, "(UID FLAGS INTERNALDATE BODY.PEEK[])", _AT_ONCE)

    def mark(self, uid: int, letter: str, *, on: bool) -> None:
        """Set or take away a flag."""
        flag = _MARKS[letter]
        self._check_reply("STORE", self.connection.uid("STORE", str(uid), "+FLAGS" if on else "-FLAGS", f"({flag})"))

    def move(self, uid: int, folder: str) -> int:
        """Put a message into another folder; its UID there, 0 where the server does not tell."""
        if b"MOVE" in self._can:
            self._check_reply("MOVE", self.connection.uid("MOVE", str(uid), _quote_name(folder)))
        else:
            self._check_reply("COPY", self.connection.uid("COPY", str(uid), _quote_name(folder)))
            self.remove(uid)
        return self._read_response_number("COPYUID")

    def remove(self, uid: int) -> None:
        """Remove a message for good."""
        self._check_reply("STORE", self.connection.uid("STORE", str(uid), "+FLAGS", "(\\Deleted)"))
        if b"UIDPLUS" in self._can:
            self._check_reply("EXPUNGE", self.connection.uid("EXPUNGE", str(uid)))
        else:
            self._check_reply("EXPUNGE", self.connection.expunge())

    def append(self, folder: str, message: bytes, flags: str, arrived: datetime) -> int:
        """Put a new message into a folder; its UID there, 0 where the server does not tell."""
        marks = " ".join(_MARKS[letter] for letter in flags)
        self._check_reply("APPEND", self.connection.append(_quote_name(folder), f"({marks})", arrived, message))
        return self._read_response_number("APPENDUID")

    def make_folder(self, folder: str) -> None:
        """Make a folder."""
        self._check_reply(f"CREATE {folder}", self.connection.create(_quote_name(folder)))

    def drop_folder(self, folder: str) -> None:
        """Remove a folder."""
        self._check_reply(f"DELETE {folder}", self.connection.delete(_quote_name(folder)))

    def _fetch_messages(self, uids: Sequence[int], what: str, at_once: int) -> Iterator[Fetched]:
        for start in range(0, len(uids), at_once):
            chosen = ",".join(map(str, uids[start : start + at_once]))
            for head, data in _pair_items(self._check_reply("FETCH", self.connection.uid("FETCH", chosen, what))):
                uid = re.search(rb"UID (\d+)", head)
                if uid:
                    yield Fetched(int(uid[1]), _parse_flags(head), _parse_arrival(head), data)

    def _read_response_number(self, code: str) -> int:
        """The last number of a response code, such as ``COPYUID 3 12 40``."""
        response_data = (self.connection.response(code)[1] or [None])[-1]
        return int(re.findall(rb"\d+", response_data)[-1]) if response_data else 0

    def _check_reply(self, what: str, answer: tuple[str, Sequence[Any]]) -> Sequence[Any]:
        status, data = answer
        if status != "OK":
            server_reply = data[0].decode("utf-8", "replace") if data and isinstance(data[0], bytes) else ""
            raise Problem(f"the mail server refused {what}: {server_reply or status}; nothing else was changed")
        return data


_connections: dict[Settings, Imap] = {}
_lock = RLock()


@contextmanager
def open_session(settings: Settings) -> Iterator[Imap]:
    """The connection of these settings, for one caller at a time.

    Raises:
        Problem: the server cannot be reached, or refuses; what was done before stays.
    """
    with _lock:
        imap = _connections.pop(settings, None)
        try:
            if imap and not imap.is_alive():
                imap.connection.shutdown()
                imap = None
            imap = imap or Imap(settings)
            yield imap
        except (OSError, imaplib.IMAP4.error) as error:
            if imap:
                imap.connection.shutdown()
            message = f"the mail server {settings.url} does not do it: {explain_error(error)}"
            raise Problem(f"{message}; check the settings, or try again") from error
        except Problem:  # refused by a server that is there
            if imap:
                _connections[settings] = imap
            raise
        _connections[settings] = imap


def _connect_server(settings: Settings) -> imaplib.IMAP4:
    server = parse_endpoint(settings.url, "imap")
    secure = ssl.create_default_context()
    if server.encrypted:
        connection: imaplib.IMAP4 = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=secure, timeout=TIMEOUT_S)
    else:
        connection = imaplib.IMAP4(server.host, server.port, timeout=TIMEOUT_S)
    try:
        if not server.encrypted and not server.plaintext:
            if "STARTTLS" not in connection.capabilities:
                raise make_encryption_problem(settings.url)
            connection.starttls(secure)
        if "AUTH=PLAIN" in connection.capabilities:  # LOGIN takes no letters beyond ASCII
            connection.authenticate("PLAIN", lambda _: f"\0{settings.user}\0{settings.password}".encode())
        else:
            connection.login(settings.user, settings.password)
    except (OSError, imaplib.IMAP4.error, Problem):
        with suppress(OSError):  # whose TLS failed is closed already
            connection.shutdown()
        raise
    return connection


def _quote_name(name: str) -> str:
    """A name as a string of IMAP."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _pair_items(lines: Sequence[Any]) -> Iterator[tuple[bytes, bytes]]:
    """What is told of each message, and its content: servers tell some before it, some behind."""
    head, data = b"", b""
    for line in lines:
        if isinstance(line, tuple):
            head, data = head + line[0], line[1]
        elif isinstance(line, bytes):
            yield head + line, data
            head, data = b"", b""


def _parse_flags(head: bytes) -> str:
    flags_match = re.search(rb"FLAGS \(([^)]*)\)", head)
    words = {word.casefold() for word in (flags_match[1].decode("ascii", "replace").split() if flags_match else [])}
    return "".join(letter for letter in sorted(LETTERS.values()) if _MARKS[letter].casefold() in words)


def _parse_arrival(head: bytes) -> datetime:
    date_match = re.search(rb'INTERNALDATE "([^"]+)"', head)
    if not date_match:
        return datetime.fromtimestamp(0, UTC)
    return datetime.strptime(date_match[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
