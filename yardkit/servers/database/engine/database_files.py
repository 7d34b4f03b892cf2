"""Opening a database that a person's programs may have open as well: whole, read-only, nothing written beside it.

Programs leave two kinds of files beside a database: a -wal holds transactions that are not in the main file yet, a
-journal what is to be undone after a crash. Where there is one, main file and side file are copied while writers are
kept out by SQLite's own locks, and SQLite brings the copy in order.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from yardkit.world import Problem
from yardkit.world.limits import MAX_FILE_BYTES, check_bytes

SIDES = ("-wal", "-journal", "-shm")
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
VERSIONS = slice(18, 20)
"""Where the header says how the file is written: 1 with a journal, 2 with a write-ahead log."""
WAL = b"\2\2"
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_PENDING, _OURS = 0x40000000, 0x400001FF
"""The first and the last byte of the main file that programs lock: https://www.sqlite.org/lockingv3.html.

A reader of SQLite locks the last 510 of them, of ours only the very last: enough to keep writers out, and no reader of
ours looks to a change like another program.
"""
_WAL_LOCKS, _WAL_LOCK_BYTES = 120, 2
"""Bytes of the -shm that a writer and a checkpoint lock: https://www.sqlite.org/walformat.html."""
_FLOCK = struct.Struct("hhqqi4x")
_WAIT_S = 5.0
_CHUNK = 1 << 20


@contextmanager
def prepare_main_file(path: Path) -> Iterator[Path]:
    """The path of a main file that needs nothing beside it: `path` itself, locked for writers, or a copy in order.

    Raises:
        Problem: it is no database, damaged, or too large; or another program keeps writing to it.
    """
    with path.open("rb") as main, ExitStack() as stack:
        check_bytes(path)
        _lock_bytes(main, path, _OURS, 1, pending=True)
        header = _read_header(main, path)
        sides = stack.enter_context(_open_side_files(path))
        if not sides and not os.path.lexists(f"{path}-shm"):
            _check_complete(path, header, os.fstat(main.fileno()).st_size)
            yield path
            return
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        copy = _copy_database(path, main, sides, folder, header)
        with copy.open("rb") as settled:
            _check_complete(path, settled.read(_HEADER_BYTES), os.fstat(settled.fileno()).st_size)
        yield copy


def _read_header(main: BinaryIO, path: Path) -> bytes:
    """The header; empty for an empty file, which is an empty database.

    Raises:
        Problem: it is no SQLite database, or not all of it.
    """
    main.seek(0)
    header = main.read(_HEADER_BYTES)
    size = os.fstat(main.fileno()).st_size
    if header and not header.startswith(_MAGIC):
        raise Problem(
            f"{path.name!r} is not a SQLite database, or is encrypted: it does not begin with 'SQLite "
            "format 3'. Choose a database; import_table makes one from a CSV or JSON file"
        )
    if 0 < size < _HEADER_BYTES:
        raise Problem(f"{path.name!r} is truncated in its header: it has only {size} bytes. Get a complete copy of it")
    return header


def _check_complete(path: Path, header: bytes, size: int) -> None:
    if not header:
        return
    page, changed, pages, valid_for = struct.unpack_from(">16xH6xII60xI", header)
    expected = (65_536 if page == 1 else page) * pages
    possible = page == 1 or not page & (page - 1)  # a power of two
    if possible and changed == valid_for and size < expected:
        raise Problem(
            f"{path.name!r} is truncated: it has {size:,} bytes, but its header says {expected:,}. "
            "Get a complete copy of it"
        )


@contextmanager
def _open_side_files(path: Path) -> Iterator[dict[str, BinaryIO]]:
    """The side files that say something, open, by their endings."""
    with ExitStack() as stack:
        side_files = {}
        for ending in ("-wal", "-journal"):
            file = _open_file(path.with_name(path.name + ending))
            if file is not None:
                side_files[ending] = stack.enter_context(file)
        yield {ending: file for ending, file in side_files.items() if _has_content(file, path, ending)}


def _open_file(path: Path) -> BinaryIO | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            return None
        raise Problem(f"{path.name!r} next to the database cannot be read ({error.strerror}); remove it") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Problem(f"{path.name!r} next to the database is not a regular file; remove it")
    return os.fdopen(descriptor, "rb")


