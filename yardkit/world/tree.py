"""Walking and copying directory trees."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from yardkit.world.databases import is_database, is_side_file, read_committed_image, standing_still

MAX_DEPTH = 64
"""How many folders deep a world is copied and hashed; what lies deeper is no part of it."""
MAX_RELATIVE_BYTES = 2_000
"""Bytes of a path relative to its world; what has a longer one is no part of the world."""
SAVE_PREFIX = ".yardkit-save-"
"""Names of files being written. They are no part of a world: listings, hashes and snapshots leave them out."""
# The ioctl FICLONE, see ioctl_ficlone(2).
_FICLONE = 0x40049409
_CHUNK = 1 << 20
_HUGE = 1 << 30
_LONGEST_OPENED = 3_800
"""Bytes of a path; with a name below it, the system still takes it."""


def within_reach(relative: str | Path) -> bool:
    """Whether copies and hashes cover the path, relative to its world."""
    name = os.fsencode(relative)
    return name.count(b"/") < MAX_DEPTH and len(name) <= MAX_RELATIVE_BYTES


def list_entries(directory: str | Path, *, databases: bool = False) -> Iterator[os.DirEntry[str]]:
    """List the entries of `directory` in name order, without unfinished saves or, with `databases`, their side files.

    A directory that is missing, unreadable, or really a file or a symlink has none, since a program with access to the
    workspace may have left anything there.

    `databases` says that SQLite files here are ours, as in ``apps/``. In a workspace they are ordinary bytes: opening
    an agent's database would run the rollback that a planted journal asks for.
    """
    for entry in _scan_directory(directory):
        if not entry.name.startswith(SAVE_PREFIX) and not (databases and is_side_file(entry.name)):
            yield entry


def _scan_directory(directory: str | Path) -> list[os.DirEntry[str]]:
    if os.path.islink(directory):  # noqa: PTH114 - of thousands that are strings
        return []
    try:
        with os.scandir(directory) as scan:
            return sorted(scan, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def measure_usage(path: Path) -> tuple[int, int]:
    """Count the entries (files, folders, links; itself included) and the bytes of file content of `path`."""
    try:
        status = path.lstat()
    except OSError:
        return 0, 0
    count, size = 1, _content_bytes(status)
    stack = [path] if stat.S_ISDIR(status.st_mode) else []
    while stack:
        for entry in _scan_directory(stack.pop()):
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

    With `databases`, SQLite files are copied under SQLite's own lock, so that a copy is consistent while a writer is
    active. Otherwise their bytes are copied instead of linked, since a database is edited in place.
    Sockets, pipes, devices and entries not `within_reach` are left out. `below` is the path of `source` in the world.
    """
    target.mkdir(parents=True)
    for entry in list_entries(source, databases=databases):
        here, there = Path(entry.path), target / entry.name
        relative = f"{below}/{entry.name}" if below else entry.name
        if not within_reach(relative):
            continue
        if entry.is_symlink():
            there.symlink_to(here.readlink())
        elif entry.is_dir():
            copy_tree(here, there, copy_file, databases=databases, below=relative)
        elif entry.is_file():
            _choose_copier(here, copy_file, databases)(here, there)


def remove_tree(directory: Path) -> None:
    """Remove a tree of any depth and permissions; a missing one is not an error."""
    for folder in walk_folders(directory):
        folder.chmod(0o700)
    try:
        shutil.rmtree(directory, ignore_errors=True)
    except RecursionError:
        subprocess.run(["/bin/rm", "-rf", "--", str(directory)], check=False, capture_output=True)  # noqa: S603


def walk_folders(directory: Path) -> Iterator[Path]:
    """Yield `directory` and all real directories below it, each made listable before it is listed."""
    stack = [directory]
    while stack:
        folder = stack.pop()
        try:
            folder.chmod(0o700)
            yield folder
            stack += [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue


def _choose_copier(
    path: Path, copy_file: Callable[[Path, Path], None], databases: bool
) -> Callable[[Path, Path], None]:
    if not is_database(path):
        return copy_file
    return copy_database if databases else clone_file


def copy_database(source: Path, target: Path) -> None:
    """Copy the committed state of an SQLite database in journal mode; for a damaged one, copy its bytes."""
    try:
        _copy_committed(source, target)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise
        # A program with access to the folder may have written anything there; graders decide what it is.
        target.unlink(missing_ok=True)
        clone_file(source, target)


def _copy_committed(source: Path, target: Path) -> None:
    with standing_still(source) as source_path:
        if source_path:  # closing the file releases the lock, so it is copied first
            clone_file(source, target)
    if not source_path:
        target.write_bytes(read_committed_image(source))


def link_file(source: Path, target: Path) -> None:
    """Make a hard link, or a copy if that fails. Safe because files are replaced, never edited in place."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        clone_file(source, target)


def clone_file(source: Path, target: Path) -> None:
    """Make a reflink if the file system supports it, else a copy, so that edits in place do not reach the original."""
    with source.open("rb") as reader, target.open("xb") as writer:
        try:
            fcntl.ioctl(writer.fileno(), _FICLONE, reader.fileno())
        except OSError:
            for start, end in _iter_data_extents(reader):
                writer.seek(start)
                _copy_bytes(reader, writer, end - start)
            writer.truncate(os.fstat(reader.fileno()).st_size)
    shutil.copymode(source, target)


def clone_or_stand_in(source: Path, target: Path) -> None:
    """Do `clone_file`, or make an empty file for an unreadable one."""
    if is_readable(source):
        clone_file(source, target)
    else:
        target.touch()


def is_readable(path: Path) -> bool:
    """Whether this process may read the file."""
    return os.access(path, os.R_OK, effective_ids=True)


def _iter_data_extents(handle: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield start and end of each part with data, with the handle at its start, so that huge holes take no time."""
    end, size = 0, os.fstat(handle.fileno()).st_size
    while end < size:
        try:
            start = os.lseek(handle.fileno(), end, os.SEEK_DATA)
        except OSError:  # only a hole follows
            return
        end = os.lseek(handle.fileno(), start, os.SEEK_HOLE)
        handle.seek(start)
        yield start, end


def _copy_bytes(reader: BinaryIO, writer: BinaryIO, count: int) -> None:
    while count > 0 and (chunk := reader.read(min(count, _CHUNK))):
        writer.write(chunk)
        count -= len(chunk)


def file_digest(path: Path) -> str:
    """Compute SHA-256 of a file's bytes, hexadecimal; for a file over `_HUGE` bytes, only of its parts with data.

    A sparse file of a terabyte is quick to make and takes hours to read.
    """
    with path.open("rb") as handle:
        size = os.fstat(handle.fileno()).st_size
        if size < _CHUNK:
            return hashlib.sha256(handle.read()).hexdigest()
        if size <= _HUGE:
            return hashlib.file_digest(handle, "sha256").hexdigest()
        digest = hashlib.sha256(f"{size}".encode())
        for start, end in _iter_data_extents(handle):
            digest.update(f"@{start}:".encode())
            while (left := end - handle.tell()) > 0:
                digest.update(handle.read(min(_CHUNK, left)))
        return digest.hexdigest()
