"""What stands in a folder: entries, trees, and the facts about one path."""

import mimetypes
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar

from yardkit.servers.files.engine.globs import make_matcher
from yardkit.world import Problem, World
from yardkit.world.limits import check_bytes
from yardkit.world.save import SAVE_PREFIX
from yardkit.world.tree import file_digest

T = TypeVar("T")
Kind = Literal["file", "folder", "link", "other"]
Order = Literal["name", "size", "modified"]
OUTSIDE = "(a place outside the workspace)"
"""In place of where a link leads."""


@dataclass(frozen=True)
class Entry:
    """One file, folder or link.

    Attributes:
        path: relative to the workspace.
        kind: ``other`` is a pipe, socket or device, which no tool reads.
        size_bytes: of a file; null for anything else.
        modified: time of the last change, ISO 8601 in UTC.
        target: of a link, what it points to; else null.
    """

    path: str
    kind: Kind
    size_bytes: int | None
    modified: str
    target: str | None = None

    def __str__(self) -> str:
        if self.kind == "folder":
            return f"{self.path}/"
        if self.kind == "link":
            return f"{self.path} -> {self.target}"
        return (
            f"{self.path}  {self.size_bytes:,} bytes" if self.size_bytes is not None else f"{self.path}  (not a file)"
        )


@dataclass(frozen=True)
class Listing:
    """Entries in the order asked for.

    Attributes:
        entries: this page of them.
        total: how many there are on all pages; null when the rest was not counted.
        next_offset: the offset of the next page; null at the end.
    """

    path: str
    entries: list[Entry]
    total: int | None
    next_offset: int | None

    def __str__(self) -> str:
        count = f"{self.total:,}" if self.total is not None else "more than shown"
        heading = f"{self.path}: {count} {'entry' if count == '1' else 'entries'}"
        lines = [heading, *(f"{entry}  {entry.modified}" for entry in self.entries)]
        return "\n".join(lines) + format_next_page(self.next_offset)


@dataclass(frozen=True)
class TreeEntry:
    """One line of a tree.

    Attributes:
        depth: 1 for what stands directly in the folder.
        size_bytes: of a file; null for anything else.
    """

    path: str
    kind: Kind
    depth: int
    size_bytes: int | None


@dataclass(frozen=True)
class Tree:
    """A folder with all that is below it, each folder before its content.

    Attributes:
        next_offset: the offset that continues; null at the end.
    """

    path: str
    entries: list[TreeEntry]
    next_offset: int | None

    def __str__(self) -> str:
        lines = [f"{self.path}/"]
        for entry in self.entries:
            mark = {"folder": "/", "link": "@", "other": "?", "file": f"  {entry.size_bytes} bytes"}[entry.kind]
            lines.append("  " * entry.depth + entry.path.rpartition("/")[2] + mark)
        return "\n".join(lines) + format_next_page(self.next_offset)


@dataclass(frozen=True)
class Description:
    """The facts about one path.

    Attributes:
        modified: time of the last change, ISO 8601 in UTC.
        permissions: as ``ls`` writes them, such as ``-rw-r--r--``.
        media_type: of a file, guessed from its name, such as ``text/csv``.
        children: how many entries a folder holds directly.
        target: of a link, what it points to.
        sha256: of a file's bytes, hexadecimal, when asked for.
    """

    path: str
    kind: Kind
    size_bytes: int | None
    modified: str
    permissions: str
    media_type: str | None
    children: int | None
    target: str | None
    sha256: str | None

    def __str__(self) -> str:
        facts = {name: value for name, value in vars(self).items() if value is not None}
        return "\n".join(f"{name}: {value}" for name, value in facts.items())


def format_next_page(next_offset: int | None) -> str:
    """The closing line of a page that is not the last."""
    return "" if next_offset is None else f"\n[more: call again with offset={next_offset}]"


def get_relative_name(world: World, path: Path) -> str:
    """`path` relative to the workspace; bytes that are no UTF-8 are escaped, since results are Unicode."""
    return _to_unicode(path.relative_to(world.files).as_posix())


