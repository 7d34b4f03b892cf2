"""A digest of a tree that is updated incrementally."""

import hashlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.world.databases import content_digest, is_database, read_header
from yardkit.world.tree import file_digest, list_entries, within_reach

# A file changed again within this time may keep its stamp, see `TreeHasher`.
_RACY_NS = 2_000_000_000
# The file change counter in the header of an SQLite database (offset 24, 4 bytes).
_CHANGE_COUNTER = slice(24, 28)
Key = tuple[int | bytes, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A file or a link.

    Attributes:
        line: its kind, and the digest of the file or the target of the link.
        size: bytes of the file's content.
        version: for a file: digest, mode and time of modification. Files that agree in all three are interchangeable.
        database: whether it is one of our databases, which are edited in place.
        inode: its inode number.
    """

    line: str
    size: int = 0
    version: str = ""
    database: bool = False
    inode: int = field(default=0, compare=False)


@dataclass(slots=True)
class Folder:
    """The contents of a folder at a scan.

    Attributes:
        digest: over names, kinds and digests in name order.
        count: the entries in it and below, including itself and those that no hash covers.
        size: the bytes of file content in it and below.
        stamp: device, inode and time of the last change of any kind; none if the folder does not exist.
        settled: whether a later change cannot have the same stamp.
        stored_digest: the name under which a store of states keeps this folder.
    """

    leaves: dict[str, Leaf]
    folders: dict[str, "Folder"]
    others: tuple[int, int]
    stamp: tuple[int, int, int] | None
    settled: bool
    digest: str = ""
    count: int = 0
    size: int = 0
    stored_digest: str = ""

    def add_up(self) -> "Folder":
        """Recompute digest, count and size from the entries of the folder."""
        digest = hashlib.sha256()
        for name in sorted([*self.leaves, *self.folders]):
            line = self.leaves[name].line if name in self.leaves else "dir " + self.folders[name].digest
            digest.update(f"{line}\0{name}\0".encode("utf-8", "surrogateescape"))
        below, (others, other_bytes) = self.folders.values(), self.others
        self.count = 1 + len(self.leaves) + others + sum(folder.count for folder in below)
        self.size = other_bytes + sum(x.size for x in self.leaves.values()) + sum(folder.size for folder in below)
        self.digest, self.stored_digest = digest.hexdigest(), ""
        return self


@dataclass
class TreeHasher:
    """Merkle hash of a tree that only rereads what changed since the last time.

    A file is identified by inode, size, mode and a time stamp. A file changed less than two seconds before it was read
    is not trusted, since its next change could have the same stamp, and is read again. Entries that are not
    `within_reach` are left out, and unreadable ones count as empty.

    Attributes:
        replaced: whether files are only ever replaced by our tools, which report it (`mark_changed`). Then the stamp of
            a file is its time of modification. Without a report, a folder with an unchanged stamp that is two seconds
            old is unchanged, since replacing a file renews it; and in other folders a file with the same inode is
            unchanged. Otherwise the stamp is the time of the last change of any kind, which no program can set back but
            which each hard link to the file renews; and everything is checked each time.
    """

    replaced: bool = False
    known: dict[Key, str] = field(default_factory=dict, repr=False)
    _roots: dict[str, Folder] = field(default_factory=dict, repr=False)
    _noted: set[str] = field(default_factory=set, repr=False)
    _dirty: set[str] = field(default_factory=set, repr=False)

    def mark_changed(self, paths: Iterable[Path]) -> None:
        """Mark `paths`, everything below them and their parent folders for a check regardless of their stamps."""
        self._noted.update(map(str, paths))
        self._dirty = {os.path.dirname(path) for path in self._noted}  # noqa: PTH120 - thousands of them may be strings

    def hash_tree(self, directory: Path, *, databases: bool = False) -> str:
        """Compute SHA-256 over names, kinds and digests in name order, hexadecimal.

        With `databases`, an SQLite file counts by its content, since its bytes differ for equal content.
        """
        return self.scan_folder(directory, databases=databases).digest

    def scan_folder(self, directory: Path, *, databases: bool = False) -> Folder:
        """Scan the current tree."""
        path = str(directory)
        self._roots[path] = self._scan_path(path, "", self._roots.get(path), databases)
        self._noted = {noted for noted in self._noted if not noted.startswith(path + os.sep)}
        self.mark_changed(())
        return self._roots[path]

    def get_last_scan(self, directory: Path) -> Folder | None:
        """Return the tree of the last scan."""
        return self._roots.get(str(directory))

    def _scan_path(self, path: str, relative: str, known: Folder | None, databases: bool) -> Folder:
        stamp = _folder_stamp(path)
        if known and self.replaced and known.settled and known.stamp == stamp and path not in self._dirty:
            below = {
                name: self._scan_path(f"{path}/{name}", f"{relative}/{name}" if relative else name, folder, databases)
                for name, folder in known.folders.items()
            }
            if all(below[name] is folder for name, folder in known.folders.items()):
                return known
            return Folder(known.leaves, below, known.others, stamp, settled=True).add_up()
        looked_ns = time.time_ns()
        listed = self._list_folder(path, relative, known, databases)
        listed.stamp, listed.settled = stamp, stamp is not None and abs(looked_ns - stamp[-1]) > _RACY_NS
        if known and _is_same_folder(known, listed):
            known.stamp, known.settled = listed.stamp, listed.settled
            return known
        return listed.add_up()

    def _list_folder(self, path: str, relative: str, known: Folder | None, databases: bool) -> Folder:
        listed = Folder({}, {}, (0, 0), stamp=None, settled=False)
        for entry in list_entries(path, databases=databases):
            before = known if known and entry.path not in self._noted else None
            leaf = before.leaves.get(entry.name) if before and self.replaced else None
            if leaf and not leaf.database and leaf.inode == entry.inode():
                listed.leaves[entry.name] = leaf
            else:
                with suppress(FileNotFoundError):  # a program with access to the workspace may be changing it
                    self._add_entry(
                        entry, f"{relative}/{entry.name}" if relative else entry.name, before, listed, databases
                    )
        return listed

    def _add_entry(
        self, entry: os.DirEntry[str], relative: str, before: Folder | None, listed: Folder, databases: bool
    ) -> None:
        """Scan an entry of the folder `listed`, whose last state is `before`."""
        reached, is_file = within_reach(relative), entry.is_file(follow_symlinks=False)
        if reached and entry.is_dir(follow_symlinks=False):
            folder = before.folders.get(entry.name) if before else None
            listed.folders[entry.name] = self._scan_path(entry.path, relative, folder, databases)
        elif reached and (is_file or entry.is_symlink()):
            listed.leaves[entry.name] = self._hash_leaf(Path(entry.path), entry.stat(follow_symlinks=False), databases)
        else:
            count, size = listed.others
            listed.others = count + 1, size + is_file * entry.stat(follow_symlinks=False).st_size

    def _hash_leaf(self, path: Path, status: os.stat_result, databases: bool) -> Leaf:
        if stat.S_ISLNK(status.st_mode):
            return Leaf(f"link {path.readlink()}", inode=status.st_ino)
        database = databases and is_database(path)
        digest = self._hash_database(path, status) if database else self._hash_file(path, status)
        version = f"{digest}-{stat.S_IMODE(status.st_mode):o}-{status.st_mtime_ns}"
        return Leaf(f"file {digest}", status.st_size, version, database, status.st_ino)

    def _hash_file(self, path: Path, status: os.stat_result) -> str:
        stamp = status.st_mtime_ns if self.replaced else status.st_ctime_ns
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mode, stamp)
        if key not in self.known:
            try:
                digest = file_digest(path)
            except PermissionError:
                return hashlib.sha256().hexdigest()
            # abs, because a seeded file may be dated in the future
            if abs(time.time_ns() - stamp) < _RACY_NS:
                return digest
            self.known[key] = digest
        return self.known[key]

    def _hash_database(self, path: Path, status: os.stat_result) -> str:
        log = path.with_name(path.name + "-wal")
        if log.exists():  # in write-ahead mode a transaction does not change the main file
            return _content_digest(path)
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, read_header(path)[_CHANGE_COUNTER])
        if key not in self.known:
            self.known[key] = _content_digest(path)
        return self.known[key]


def _is_same_folder(first_folder: Folder, other: Folder) -> bool:
    """Whether two scans of a folder found the same."""
    return (
        first_folder.leaves == other.leaves
        and first_folder.others == other.others
        and first_folder.folders.keys() == other.folders.keys()
        and all(first_folder.folders[name] is folder for name, folder in other.folders.items())
    )


def _folder_stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_dev, status.st_ino, status.st_ctime_ns) if stat.S_ISDIR(status.st_mode) else None


def _content_digest(path: Path) -> str:
    try:
        return content_digest(path)
    except sqlite3.DatabaseError:  # a program with access to the folder may have written anything there
        return file_digest(path)
