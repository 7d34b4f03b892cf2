"""Walking, copying and hashing directory trees."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.world.save import SAVE_PREFIX

SQLITE_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_SQLITE_SIDE_FILES = ("-wal", "-shm", "-journal")
_FICLONE = 0x40049409
_RACY_NS = 2_000_000_000
_CHUNK = 1 << 20


def is_sqlite(path: Path) -> bool:
    return path.suffix in SQLITE_SUFFIXES


def entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    """The entries of `directory` in name order, without unfinished saves and the side files of databases."""
    with os.scandir(directory) as scan:
        found = sorted(scan, key=lambda entry: entry.name)
    for entry in found:
        side_file = any(entry.name.endswith(s + end) for s in SQLITE_SUFFIXES for end in _SQLITE_SIDE_FILES)
        if not entry.name.startswith(SAVE_PREFIX) and not side_file:
            yield entry


def copy_tree(source: Path, target: Path, copy_file: Callable[[Path, Path], None]) -> None:
    """Rebuild the tree `source` at `target` (which must not exist), files by `copy_file`, symlinks as symlinks.

    SQLite databases are always copied with SQLite's own backup call, so that a copy is a consistent state.
    Sockets, pipes and devices are left out.
    """
    target.mkdir(parents=True)
    for entry in entries(source):
        here, there = Path(entry.path), target / entry.name
        if entry.is_symlink():
            there.symlink_to(here.readlink())
        elif entry.is_dir():
            copy_tree(here, there, copy_file)
        elif entry.is_file():
            _backup_sqlite(here, there) if _is_live_database(here) else copy_file(here, there)


def link_file(source: Path, target: Path) -> None:
    """A hard link, or a copy where there are none. Right because files are replaced, never edited in place."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        clone_file(source, target)


def clone_file(source: Path, target: Path) -> None:
    """A reflink where the file system has them, else a copy: edits in place of one do not reach the other."""
    with source.open("rb") as reader, target.open("xb") as writer:
        try:
            fcntl.ioctl(writer.fileno(), _FICLONE, reader.fileno())
        except OSError:
            shutil.copyfileobj(reader, writer, _CHUNK)
    shutil.copymode(source, target)


def _is_live_database(path: Path) -> bool:
    if not is_sqlite(path):
        return False
    with path.open("rb") as handle:
        return handle.read(16) == b"SQLite format 3\x00"


def _backup_sqlite(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as reader, closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)


@dataclass
class TreeHasher:
    """Merkle hash of a tree that reads again only the files that changed since the last time.

    A file is known by inode, size and modification time; one that was modified less than two seconds before it was
    read is not trusted (its next change could carry the same time) and is read again.
    """

    known: dict[tuple[int, int, int, int], str] = field(default_factory=dict)

    def tree(self, directory: Path) -> str:
        """SHA-256 over names, kinds and digests in name order, hexadecimal."""
        digest = hashlib.sha256()
        for entry in entries(directory):
            line = self._entry(entry)
            if line:
                digest.update(f"{line}\0{entry.name}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _entry(self, entry: os.DirEntry[str]) -> str:
        if entry.is_symlink():
            return f"link {Path(entry.path).readlink()}"
        if entry.is_dir():
            return "dir " + self.tree(Path(entry.path))
        return "file " + self.file(Path(entry.path)) if entry.is_file() else ""

    def file(self, path: Path) -> str:
        """SHA-256 of a file's content; of the dump for an SQLite database, whose bytes differ for equal content."""
        if _is_live_database(path):
            return _sqlite_digest(path)
        status = path.stat()
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if key not in self.known:
            digest = file_digest(path)
            if time.time_ns() - status.st_mtime_ns < _RACY_NS:
                return digest
            self.known[key] = digest
        return self.known[key]


def file_digest(path: Path) -> str:
    """SHA-256 of the bytes of a file, hexadecimal."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _sqlite_digest(path: Path) -> str:
    digest = hashlib.sha256()
    with closing(sqlite3.connect(path)) as database:
        for statement in database.iterdump():
            digest.update(statement.encode())
    return digest.hexdigest()
