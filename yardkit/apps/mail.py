"""The app `mail`: mailboxes in Maildir++ folders, as Dovecot, mutt and other programs read them.

``apps/mail/accounts.json`` says whose mailbox it is and which addresses there are; ``apps/mail/<address>/`` is the
mailbox of one of them, its folders ``.Sent``, ``.Projects.Alpha``; ``apps/mail/@outside/`` holds what left the world.
A message is a file ``cur/<seconds>.M<number>.yardkit:2,<flags>``. Numbers are counted in each mailbox and never given
twice; they stay when a message is moved.
"""

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from yardkit.world import Problem, World, save_bytes, save_text
from yardkit.world.guard import before_change, note_changed, room_for
from yardkit.world.tree import remove_tree

APP = "mail"
OUTSIDE = "@outside"
INBOX, SENT, DRAFTS, TRASH = "INBOX", "Sent", "Drafts", "Trash"
STANDARD = (INBOX, SENT, DRAFTS, TRASH, "Archive", "Junk")
"""Folders that every mailbox has."""
NOBODY = "me@example.com"
"""Whose mailbox it is where no seed and no setting said it."""
# The part behind the number is the host in Maildir: worlds of earlier versions, and other programs, have another one.
_NAME = re.compile(r"(?P<arrived>\d+)\.M(?P<number>\d+)\.\w+:2,(?P<flags>[A-Z]*)")
_LAST = ".last"
"""The file that keeps the highest number given and the latest arrival, so that a new message need not look for them."""

Flag = Literal["draft", "flagged", "passed", "answered", "seen"]
LETTERS: dict[Flag, str] = {"draft": "D", "flagged": "F", "passed": "P", "answered": "R", "seen": "S"}
"""Maildir's letters for what a message can be marked as."""


@dataclass(frozen=True)
class Rule:
    """An automatic answer to mails to an address.

    Attributes:
        to: the address that answers.
        words: words that the subject or text must all contain, in any case; empty for any mail.
        text: the answer.
        minutes: how long it takes, by the world's clock.
        attachments: paths below ``apps/mail/attachments``.
    """

    to: str
    text: str
    words: list[str] = field(default_factory=list)
    minutes: int = 30
    attachments: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Accounts:
    """Whose mailbox it is, and who else there is.

    Attributes:
        owner: the address of the workspace's owner.
        names: by address, of everybody who has a mailbox in this world, the owner too.
        domains: of the world: mail to an address of theirs that nobody has comes back.
        rules: the first that fits a mail and an address answers.
    """

    owner: str = NOBODY
    names: dict[str, str] = field(default_factory=dict)
    domains: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """A message as its file name tells of it. arrived: seconds since 1970; flags: letters of Maildir."""

    number: int
    folder: str
    arrived: int
    flags: str
    path: Path

    def has(self, flag: Flag) -> bool:
        return LETTERS[flag] in self.flags


@dataclass(frozen=True)
class Arriving:
    """A message that is put into a folder. flags: letters of Maildir."""

    folder: str
    message: bytes
    arrived: datetime
    flags: str = ""


def read_accounts(world: World) -> Accounts:
    """Read the accounts; those of `NOBODY` in a world without mail.

    Raises:
        Problem: ``accounts.json`` is damaged.
    """
    path = world.root / "apps" / APP / "accounts.json"
    if not path.exists():
        return Accounts(names={NOBODY: "Me"})
    try:
        facts = json.loads(path.read_text("utf-8"))
        rules = [Rule(**rule) for rule in facts.pop("rules", [])]
        return Accounts(**facts, rules=rules)
    except (ValueError, TypeError, AttributeError) as error:
        raise Problem(f"accounts.json of the app 'mail' is damaged ({error}); put back an older copy of it") from error


def save_accounts(world: World, accounts: Accounts) -> None:
    """Say whose mailbox it is, who else there is, and who answers what."""
    save_text(
        world.get_app_folder(APP) / "accounts.json", json.dumps(asdict(accounts), indent=1, ensure_ascii=False) + "\n"
    )


