"""The records of the app `drive`: folders and files of a shared drive, and who may use them.

The content of a file is beside the records in its own format, ``apps/drive/files/<id><suffix>``, where any program can
read it. Ids are opaque texts that are assigned in order, the same in each run. Nothing is ever deleted, only moved to
the trash, so that no id is reused. The servers `drive` and `sheets` both work on these records.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.apps.store import Store, hex_id, open_store
from yardkit.world import Problem, World, save_bytes
from yardkit.world.guard import note_changed

APP = "drive"
ROOT = "root"
"""The folder that all others are in."""
FOLDER = "application/vnd.google-apps.folder"
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
KINDS = {
    ".xlsx": SPREADSHEET,
    ".docx": "application/vnd.google-apps.document",
    ".pptx": "application/vnd.google-apps.presentation",
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".json": "application/json",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".zip": "application/zip",
}
"""The kinds of files, by the endings of what they hold; the three of an office have no ending in their names."""
OTHER = "application/octet-stream"
MAX_FILE_BYTES = 50_000_000
_DIGITS = 33
_DRAFT = "new-"
"""With it no id begins, since they are hexadecimal."""
Role = Literal["reader", "commenter", "writer"]


@dataclass(frozen=True)
class Account:
    """The owner of the drive: the only record of its kind."""

    email: str
    name: str


@dataclass(frozen=True)
class Item:
    """A folder or a file. kind: media type; parent: id of its folder; times: ISO 8601; suffix: of its content."""

    id: str
    name: str
    kind: str
    parent: str
    owner: str
    created: str
    modified: str
    suffix: str = ""
    trashed: bool = False


@dataclass(frozen=True)
class Grant:
    """Another person's permission for an item; a folder's grants apply to everything in it."""

    id: int
    item_id: str
    email: str
    role: Role


RECORDS = (Account, Item, Grant)


@contextmanager
def opened_drive(world: World, *, writes: bool = False) -> Iterator[Store]:
    """Open the records of the drive as `open_store` does; contents saved in the block are saved with them."""
    with open_store(APP, *RECORDS, writes=writes, world=world) as store:
        _settle_drafts(world, store, undo=writes)
        yield store
    if writes:
        with open_store(APP, *RECORDS, world=world) as store:
            _settle_drafts(world, store)


def owner_of(store: Store) -> str:
    """Return the address of the drive's owner."""
    accounts = store.find(Account)
    return accounts[0].email if accounts else "me"


def content_of(world: World, item: Item) -> Path:
    """Return the path of a file's content; of the new content while it is being saved."""
    draft = _draft_of(world, item)
    return draft if draft.exists() else draft.with_name(f"{item.id}{item.suffix}")


def save_content(world: World, item: Item, data: bytes) -> None:
    """Set the content of a file that was just added or touched; it takes effect together with the record.

    A process that is killed meanwhile leaves both unchanged, or a complete draft that the next user of the drive
    applies.
    """
    save_bytes(_draft_of(world, item), data)


def add_item(store: Store, name: str, kind: str, parent: str = ROOT, suffix: str = "", owner: str = "") -> Item:
    """Add a folder or file to a folder; the caller saves the content of a file (`save_content`).

    Raises:
        Problem: the folder does not exist, is a file, or is read-only.
    """
    if parent != ROOT:
        require_writer(store, require_folder(store, parent))
    now = store.make_stamp(Item, "modified")
    number = store.count(Item) + 1
    item = Item(hex_id(APP, Item, number, _DIGITS), name, kind, parent, owner or owner_of(store), now, now, suffix)
    return store.put(item)


def item_of(store: Store, item_id: str, *, trashed: bool = False) -> Item:
    """Return a folder or file by its id.

    Raises:
        Problem: it does not exist, or is in the trash and must not be.
    """
    matching_items = store.find(Item, "id = ?", [item_id])
    if not matching_items:
        raise Problem(f"Requested entity was not found: the drive has no item {item_id!r}; list or search it")
    if not trashed and in_trash(store, matching_items[0]):
        raise Problem(f"{matching_items[0].name!r} ({item_id}) is in the trash; restore it first")
    return matching_items[0]


