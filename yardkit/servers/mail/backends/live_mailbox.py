"""A real mailbox: a copy of its newest messages on this machine, which each call brings up to date, and which
changes only after the server did.

``.uids.json`` beside the copy says which message of ours is which of the server's.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.apps.mail import (
    INBOX,
    LETTERS,
    STANDARD,
    Arriving,
    Entry,
    Flag,
    Mailbox,
    decoded_name,
    encoded_name,
)
from yardkit.servers.mail.backends.imap import Imap, RemoteFolder, open_session
from yardkit.servers.mail.backends.settings import Settings
from yardkit.world import Problem, World, lock_file, save_text, skip_syncing

_USES = {"\\Sent": "Sent", "\\Drafts": "Drafts", "\\Trash": "Trash", "\\Archive": "Archive", "\\Junk": "Junk"}
"""Our names of folders that servers mark by their use (RFC 6154)."""
_INDEX = ".uids.json"


@dataclass
class _Known:
    """A folder of ours. remote: its name on the server; validity: of `uids`, which tell our numbers by the server's."""

    remote: str
    validity: int = 0
    uids: dict[int, int] = field(default_factory=dict)


class LiveMailbox(Mailbox):
    """The mailbox of an address on an IMAP server, brought up to date when it is made."""

    def __init__(self, world: World, settings: Settings) -> None:
        super().__init__(world, settings.address)
        self.settings, self.writable = settings, settings.writable
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        with lock_file(self.root / _INDEX, world.locks), open_session(settings) as imap, skip_syncing():
            self._known = _read_known(self.root / _INDEX)
            self._bring_up_to_date(imap)

    def add_all(self, arriving: Iterable[Arriving]) -> list[Entry]:
        """Put messages into folders, on the server first."""
        self._require_writable("keep messages")
        new_entries = []
        for arriving_message in arriving:
            known = self._ensure_folder(arriving_message.folder)
            with open_session(self.settings) as imap:
                uid = imap.append(
                    known.remote, arriving_message.message, arriving_message.flags, arriving_message.arrived
                )
            (entry,) = super().add_all([arriving_message])
            self._note_entry(known, uid, entry)
            new_entries.append(entry)
        return new_entries

    def mark(self, entry: Entry, flag: Flag, on: bool = True) -> Entry:
        """Mark a message, on the server first."""
        self._require_writable("mark messages")
        known, uid = self._locate_entry(entry)
        with open_session(self.settings) as imap:
            imap.select(known.remote, writing=True)
            imap.mark(uid, LETTERS[flag], on=on)
        return super().mark(entry, flag, on)

    def move(self, entry: Entry, folder: str) -> Entry:
        """Put a message into another folder, on the server first."""
        self._require_writable("move messages")
        (known, uid), target = self._locate_entry(entry), self._ensure_folder(folder)
        if folder == entry.folder:
            return entry
        with open_session(self.settings) as imap:
            imap.select(known.remote, writing=True)
            there = imap.move(uid, target.remote)
        moved = super().move(entry, folder)
        known.uids.pop(uid)
        self._note_entry(target, there, moved)
        return moved

    def remove(self, entry: Entry) -> None:
        """Remove a message for good, on the server first."""
        self._require_writable("delete messages")
        known, uid = self._locate_entry(entry)
        with open_session(self.settings) as imap:
            imap.select(known.remote, writing=True)
            imap.remove(uid)
        super().remove(entry)
        known.uids.pop(uid)
        self._save_index()

    def make_folder(self, folder: str) -> None:
        """Make a folder, on the server first."""
        self._require_writable("make folders")
        super().make_folder(folder)
        self._ensure_folder(folder)

    def remove_folder(self, folder: str) -> None:
        """Remove a folder with all that is in it, and those below it, on the server first."""
        self._require_writable("delete folders")
        names = [name for name in sorted(self._known, reverse=True) if f"{name}/".startswith(f"{folder}/")]
        with open_session(self.settings) as imap:
            for name in names:
                imap.drop_folder(self._known[name].remote)
        super().remove_folder(folder)
        for name in names:
            del self._known[name]
        self._save_index()

    def list_folders(self) -> list[str]:
        """The folders of the server; the standard ones, too, where it has none of that use."""
        return [*STANDARD, *sorted(self._known.keys() - {*STANDARD})]

    def _bring_up_to_date(self, imap: Imap) -> None:
        there = _name_folders(imap.list_folders())
        for name in sorted(self._known.keys() - there.keys(), reverse=True):
            super().remove_folder(name)
            self._known.pop(name)
        for name, folder in there.items():
            known = self._known.setdefault(name, _Known(folder.name))
            self._folder_up_to_date(imap, name, known)
        self._save_index()

    def _folder_up_to_date(self, imap: Imap, name: str, known: _Known) -> None:
        validity, here = imap.select(known.remote), {entry.number: entry for entry in super().list_entries(name)}
        if validity != known.validity:
            known.validity, known.uids = validity, {}
        uids = imap.list_uids()[-self.settings.most :]
        for uid in known.uids.keys() - {*uids}:
            del known.uids[uid]
        flags = imap.read_flags([uid for uid in uids if uid in known.uids])
        for number in here.keys() - {*known.uids.values()}:
            here.pop(number).path.unlink()
        for uid, number in [*known.uids.items()]:
            if number not in here:
                del known.uids[uid]
            elif here[number].flags != flags.get(uid, here[number].flags):
                self._rename_entry(here[number], name, flags[uid])
        new = [
            message for message in imap.iter_messages([uid for uid in uids if uid not in known.uids]) if message.data
        ]
        entries = super().add_all([Arriving(name, message.data, message.arrived, message.flags) for message in new])
        known.uids |= {message.uid: entry.number for message, entry in zip(new, entries, strict=True)}

    def _ensure_folder(self, name: str) -> _Known:
        """The folder of this name, made on the server where there is none."""
        if name not in self._known:
            delimiter = "/"
            with open_session(self.settings) as imap:
                delimiter = next((folder.delimiter for folder in imap.list_folders() if folder.delimiter), "/")
                remote = delimiter.join(encoded_name(part) for part in name.split("/"))
                imap.make_folder(remote)
                self._known[name] = _Known(remote, imap.select(remote))
            self._save_index()
        return self._known[name]

    def _locate_entry(self, entry: Entry) -> tuple[_Known, int]:
        known = self._known[entry.folder]
        return known, next(uid for uid, number in known.uids.items() if number == entry.number)

    def _note_entry(self, known: _Known, uid: int, entry: Entry) -> None:
        """Which message of the server's an entry is; one that it did not tell is fetched by the next call."""
        if uid:
            known.uids[uid] = entry.number
        else:
            entry.path.unlink()
        self._save_index()

    def _require_writable(self, what: str) -> None:
        if not self.writable:
            raise Problem(f"this mailbox is read-only and cannot {what}; set YARDKIT_MAIL_WRITE=1 to allow changes")

    def _save_index(self) -> None:
        folder_records = {
            name: {"remote": known.remote, "validity": known.validity, "uids": known.uids}
            for name, known in self._known.items()
        }
        save_text(self.root / _INDEX, json.dumps(folder_records))


def _read_known(path: Path) -> dict[str, _Known]:
    try:
        folder_records: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        return {
            name: _Known(
                record["remote"], record["validity"], {int(uid): number for uid, number in record["uids"].items()}
            )
            for name, record in folder_records.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # all is fetched anew


def _name_folders(folders: Sequence[RemoteFolder]) -> dict[str, RemoteFolder]:
    """Folders by what we call them; those that are marked by their use come first to their names."""
    folders_by_name: dict[str, RemoteFolder] = {}
    for folder in sorted(folders, key=lambda folder: (not folder.uses & _USES.keys(), folder.name)):
        name = _name_folder(folder)
        while name in folders_by_name:
            name += " (2)"
        folders_by_name[name] = folder
    return folders_by_name


def _name_folder(folder: RemoteFolder) -> str:
    """What we call a folder of the server's."""
    use = next((ours for mark, ours in _USES.items() if mark in folder.uses), "")
    if use or folder.name.upper() == INBOX:
        return use or INBOX
    parts = folder.name.split(folder.delimiter) if folder.delimiter else [folder.name]
    return "/".join(decoded_name(part).replace("/", "_").replace(".", "_") for part in parts)
