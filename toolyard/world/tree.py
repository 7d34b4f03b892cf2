"""Walking, copying and hashing directory trees."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

MAX_DEPTH = 64
"""How many folders deep a world is copied and hashed; what lies deeper is no part of it."""
MAX_RELATIVE_BYTES = 2_000
"""Bytes of a path relative to its world; what has a longer one is no part of the world."""
SAVE_PREFIX = ".toolyard-save-"
"""Names of files being written. They are no part of a world: listings, hashes and snapshots leave them out."""
SQLITE_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_SQLITE_SIDE_FILES = ("-wal", "-shm", "-journal")
_FICLONE = 0x40049409
_RACY_NS = 2_000_000_000
_CHUNK = 1 << 20
_HUGE = 1 << 30
_LONGEST_OPENED = 3_800
"""Bytes of a path; with a name below it, the system still takes it."""


def within_reach(relative: str | Path) -> bool:
    """Whether the path, relative to its world, is one that copies and hashes cover."""
    name = os.fsencode(relative)
    return name.count(b"/") < MAX_DEPTH and len(name) <= MAX_RELATIVE_BYTES


def entries(directory: Path, *, databases: bool = False) -> Iterator[os.DirEntry[str]]:
    """The entries of `directory` in name order, without unfinished saves; with `databases` without their side files.

    A directory that is missing, may not be read, or is really a file or a symlink has none: a program that was given
    the workspace may have left anything there.

    `databases` says that SQLite files here are ours, as in ``apps/``. In a workspace they are bytes like others:
    opening what an agent may have made would run the rollback that a planted journal asks for.
    """
    for entry in _scan(directory):
        side_file = any(entry.name.endswith(s + end) for s in SQLITE_SUFFIXES for end in _SQLITE_SIDE_FILES)
        if not entry.name.startswith(SAVE_PREFIX) and not (databases and side_file):
            yield entry


def _scan(directory: Path) -> list[os.DirEntry[str]]:
    if directory.is_symlink():
        return []
    try:
        with os.scandir(directory) as scan:
            return sorted(scan, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def usage(path: Path) -> tuple[int, int]:
    """How many entries (files, folders, links; itself included) and how many bytes of file content `path` has."""
    if not os.path.lexists(path):
        return 0, 0
    count, size = 1, _content_bytes(path.lstat())
    stack = [path] if path.is_dir() else []
    while stack:
        for entry in _scan(stack.pop()):
            if entry.name.startswith(SAVE_PREFIX):
                continue
            count += 1
            size += _content_bytes(entry.stat(follow_symlinks=False))
            if entry.is_dir(follow_symlinks=False) and len(os.fsencode(entry.path)) < _LONGEST_OPENED:
                stack.append(Path(entry.path))
    return count, size


def _content_bytes(status: os.stat_result) -> int:
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def copy_tree(
    source: Path, target: Path, copy_file: Callable[[Path, Path], None], *, databases: bool = False, below: str = ""
) -> None:
    """Rebuild the tree `source` at `target` (which must not exist), files by `copy_file`, symlinks as symlinks.

    With `databases`, SQLite files are copied with SQLite's own backup call, so that a copy is a consistent state while
    a writer is at work; else their bytes are copied, since a database is edited in place.
    Sockets, pipes, devices and what is not `within_reach` are left out. `below` is the path of `source` in the world.
    """
    target.mkdir(parents=True)
    for entry in entries(source, databases=databases):
        here, there = Path(entry.path), target / entry.name
        relative = f"{below}/{entry.name}" if below else entry.name
        if not within_reach(relative):
            continue
        if entry.is_symlink():
            there.symlink_to(here.readlink())
        elif entry.is_dir():
            copy_tree(here, there, copy_file, databases=databases, below=relative)
        elif entry.is_file():
            _copier(here, copy_file, databases)(here, there)


def remove_tree(directory: Path) -> None:
    """Remove a tree of any depth and permissions; that there is none is no error."""
    for folder in folders(directory):
        folder.chmod(0o700)
    try:
        shutil.rmtree(directory, ignore_errors=True)
    except RecursionError:
        subprocess.run(["/bin/rm", "-rf", "--", str(directory)], check=False, capture_output=True)  # noqa: S603


def folders(directory: Path) -> Iterator[Path]:
    """All real directories below `directory` and itself, each made listable before it is listed."""
    stack = [directory]
    while stack:
        folder = stack.pop()
        try:
            folder.chmod(0o700)
            yield folder
            stack += [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue


def _copier(path: Path, copy_file: Callable[[Path, Path], None], databases: bool) -> Callable[[Path, Path], None]:
    if not is_database(path):
        return copy_file
    return _backup_sqlite if databases else clone_file


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
            for start, end in _extents(reader):
                writer.seek(start)
                _copy_bytes(reader, writer, end - start)
            writer.truncate(os.fstat(reader.fileno()).st_size)
    shutil.copymode(source, target)


def clone_or_stand_in(source: Path, target: Path) -> None:
    """`clone_file`, or an empty file in the place of one that may not be read."""
    if _readable(source):
        clone_file(source, target)
    else:
        target.touch()


def _readable(path: Path) -> bool:
    return os.access(path, os.R_OK, effective_ids=True)


def _extents(handle: BinaryIO) -> Iterator[tuple[int, int]]:
    """Start and end of each part that holds data, the handle set to its start; a hole of a terabyte costs nothing."""
    end, size = 0, os.fstat(handle.fileno()).st_size
    while end < size:
        try:
            start = os.lseek(handle.fileno(), end, os.SEEK_DATA)
        except OSError:  # nothing but a hole follows
            return
        end = os.lseek(handle.fileno(), start, os.SEEK_HOLE)
        handle.seek(start)
        yield start, end


def _copy_bytes(reader: BinaryIO, writer: BinaryIO, count: int) -> None:
    while count > 0 and (chunk := reader.read(min(count, _CHUNK))):
        writer.write(chunk)
        count -= len(chunk)


def is_database(path: Path) -> bool:
    """Whether `path` is an SQLite database by name and content."""
    if path.suffix not in SQLITE_SUFFIXES or not _readable(path):
        return False
    with path.open("rb") as handle:
        return handle.read(16) == b"SQLite format 3\x00"


def _backup_sqlite(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as reader, closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)
        # A copy in write-ahead mode could not be read from a read-only directory.
        writer.execute("PRAGMA journal_mode=DELETE")


@dataclass
class TreeHasher:
    """Merkle hash of a tree that reads again only the files that changed since the last time.

    A file is known by inode, size and a time stamp. One that was changed less than two seconds before it was read is
    not trusted (its next change could carry the same stamp) and is read again. What is not `within_reach` is left out,
    and what may not be read counts as empty.

    Attributes:
        replaced: files are only ever replaced by our tools. Then the stamp is the time of modification. Else it is that
            of the last change of any kind, which no program can set back, but which each hard link to the file renews.
    """

    replaced: bool = False
    known: dict[tuple[int, int, int, int], str] = field(default_factory=dict, repr=False)

    def tree(self, directory: Path, *, databases: bool = False, below: str = "") -> str:
        """SHA-256 over names, kinds and digests in name order, hexadecimal.

        With `databases`, an SQLite file counts by the dump of its content, since its bytes differ for equal content.
        """
        digest = hashlib.sha256()
        for entry in entries(directory, databases=databases):
            relative = f"{below}/{entry.name}" if below else entry.name
            line = self._entry(entry, databases, relative) if within_reach(relative) else ""
            if line:
                digest.update(f"{line}\0{entry.name}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _entry(self, entry: os.DirEntry[str], databases: bool, relative: str) -> str:
        path = Path(entry.path)
        if entry.is_symlink():
            return f"link {path.readlink()}"
        if entry.is_dir():
            return "dir " + self.tree(path, databases=databases, below=relative)
        if not entry.is_file():
            return ""
        if not _readable(path):
            return "file " + hashlib.sha256().hexdigest()
        return "file " + (_sqlite_digest(path) if databases and is_database(path) else self.file(path))

    def file(self, path: Path) -> str:
        """SHA-256 of the bytes of a file, read only if it changed."""
        status = path.stat()
        stamp = status.st_mtime_ns if self.replaced else status.st_ctime_ns
        key = (status.st_dev, status.st_ino, status.st_size, stamp)
        if key not in self.known:
            digest = file_digest(path)
            # A seeded file may be dated in the future.
            if abs(time.time_ns() - stamp) < _RACY_NS:
                return digest
            self.known[key] = digest
        return self.known[key]


def file_digest(path: Path) -> str:
    """SHA-256 of the bytes of a file, hexadecimal; of its parts that hold data for a file over `_HUGE` bytes.

    A sparse file of a terabyte takes a moment to make and hours to read.
    """
    with path.open("rb") as handle:
        size = os.fstat(handle.fileno()).st_size
        if size <= _HUGE:
            return hashlib.file_digest(handle, "sha256").hexdigest()
        digest = hashlib.sha256(f"{size}".encode())
        for start, end in _extents(handle):
            digest.update(f"@{start}:".encode())
            while (left := end - handle.tell()) > 0:
                digest.update(handle.read(min(_CHUNK, left)))
        return digest.hexdigest()


def _sqlite_digest(path: Path) -> str:
    digest = hashlib.sha256()
    with closing(sqlite3.connect(path)) as database:
        for pragma in ("user_version", "application_id"):
            digest.update(f"{pragma}={database.execute(f'PRAGMA {pragma}').fetchone()[0]};".encode())
        for statement in database.iterdump():
            digest.update(statement.encode())
    return digest.hexdigest()