class Mailbox:
    """The mailbox of one address."""

    writable = True
    """Whether messages can be moved, marked, deleted."""

    def __init__(self, world: World, address: str) -> None:
        self.root = world.root / "apps" / APP / _folder_name(address)
        self.address = address

    def list_folders(self) -> list[str]:
        """The folders: the standard ones, then the others in name order."""
        folder_names = {_decode_folder(path.name) for path in self.root.glob(".*") if path.is_dir()}
        return [*STANDARD, *sorted(folder_names - set(STANDARD))]

    def require_folder(self, folder: str) -> str:
        """Return the name of a folder in its actual spelling.

        Raises:
            Problem: there is none; the folders are named.
        """
        known = self.list_folders()
        for name in known:
            if name.casefold() == folder.casefold():
                return name
        raise Problem(f"there is no mail folder {folder!r}; there are {', '.join(known)}")

    def make_folder(self, folder: str) -> None:
        """Make a folder, such as ``Projects`` or ``Projects/Alpha``.

        Raises:
            Problem: it is there, or no name for one.
        """
        parts = folder.split("/")
        if not all(part.strip() and part == part.strip() and "." not in part for part in parts) or len(folder) > 200:
            raise Problem(
                f"{folder!r} is not a valid name for a mail folder; separate its parts by '/', and use no '.' in them"
            )
        if folder.casefold() in {name.casefold() for name in self.list_folders()}:
            raise Problem(f"a mail folder {folder!r} already")
        self._make_folder(folder)

    def remove_folder(self, folder: str) -> None:
        """Remove a folder with all that is in it, and those below it."""
        for name in self.list_folders():
            if name == folder or name.startswith(f"{folder}/"):
                path = self._get_path(name)
                before_change(path)
                note_changed(path)
                remove_tree(path)

    def list_entries(self, folder: str | None = None) -> list[Entry]:
        """List the messages of a folder, or of all, oldest first. Files with other names are not messages."""
        folders = self.list_folders() if folder is None else [folder]
        all_entries = [entry for name in folders for entry in self._list_entries(name)]
        return sorted(all_entries, key=lambda entry: (entry.arrived, entry.number))

    def get(self, number: int) -> Entry:
        """The message with this number.

        Raises:
            Problem: there is none.
        """
        entries = self.list_entries()
        for entry in entries:
            if entry.number == number:
                return entry
        newest = ", ".join(str(entry.number) for entry in entries[-5:]) or "none"
        raise Problem(f"there is no message {number}; there are {len(entries)}, the newest: {newest}")

    def add(self, folder: str, message: bytes, *, arrived: datetime, flags: str = "") -> Entry:
        """Put a message into a folder."""
        return self.add_all([Arriving(folder, message, arrived, flags)])[0]

    def add_all(self, arriving: Iterable[Arriving]) -> list[Entry]:
        """Put many messages into folders, in their order."""
        messages = list(arriving)
        last, latest = self._read_last()
        if messages:
            # Before the messages: a process that is killed in between leaves a gap, and gives no number twice.
            latest = max(latest, *(int(message.arrived.timestamp()) for message in messages))
            save_text(self.root / _LAST, f"{last + len(messages)} {latest}\n")
        return [self._put_message(message, number) for number, message in enumerate(messages, last + 1)]

    def move(self, entry: Entry, folder: str) -> Entry:
        """Put a message into another folder; its number stays."""
        return self._rename_entry(entry, folder, entry.flags)

    def mark(self, entry: Entry, flag: Flag, on: bool = True) -> Entry:
        """Mark a message, or take the mark away."""
        letters = (set(entry.flags) | {LETTERS[flag]}) if on else set(entry.flags) - {LETTERS[flag]}
        return self._rename_entry(entry, entry.folder, "".join(sorted(letters)))

    def remove(self, entry: Entry) -> None:
        """Remove a message for good."""
        if not (self.root / _LAST).exists():
            save_text(self.root / _LAST, "{} {}\n".format(*self._read_last()))
        before_change(entry.path)
        entry.path.unlink()
        note_changed(entry.path)

    def last_arrival(self) -> datetime:
        """When the newest message came, even if it is removed since; 1970 in an empty mailbox."""
        return datetime.fromtimestamp(self._read_last()[1], UTC)

    def _put_message(self, arriving_mail: Arriving, number: int) -> Entry:
        seconds = int(arriving_mail.arrived.timestamp())
        path = self._make_folder(arriving_mail.folder) / "cur" / _file_name(seconds, number, arriving_mail.flags)
        save_bytes(path, arriving_mail.message)
        os.utime(path, (seconds, seconds))  # the time by which IMAP servers sort
        return Entry(number, arriving_mail.folder, seconds, arriving_mail.flags, path)

    def _list_entries(self, folder: str) -> Iterator[Entry]:
        for part in ("cur", "new"):
            try:
                with os.scandir(self._get_path(folder) / part) as scan:
                    names = [entry.name for entry in scan]
            except (FileNotFoundError, NotADirectoryError):
                continue
            for name in names:
                if match := _NAME.fullmatch(name):
                    path = self._get_path(folder) / part / name
                    yield Entry(int(match["number"]), folder, int(match["arrived"]), match["flags"], path)

    def _get_path(self, folder: str) -> Path:
        return self.root if folder == INBOX else self.root / f".{_encode_folder(folder)}"

    def _make_folder(self, folder: str) -> Path:
        path = self._get_path(folder)
        for part in ("cur", "new", "tmp"):
            if not (path / part).is_dir():
                with room_for(path / part):
                    before_change(path / part)
                    (path / part).mkdir(parents=True)
                    note_changed(path / part)
        return path

    def _rename_entry(self, entry: Entry, folder: str, flags: str) -> Entry:
        path = self._make_folder(folder) / "cur" / _file_name(entry.arrived, entry.number, flags)
        if path != entry.path:
            before_change(entry.path, path)
            entry.path.rename(path)
            note_changed(entry.path, path)
        return Entry(entry.number, folder, entry.arrived, flags, path)

    def _read_last(self) -> tuple[int, int]:
        """The highest number given, and the latest arrival in seconds; 0 for none."""
        try:
            numbers = [int(word) for word in (self.root / _LAST).read_text("ascii").split()]
        except (FileNotFoundError, ValueError):
            numbers = []
        if len(numbers) == 2:
            return numbers[0], numbers[1]
        # Other programs made this mailbox, or an earlier version, which kept the number of a removed message alone.
        entries = self.list_entries()
        last = max([*numbers, *(entry.number for entry in entries)], default=0)
        return last, max((entry.arrived for entry in entries), default=0)


