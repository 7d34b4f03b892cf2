"""A changed database is a new file: a copy is changed and checked, and takes the place of the old one."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.database.engine.database_files import SIDES, VERSIONS, WAL, is_unlocked, prepare_main_file
from yardkit.servers.database.engine.guarded_connections import SECONDS, Guarded, open_writing
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems
from yardkit.world import Problem
from yardkit.world.tree import clone_file

_HUGE_BYTES = 20_000_000
"""From here on indexes are not compared with their tables at each change."""
_CHECKING_S = 20.0
_MOST_FAULTS_LISTED = 20
Stamp = tuple[tuple[int, int, int, int] | None, ...]


@dataclass(frozen=True)
class Draft:
    """A draft that is being changed.

    Attributes:
        name: of the database.
        notes: filled at the end.
    """

    guarded: Guarded
    name: str
    notes: list[str]


@contextmanager
def open_draft(path: Path, draft: Path, seconds: float = SECONDS, *, enforced: bool = True) -> Iterator[Draft]:
    """A transaction on `draft`, which becomes a changed copy of the database `path`, or a new one if there is none.

    Foreign keys are looked at with every statement, or only at the end if they are not `enforced`.

    Raises:
        Problem: it is no database, or the change damages it.
    """
    notes: list[str] = []
    journal = _copy_to_draft(path, draft)
    with open_writing(draft, path.name, seconds, enforced=enforced) as guarded:
        with failures_as_problems(guarded, path.name):
            before = set() if enforced else set(_find_broken_rows(guarded))
        yield Draft(guarded, path.name, notes)
        with failures_as_problems(guarded, path.name):
            if not enforced and (new := [row for row in _find_broken_rows(guarded) if row not in before]):
                raise _make_broken_problem("FOREIGN KEY constraint failed", new)
            _commit_changes(guarded)
    faults = _list_faults(draft, path.name)
    if faults and (new := sorted(faults - (_faults_of(path) if path.exists() else set()))):
        raise Problem(f"the change would damage {path.name!r}: {new[0]}. Check it with PRAGMA integrity_check")
    if faults:
        notes.append(f"the database was already damaged: {sorted(faults)[0]}; use PRAGMA integrity_check for details")
    _set_versions(draft, journal)


def _copy_to_draft(path: Path, draft: Path) -> bytes:
    """Copy the database, in the mode with a journal, and return its versions in the header; empty if it is new."""
    if not path.exists():
        return b""
    with prepare_main_file(path) as main:
        clone_file(main, draft)
    draft.chmod(0o600)
    with draft.open("rb") as file:
        versions = file.read(VERSIONS.stop)[VERSIONS]
    _set_versions(draft, b"\1\1" if versions == WAL else b"")
    return versions


def _set_versions(draft: Path, versions: bytes) -> None:
    """Write how the file is written, 1 with a journal and 2 with a write-ahead log, as PRAGMA journal_mode does."""
    if versions:
        with draft.open("r+b") as file:
            file.seek(VERSIONS.start)
            file.write(versions)


def _commit_changes(guarded: Guarded) -> None:
    try:
        guarded.connection.execute("COMMIT")
    except sqlite3.IntegrityError as error:
        raise _make_broken_problem(error, list(_find_broken_rows(guarded))) from error


def _find_broken_rows(guarded: Guarded) -> Iterator[Any]:
    """Rows that name no row of another table: their table, rowid, the other table, and which of the foreign keys."""
    return guarded.connection.execute("PRAGMA foreign_key_check")


def _make_broken_problem(message: object, broken: list[Any]) -> Problem:
    rows = "; ".join(f"{table} row {row} names no row of {other}" for table, row, other, _ in broken[:3])
    return Problem(f"{message} after all statements: {rows or 'a foreign key matches no row'}")


def _faults_of(path: Path) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        _copy_to_draft(path, copy)
        return _list_faults(copy, path.name)


def _list_faults(draft: Path, name: str) -> set[str]:
    """What SQLite finds wrong in a copy; empty for a sound one. Where it may only read it does not check all."""
    check = "integrity_check" if draft.stat().st_size < _HUGE_BYTES else "quick_check"
    with open_writing(draft, name, _CHECKING_S) as guarded, failures_as_problems(guarded, name):
        try:
            return {str(row[0]) for row in guarded.connection.execute(f"PRAGMA {check}({_MOST_FAULTS_LISTED})")} - {
                "ok"
            }
        except sqlite3.OperationalError as error:
            if guarded.guard.is_late():
                raise
            return {str(error)}  # a collation or function of the program that made it is not here


def merge_side_files(path: Path, draft: Path) -> None:
    """Write to `draft` the main file as it is with what stands beside it taken in.

    It may take the place of the main file while the -wal or -journal still stands there: both hold whole pages, and
    to take them in twice is the same as once.
    """
    with prepare_main_file(path) as main:
        clone_file(main, draft)


def list_side_files(path: Path) -> list[Path]:
    """The files beside a database that belong to it."""
    return [side for end in SIDES if os.path.lexists(side := path.with_name(path.name + end))]


def make_stamp(path: Path) -> Stamp:
    """What tells whether a database or a file beside it was changed."""
    return tuple(_make_file_stamp(path.with_name(path.name + end)) for end in ("", "-wal", "-journal"))


def _make_file_stamp(path: Path) -> tuple[int, int, int, int] | None:
    if not os.path.lexists(path):
        return None
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def require_unused(path: Path) -> None:
    """Refuse a database that another program has open and would go on writing to after it was replaced.

    In write-ahead mode a program holds a lock as long as it has the database open; else only while it works.

    Raises:
        Problem: so it is.
    """
    if path.exists() and not is_unlocked(path):
        raise Problem(f"another program has {path.name!r} open; close it there, then try again. Nothing was changed")