def _has_content(file: BinaryIO, path: Path, ending: str) -> bool:
    size = os.fstat(file.fileno()).st_size
    if size > MAX_FILE_BYTES:
        raise Problem(f"{path.name + ending!r} has {size:,} bytes; the limit is {MAX_FILE_BYTES:,}")
    if ending == "-wal":
        return size > 0
    if file.read(1) in (b"", b"\0"):
        return False
    file.seek(max(0, size - 8))
    if file.read(8) == _JOURNAL_MAGIC and size > len(_JOURNAL_MAGIC):
        # It ends with the name of a file that SQLite would look for and may delete.
        raise Problem(
            f"{path.name + ending!r} belongs to an interrupted transaction over several databases; open "
            "the database in the program that wrote it, then try again"
        )
    file.seek(0)
    return True


def _lock_bytes(file: BinaryIO, path: Path, start: int, length: int, *, pending: bool = False) -> None:
    """Lock bytes for reading, as SQLite does, for as long as `file` is open.

    The lock belongs to `file`: one of the older kind would go as soon as anything in this process, such as SQLite,
    closes the same file.

    A writer that waits for readers to end holds the byte `_PENDING`, which keeps new readers out.
    """
    deadline = time.monotonic() + _WAIT_S
    while not _try_lock(file, start, length, pending=pending):
        if time.monotonic() > deadline:
            raise Problem(f"another program is writing to {path.name!r}; try again when it has finished")
        time.sleep(0.01)


def _try_lock(file: BinaryIO, start: int, length: int, *, pending: bool) -> bool:
    try:
        if pending:
            _call_flock(file, fcntl.F_OFD_SETLK, fcntl.F_RDLCK, _PENDING, 1)
        _call_flock(file, fcntl.F_OFD_SETLK, fcntl.F_RDLCK, start, length)
    except (BlockingIOError, PermissionError):
        return False
    finally:
        if pending:
            _call_flock(file, fcntl.F_OFD_SETLK, fcntl.F_UNLCK, _PENDING, 1)
    return True


def _call_flock(file: BinaryIO, command: int, kind: int, start: int, length: int) -> int:
    """Set a lock, or ask for the kind of a lock that is in its way; on 64-bit Linux."""
    answer = fcntl.fcntl(file, command, _FLOCK.pack(kind, os.SEEK_SET, start, length, 0))
    return int(_FLOCK.unpack(answer)[0])


def is_unlocked(path: Path) -> bool:
    """Whether no other program has any of the bytes locked by which programs that use a database know of each other."""
    with path.open("rb") as main:
        return _call_flock(main, fcntl.F_OFD_GETLK, fcntl.F_WRLCK, _PENDING, _OURS - _PENDING) == fcntl.F_UNLCK


def _copy_database(path: Path, main: BinaryIO, sides: dict[str, BinaryIO], folder: Path, header: bytes) -> Path:
    copy = folder / "database"
    with ExitStack() as stack:
        shared = _open_file(path.with_name(path.name + "-shm"))
        if shared is not None:
            _lock_bytes(stack.enter_context(shared), path, _WAL_LOCKS, _WAL_LOCK_BYTES)
        _copy_file(main, copy)
        for ending, file in sides.items():
            _copy_file(file, copy.with_name(copy.name + ending))
    if not os.path.samestat(os.fstat(main.fileno()), path.stat()):
        # What stood beside the old file may be gone already.
        raise Problem(f"{path.name!r} was just replaced; try again")
    _settle_copy(copy, path, header)
    return copy


def _copy_file(source: BinaryIO, target: Path) -> None:
    source.seek(0)
    with target.open("xb") as writer:
        while chunk := source.read(_CHUNK):
            writer.write(chunk)


def _settle_copy(copy: Path, path: Path, header: bytes) -> None:
    """Let SQLite undo what a journal says and take in what a write-ahead log holds; page for page."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA mmap_size=0")
            connection.execute("PRAGMA schema_version").fetchone()
            if header[VERSIONS] == WAL:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise Problem(
            f"{path.name!r} cannot be recovered with the -wal or -journal next to it ({error}); open it "
            "in the program that wrote it, or remove that file if it belongs to another database"
        ) from error
