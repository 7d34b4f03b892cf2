"""SQLite databases of apps: consistent copies, and digests of their content."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

SUFFIXES = (".sqlite", ".sqlite3", ".db")
SIDE_FILES = ("-wal", "-shm", "-journal")
_MAGIC = b"SQLite format 3\x00"
_VERSIONS = slice(18, 20)
"""Bytes that say how a file is written: 1 with a journal, 2 with a write-ahead log."""
_JOURNAL = b"\1\1"
_COUNTERS = (slice(24, 28), slice(40, 44), slice(92, 100))
"""Bytes that tell of the history: https://www.sqlite.org/fileformat.html, change counter, schema cookie, versions."""


def is_side_file(name: str) -> bool:
    """Whether a file with this name belongs to a database beside it."""
    return any(name.endswith(suffix + end) for suffix in SUFFIXES for end in SIDE_FILES)


def is_database(path: Path) -> bool:
    """Whether `path` is an SQLite database by name and content."""
    return path.suffix in SUFFIXES and read_header(path).startswith(_MAGIC)


def read_header(path: Path) -> bytes:
    """Read the first 100 bytes; none if the file may not be read."""
    if not os.access(path, os.R_OK, effective_ids=True):
        return b""
    with path.open("rb") as handle:
        return handle.read(100)


@contextmanager
def standing_still(path: Path) -> Iterator[bool]:
    """Hold SQLite's shared lock, which blocks writers; yield whether the file contains everything committed.

    It does not if there is a write-ahead log. The unfinished transaction of a killed writer is rolled back first.
    """
    with closing(sqlite3.connect(path)) as database:
        database.execute("BEGIN")
        database.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        yield read_header(path)[_VERSIONS] == _JOURNAL


def read_committed_image(path: Path) -> bytes:
    """Read the bytes of the committed state in journal mode, since a database in write-ahead mode cannot be read from a
    read-only directory. SQLite itself reads the pages, including those in the log.
    """
    with closing(sqlite3.connect(path)) as database:
        data = bytearray(database.serialize())
    data[_VERSIONS] = _JOURNAL
    return bytes(data)


def content_digest(path: Path) -> str:
    """Compute SHA-256 of a database's content, independent of its history: deleted rows, free pages, counters.

    It is computed from a copy packed by SQLite (``VACUUM``). Tables created in another order give another digest.
    """
    with closing(sqlite3.connect(":memory:")) as packed:
        packed.deserialize(read_committed_image(path))
        packed.execute("VACUUM")
        data = bytearray(packed.serialize())
    for counter in _COUNTERS:
        data[counter] = bytes(counter.stop - counter.start)
    return hashlib.sha256(data).hexdigest()
