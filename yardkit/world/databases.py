"""SQLite databases of apps: copies of a consistent state, and digests of their content."""

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
    """Whether a file of this name belongs to a database beside it."""
    return any(name.endswith(suffix + end) for suffix in SUFFIXES for end in SIDE_FILES)


def is_database(path: Path) -> bool:
    """Whether `path` is an SQLite database by name and content."""
    return path.suffix in SUFFIXES and read_header(path).startswith(_MAGIC)


def read_header(path: Path) -> bytes:
    """The first 100 bytes; none of a file that may not be read."""
    if not os.access(path, os.R_OK, effective_ids=True):
        return b""
    with path.open("rb") as handle:
        return handle.read(100)


@contextmanager
def standing_still(path: Path) -> Iterator[bool]:
    """Hold SQLite's shared lock, under which nobody writes to the file; whether the file is all that is committed.

    It is not where there is a write-ahead log. What a killed writer left half done is rolled back first.
    """
    with closing(sqlite3.connect(path)) as database:
        database.execute("BEGIN")
        database.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        yield read_header(path)[_VERSIONS] == _JOURNAL


def read_committed_image(path: Path) -> bytes:
    """The bytes of the committed state, in the mode with a journal: in write-ahead mode they could not be read from a
    read-only directory. SQLite itself reads them, page by page, those in the log included.
    """
    with closing(sqlite3.connect(path)) as database:
        data = bytearray(database.serialize())
    data[_VERSIONS] = _JOURNAL
    return bytes(data)


def content_digest(path: Path) -> str:
    """SHA-256 of what a database holds, whatever its history: rows that came and went, free pages, counters.

    It is taken of a copy that SQLite has packed (``VACUUM``). Tables that were made in another order make another one.
    """
    with closing(sqlite3.connect(":memory:")) as packed:
        packed.deserialize(read_committed_image(path))
        packed.execute("VACUUM")
        data = bytearray(packed.serialize())
    for counter in _COUNTERS:
        data[counter] = bytes(counter.stop - counter.start)
    return hashlib.sha256(data).hexdigest()