def _to_unicode(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def scan_folder(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of `folder` in name order, without unfinished saves.

    Raises:
        Problem: it cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            return sorted((e for e in entries if not e.name.startswith(SAVE_PREFIX)), key=lambda entry: entry.name)
    except OSError as error:
        raise Problem(f"the folder {folder.name!r} cannot be read ({error.strerror}); choose another one") from error


def walk_folder(
    folder: Path, depth: int | None = None, excluded: Callable[[str], bool] | None = None
) -> Iterator[tuple[os.DirEntry[str], int]]:
    """Everything below `folder` with its depth, folders before their content; symlinks are never followed.

    `excluded` gets the path relative to `folder`; what it excludes is left out with all its content. Folders that
    cannot be read, other than `folder` itself, count as empty.
    """
    stack = [(entry, 1) for entry in reversed(scan_folder(folder))]
    while stack:
        entry, level = stack.pop()
        if excluded and excluded(os.path.relpath(entry.path, folder)):
            continue
        yield entry, level
        if entry.is_dir(follow_symlinks=False) and (depth is None or level < depth):
            stack.extend((child, level + 1) for child in reversed(_scan_if_possible(Path(entry.path))))


def _scan_if_possible(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return scan_folder(folder)
    except Problem:
        return []


def list_folder(
    world: World, folder: Path, *, order: Order = "name", descending: bool = False, offset: int = 0, limit: int = 500
) -> Listing:
    """One page of the entries directly in `folder`."""
    keys: dict[Order, Callable[[Entry], tuple[object, ...]]] = {
        "name": lambda entry: (entry.path,),
        "size": lambda entry: (entry.size_bytes or 0, entry.path),
        "modified": lambda entry: (entry.modified, entry.path),
    }
    place = get_relative_name(world, folder)
    within = "" if place == "." else place + "/"
    entries = [
        _build_entry(world, within + _to_unicode(entry.name), entry.path, entry.stat(follow_symlinks=False))
        for entry in scan_folder(folder)
    ]
    entries.sort(key=keys[order], reverse=descending)
    found_here, following = take_page(iter(entries), offset, limit)
    return Listing(place, found_here, len(entries), following)


def show_tree(
    world: World, folder: Path, *, depth: int, exclude: Sequence[str], offset: int = 0, limit: int = 1000
) -> Tree:
    """One page of everything below `folder`, down to `depth` levels, without what matches a glob of `exclude`."""
    tree_entries = walk_folder(folder, depth, make_matcher(exclude) if exclude else None)
    found_here, following = take_page(tree_entries, offset, limit)
    entries = [(describe_entry(world, Path(entry.path)), level) for entry, level in found_here]
    lines = [TreeEntry(entry.path, entry.kind, level, entry.size_bytes) for entry, level in entries]
    return Tree(get_relative_name(world, folder), lines, following)


def find_entries(
    world: World,
    folder: Path,
    pattern: str,
    *,
    kind: Literal["any", "file", "folder"] = "any",
    exclude: Sequence[str],
    match_full_path: bool = False,
    offset: int = 0,
    limit: int = 500,
) -> Listing:
    """One page of what lies anywhere below `folder` and whose name or path matches the glob `pattern`.

    With `whole` a glob is always compared with the path below `folder`, never with a name at any depth.
    """
    matches = make_matcher([pattern], match_full_path=match_full_path)
    matching_entries = (
        describe_entry(world, Path(entry.path))
        for entry, _ in walk_folder(
            folder, None, make_matcher(exclude, match_full_path=match_full_path) if exclude else None
        )
        if matches(os.path.relpath(entry.path, folder))
        and (kind == "any" or kind == _get_kind(Path(entry.path).lstat()))
    )
    found_here, following = take_page(matching_entries, offset, limit)
    return Listing(
        get_relative_name(world, folder), found_here, offset + len(found_here) if following is None else None, following
    )


def describe_entry(world: World, path: Path) -> Entry:
    """What `path` itself is; a symlink is not followed."""
    return _build_entry(world, get_relative_name(world, path), path, path.lstat())


def _build_entry(world: World, place: str, path: str | Path, status: os.stat_result) -> Entry:
    kind = _get_kind(status)
    target = _describe_target(world, Path(path).readlink()) if kind == "link" else None
    size = status.st_size if kind == "file" else None
    return Entry(place, kind, size, _format_time(status), target)


def _describe_target(world: World, target: Path) -> str:
    """What a link points to. An absolute path tells of this machine, so it is given as one in the workspace, or not."""
    if not target.is_absolute():
        return _to_unicode(str(target))
    return get_relative_name(world, target) if target.is_relative_to(world.files) else OUTSIDE


def describe_path(world: World, path: Path, *, with_sha256: bool = False) -> Description:
    """The facts about `path` itself; a symlink is not followed."""
    status = path.lstat()
    entry = describe_entry(world, path)
    if with_sha256 and entry.kind != "file":
        raise Problem(f"{entry.path!r} is a {entry.kind}; a SHA-256 exists only for a file")
    if with_sha256:
        check_bytes(path)
    return Description(
        path=entry.path,
        kind=entry.kind,
        size_bytes=entry.size_bytes,
        modified=entry.modified,
        permissions=stat.filemode(status.st_mode),
        media_type=mimetypes.guess_type(path.name)[0] if entry.kind == "file" else None,
        children=len(scan_folder(path)) if entry.kind == "folder" else None,
        target=entry.target,
        sha256=file_digest(path) if with_sha256 else None,
    )


def take_page(results: Iterator[T], offset: int, limit: int) -> tuple[list[T], int | None]:
    """`limit` items from `offset` on, and the offset of the next page if there is one."""
    items = list(islice(results, offset, offset + limit + 1))
    return items[:limit], offset + limit if len(items) > limit else None


def _get_kind(status: os.stat_result) -> Kind:
    if stat.S_ISLNK(status.st_mode):
        return "link"
    if stat.S_ISDIR(status.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(status.st_mode) else "other"


def _format_time(status: os.stat_result) -> str:
    return datetime.fromtimestamp(int(status.st_mtime), UTC).isoformat().replace("+00:00", "Z")