def require_folder(store: Store, item_id: str) -> Item:
    """Return a folder by its id.

    Raises:
        Problem: it does not exist, or is a file.
    """
    folder = item_of(store, item_id)
    if folder.kind != FOLDER:
        raise Problem(f"{folder.name!r} ({item_id}) is not a folder but {folder.kind}; give the id of a folder")
    return folder


def spreadsheet_of(store: Store, item_id: str) -> Item:
    """Return a spreadsheet by its id.

    Raises:
        Problem: it does not exist, or is of another kind.
    """
    item = item_of(store, item_id)
    if item.kind != SPREADSHEET:
        raise Problem(f"This operation is not supported for this document: {item.name!r} is {item.kind}")
    return item


def in_trash(store: Store, item: Item) -> bool:
    """Whether an item, or a folder above it, is in the trash."""
    return any(folder_item.trashed for folder_item in _with_folders(store, item))


def path_of(store: Store, item: Item) -> str:
    """Return the path of an item: the names from the top, separated by slashes."""
    return "/".join(folder_item.name for folder_item in reversed(_with_folders(store, item)))


def may_write(store: Store, item: Item) -> bool:
    """Whether the drive's owner may change an item."""
    me = owner_of(store)
    chain = _with_folders(store, item)
    if any(folder_item.owner == me for folder_item in chain):
        return True
    granted = [grant for folder_item in chain for grant in store.find(Grant, "item_id = ?", [folder_item.id])]
    return any(grant.email.casefold() == me.casefold() and grant.role == "writer" for grant in granted)


def require_writer(store: Store, item: Item) -> Item:
    """Return an item that the drive's owner may change.

    Raises:
        Problem: it is read-only.
    """
    if not may_write(store, item):
        raise Problem(
            f"The caller does not have permission: {item.name!r} belongs to {item.owner} and may only be read; "
            "copy it, or ask for the right"
        )
    return item


def put_grant(store: Store, item: Item, email: str, role: Role) -> Grant:
    """Grant a person access to an item; an existing grant gets the new role.

    Raises:
        Problem: the person is the owner, or the address is invalid.
    """
    if not re.fullmatch(r"[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>]+", email):
        raise Problem(f"{email!r} is not a valid address")
    if email.casefold() == item.owner.casefold():
        raise Problem(f"{email} is the owner of {item.name!r}, who already has every right")
    for grant in store.find(Grant, "item_id = ?", [item.id]):
        if grant.email.casefold() == email.casefold():
            return store.change(grant, role=role)
    return store.put(Grant(store.next_id(Grant), item.id, email, role))


def touch_file(store: Store, item: Item) -> Item:
    """Mark the content of a file as changed now."""
    return store.change(item, modified=store.make_stamp(Item, "modified"))


def _draft_of(world: World, item: Item) -> Path:
    """Return the path of the content until the record is committed; it is unique to this version of the record."""
    stamp = re.sub(r"\D", "", item.modified)
    return world.root / "apps" / APP / "files" / f"{_DRAFT}{stamp}-{item.id}{item.suffix}"


def _settle_drafts(world: World, store: Store, *, undo: bool = False) -> None:
    """Apply drafts whose records are committed; undo: remove all others, which belong to interrupted changes.

    Only a writer may undo, because writers take turns.
    """
    for draft in sorted((world.root / "apps" / APP / "files").glob(f"{_DRAFT}*")):
        matching_items = store.find(Item, "id = ?", [draft.name.split("-", 2)[2][:_DIGITS]])
        place = draft.with_name(f"{matching_items[0].id}{matching_items[0].suffix}") if matching_items else draft
        if matching_items and draft == _draft_of(world, matching_items[0]):
            with suppress(FileNotFoundError):  # another reader was faster
                draft.replace(place)
        elif undo:
            draft.unlink()
        note_changed(draft, place)


def _with_folders(store: Store, item: Item) -> list[Item]:
    """Yield an item and the folders above it, from the inside; stop at a cycle, although no tool makes one."""
    chain = [item]
    while chain[-1].parent != ROOT and len(chain) < 100:
        above = store.find(Item, "id = ?", [chain[-1].parent])
        if not above or above[0] in chain:
            break
        chain.append(above[0])
    return chain
