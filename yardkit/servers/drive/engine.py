"""Work on the folders and files of the app `drive`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from yardkit.apps.drive import (
    FOLDER,
    KINDS,
    MAX_FILE_BYTES,
    OTHER,
    ROOT,
    Grant,
    Item,
    Role,
    add_item,
    content_of,
    in_trash,
    item_of,
    may_write,
    opened_drive,
    path_of,
    put_grant,
    require_folder,
    require_writer,
    save_content,
    touch_file,
)
from yardkit.apps.store import Store, drop_missing
from yardkit.kit.times import to_moment
from yardkit.servers.drive.contents import read_contents
from yardkit.world import FileRef, Problem, World, save_bytes
from yardkit.world.limits import check_bytes
from yardkit.world.queries import fold_text, split_query

Kind = Literal["any", "folder", "spreadsheet", "document", "presentation", "other"]
_OFFICE = {".xlsx": "spreadsheet", ".docx": "document", ".pptx": "presentation"}
"""Files whose names have no ending."""
_MAX_UNREAD = 20
_WORD_OF_KIND = {FOLDER: "folder"} | {KINDS[suffix]: word for suffix, word in _OFFICE.items()}


@dataclass(frozen=True)
class Share:
    """Somebody who may use an item beside its owner."""

    email: str
    role: Role


@dataclass(frozen=True)
class ItemView:
    """A folder or a file. kind: folder, spreadsheet, document, presentation or a media type; path: names from the top.

    Attributes:
        size_bytes: of a file's content.
        can_write: whether it may be changed here.
    """

    id: str
    name: str
    kind: str
    path: str
    parent_id: str
    owner: str
    modified: str
    size_bytes: int | None = None
    can_write: bool = True
    trashed: bool = False
    shared_with: list[Share] | None = None


@dataclass(frozen=True)
class Listing:
    """A page of folders and files.

    Attributes:
        total: all that match.
        next_offset: where the list goes on, null at its end.
        unread: files whose contents were not searched, or not all of them, and why.
    """

    items: list[ItemView]
    total: int
    next_offset: int | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fetched:
    """A file of the drive, and where its copy lies."""

    item: ItemView
    file: FileRef


def list_items(world: World, parent_id: str, *, trashed: bool, offset: int, limit: int) -> Listing:
    """What is in a folder, folders first, then by name; with `trashed` instead what was put into the trash.

    Raises:
        Problem: there is no such folder.
    """
    with opened_drive(world) as store:
        if trashed:
            trashed_items = store.find(Item, "trashed", order="name")
        else:
            if parent_id != ROOT:
                require_folder(store, parent_id)
            trashed_items = store.find(Item, "parent = ? AND NOT trashed", [parent_id], order="name")
        return _build_page(world, store, sorted(trashed_items, key=lambda item: item.kind != FOLDER), offset, limit)


def search_items(
    world: World, query: str, kind: Kind, *, contents: bool, since: str, offset: int, limit: int
) -> Listing:
    """Items whose name has every word of the query, with `contents` also files that hold every word; newest first.

    Raises:
        Problem: `since` is not a date or time.
    """
    words, changed = split_query(query), since and to_moment(world.now, since)
    with opened_drive(world) as store:
        items = [
            item
            for item in store.find(Item, order="modified DESC")
            if not in_trash(store, item) and item.modified >= changed and _is_of_kind(item, kind)
        ]
        matching_items, unread = [], []
        for item in items:
            matches = _contains_words(fold_text(item.name), words)
            if contents and not matches and item.kind != FOLDER:
                contents_read = read_contents(content_of(world, item))
                matches = _contains_words(contents_read.words, words)
                if contents_read.unread and not matches:
                    unread.append(f"{item.name}: {contents_read.unread}")
            if matches:
                matching_items.append(item)
        page = _build_page(world, store, matching_items, offset, limit)
        return replace(page, unread=_cut_list(unread))


def create_folder(world: World, name: str, parent_id: str) -> ItemView:
    """A new folder in a folder.

    Raises:
        Problem: there is no such folder, or it has a folder of that name.
    """
    with opened_drive(world, writes=True) as store:
        if parent_id != ROOT:
            require_folder(store, parent_id)
        if twins := store.find(Item, "parent = ? AND name = ? AND kind = ? AND NOT trashed", [parent_id, name, FOLDER]):
            raise Problem(f"a folder {name!r} already exists: {twins[0].id}; use it, or choose another name")
        return _build_view(world, store, add_item(store, name, FOLDER, parent_id))


def copy_item(world: World, item_id: str, name: str | None, parent_id: str | None) -> ItemView:
    """A copy of a file, which belongs to the drive's owner and is shared with nobody.

    Raises:
        Problem: there is no such file or folder, or it is a folder.
    """
    with opened_drive(world, writes=True) as store:
        item = _require_file(store, item_id)
        parent = parent_id or (item.parent if _is_writable(store, item.parent) else ROOT)
        item_copy = add_item(store, name or f"Copy of {item.name}", item.kind, parent, item.suffix)
        save_content(world, item_copy, _require_content(world, item).read_bytes())
        return _build_view(world, store, item_copy)


def move_item(world: World, item_id: str, name: str | None, parent_id: str | None) -> ItemView:
    """An item under another name or in another folder.

    Raises:
        Problem: nothing is given, it may not be changed, or the folder is in it.
    """
    if name is None and parent_id is None:
        raise Problem("there is nothing to change; give name, folder_id or both")
    with opened_drive(world, writes=True) as store:
        item = require_writer(store, item_of(store, item_id))
        if parent_id not in (None, ROOT):
            folder: Item | None = require_writer(store, require_folder(store, str(parent_id)))
            while folder is not None:
                if folder.id == item.id:
                    raise Problem(f"{item.name!r} cannot be moved into itself; choose another folder")
                folder = None if folder.parent == ROOT else item_of(store, folder.parent)
        return _build_view(world, store, store.change(item, **drop_missing(name=name, parent=parent_id)))


def share_item(world: World, item_id: str, email: str, role: Role | Literal["none"]) -> ItemView:
    """Let somebody use an item, or with the role ``none`` no longer.

    Raises:
        Problem: there is no such item or address, it may not be changed, or nobody of that address may use it.
    """
    with opened_drive(world, writes=True) as store:
        item = require_writer(store, item_of(store, item_id))
        if role == "none":
            grants = [grant for grant in _list_grants(store, item) if grant.email.casefold() == email.casefold()]
            if not grants:
                known = ", ".join(grant.email for grant in _list_grants(store, item)) or "nobody"
                raise Problem(f"{item.name!r} is not shared with {email}, but with {known}")
            store.remove(grants[0])
        else:
            put_grant(store, item, email, role)
        return _build_view(world, store, item)


def trash_item(world: World, item_id: str, *, restore: bool) -> ItemView:
    """Put an item, and with it all that is in it, into the trash; or take it out again.

    Raises:
        Problem: there is no such item, or it may not be changed.
    """
    with opened_drive(world, writes=True) as store:
        item = require_writer(store, item_of(store, item_id, trashed=True))
        return _build_view(world, store, store.change(item, trashed=not restore))


def fetch_item(world: World, item_id: str, target: Callable[[str], Path]) -> Fetched:
    """A copy of a file in the workspace, at the path that `target` gives for its name.

    Raises:
        Problem: there is no such file, or it is a folder.
    """
    with opened_drive(world) as store:
        item = _require_file(store, item_id)
        path = target(item.name if item.name.lower().endswith(item.suffix) else item.name + item.suffix)
        save_bytes(path, _require_content(world, item).read_bytes())
        return Fetched(_build_view(world, store, item), FileRef.from_path(path))


def upload_item(world: World, source: Path, name: str | None, parent_id: str, item_id: str | None) -> ItemView:
    """A file of the workspace as a new file of the drive, or as the new content of one that is there.

    Raises:
        Problem: the file is too large, or of another kind than the one whose content it is to be.
    """
    check_bytes(source, MAX_FILE_BYTES)
    suffix = source.suffix.lower()
    with opened_drive(world, writes=True) as store:
        if item_id is None:
            title = name or (source.stem if suffix in _OFFICE else source.name)
            item = add_item(store, title, KINDS.get(suffix, OTHER), parent_id, suffix)
        else:
            item = require_writer(store, _require_file(store, item_id))
            if suffix != item.suffix:
                raise Problem(f"{source.name!r} cannot be the content of {item.name!r}; give a {item.suffix} file")
            item = touch_file(store, store.change(item, **drop_missing(name=name)))
        save_content(world, item, source.read_bytes())
        return _build_view(world, store, item)


def _build_page(world: World, store: Store, items: list[Item], offset: int, limit: int) -> Listing:
    item_views = [_build_view(world, store, item) for item in items[offset : offset + limit]]
    end = offset + len(item_views)
    return Listing(item_views, len(items), end if end < len(items) else None)


def _build_view(world: World, store: Store, item: Item) -> ItemView:
    path = content_of(world, item)
    size = path.stat().st_size if item.kind != FOLDER and path.is_file() else None
    shares = [Share(grant.email, grant.role) for grant in _list_grants(store, item)]
    facts = (item.id, item.name, _get_kind_word(item), path_of(store, item), item.parent, item.owner, item.modified)
    return ItemView(*facts, size, may_write(store, item), in_trash(store, item), shares or None)


def _is_of_kind(item: Item, kind: Kind) -> bool:
    word = _get_kind_word(item)
    return kind in ("any", word) or (kind == "other" and word not in _WORD_OF_KIND.values())


def _cut_list(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - _MAX_UNREAD
    return (*lines[:_MAX_UNREAD], f"and {more} more") if more > 0 else tuple(lines)


def _get_kind_word(item: Item) -> str:
    return _WORD_OF_KIND.get(item.kind, item.kind)


def _contains_words(text: str, words: list[str]) -> bool:
    return all(word in text for word in words)


def _list_grants(store: Store, item: Item) -> list[Grant]:
    return store.find(Grant, "item_id = ?", [item.id], order="email")


def _is_writable(store: Store, parent_id: str) -> bool:
    return parent_id == ROOT or may_write(store, item_of(store, parent_id))


def _require_file(store: Store, item_id: str) -> Item:
    item = item_of(store, item_id)
    if item.kind == FOLDER:
        raise Problem(f"{item.name!r} ({item_id}) is a folder; give the id of a file")
    return item


def _require_content(world: World, item: Item) -> Path:
    path = content_of(world, item)
    if not path.is_file():
        raise Problem(f"the content of {item.name!r} ({item.id}) is missing; the drive's state is damaged")
    return path