def _file_name(arrived: int, number: int, flags: str) -> str:
    return f"{arrived}.M{number}.yardkit:2,{flags}"


def _folder_name(address: str) -> str:
    """An address as the name of a folder: without what would lead out of it."""
    return re.sub(r"[^\w.@+-]", "_", address.casefold()).lstrip(".") or "_"


def _encode_folder(folder: str) -> str:
    """The name of a folder as Maildir++ writes it: dots between parts."""
    return ".".join(encoded_name(part) for part in folder.split("/"))


def _decode_folder(name: str) -> str:
    return "/".join(decoded_name(part) for part in name.removeprefix(".").split("."))


def encoded_name(part: str) -> str:
    """A part of a folder's name with letters beyond ASCII in IMAP's UTF-7 (RFC 3501)."""

    def shifted(match: "re.Match[str]") -> str:
        packed = base64.b64encode(match[0].encode("utf-16-be")).rstrip(b"=").decode("ascii")
        return f"&{packed.replace('/', ',')}-"

    return re.sub(r"[^\x20-\x7e]+", shifted, part.replace("&", "&-"))


def decoded_name(part: str) -> str:
    """Decode a part of a folder's name from IMAP's UTF-7."""

    def decode_shift(match: "re.Match[str]") -> str:
        packed = match[1].replace(",", "/")
        return base64.b64decode(packed + "=" * (-len(packed) % 4)).decode("utf-16-be", "replace") if packed else "&"

    return re.sub("&([A-Za-z0-9+,]*)-", decode_shift, part)
