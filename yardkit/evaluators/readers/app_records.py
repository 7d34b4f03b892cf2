"""Reading the records of apps, with separate code, from databases that an agent may have manipulated.

Only ordinary tables are read: with a view, trigger, virtual table or computed column, SQL in the file would decide the
result, and no app of ours has any.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.files import require_file_in
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading

MAX_BYTES = 200_000_000
MAX_ROWS = 200_000
"""Rows of one table."""
_MAX_VALUE = 10_000_000
"""Bytes of one value."""
_MAX_STEPS = 20_000
"""Thousands of steps of SQLite's machine."""
_OWN = re.compile(r"sqlite_.*|\w*yard\w*_counters")
"""Names of tables that hold no records; worlds of earlier versions name the counters after the package's old name."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A table. key: the columns of its primary key, empty if it has none; rows: in the order of the key."""

    name: str
    key: tuple[str, ...]
    rows: list[Row]

    @cached_property
    def by_key(self) -> dict[str, Row]:
        """The rows by their key as text; without a key, by all their values."""
        return {self.name_of(row): row for row in self.rows}

    def name_of(self, row: Row) -> str:
        """Return the key of a row as text."""
        return ",".join(str(row[column]) for column in self.key or row)


def read_records(submission: Submission, app: str, table: str, decode: Sequence[str] = ()) -> list[Row]:
    """Read the records of one kind, such as ``records(submission, "forms", "questions", decode=["choices"])``.

    Values are as stored in SQLite: true is 1, lists are JSON text unless their column is in `decode`.

    Raises:
        InsufficientEvidence: the app has no such records.
        InvalidArtifact: its database, or a value to decode, cannot be read.
    """
    table_rows = read_tables(submission, app).get(table)
    if table_rows is None:
        raise InsufficientEvidence(f"the app {app} has no {table}")
    try:
        return [
            {name: json.loads(value) if name in decode else value for name, value in row.items()}
            for row in table_rows.rows
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidArtifact(f"{app}: {table} hold invalid JSON ({error})") from error


def read_tables(submission: Submission, app: str) -> dict[str, Table]:
    """Read all tables of an app by name.

    Raises:
        InsufficientEvidence: it has no database.
        InvalidArtifact: the database cannot be read, is too large, or has more than ordinary tables.
    """
    return read_tables_in(submission.apps, f"{app}/{app}.sqlite")


def read_tables_in(folder: Path, relative: str) -> dict[str, Table]:
    """Read all tables of the database at `relative` in a folder; raises as `read_tables` does."""
    path = require_file_in(folder, relative, MAX_BYTES)
    with watch_reading(path):
        return _read_tables(path, relative)


def _read_tables(path: Path, relative: str) -> dict[str, Table]:
    try:
        # Immutable: SQLite ignores any journal beside it, and locks and writes nothing.
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            _limit_connection(connection)
            return {name: _read_table(connection, name, relative) for name in _list_table_names(connection, relative)}
    except (sqlite3.Error, UnicodeError, MemoryError) as error:
        raise InvalidArtifact(f"{relative} cannot be read as a database ({error})") from error


def _limit_connection(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    connection.execute("PRAGMA trusted_schema=OFF")
    steps = iter(range(_MAX_STEPS))
    connection.set_progress_handler(lambda: int(next(steps, None) is None), 1_000)


def _list_table_names(connection: sqlite3.Connection, relative: str) -> Iterator[str]:
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall():
        if kind not in ("table", "index") or str(sql).upper().startswith("CREATE VIRTUAL"):
            raise InvalidArtifact(f"{relative} holds {name!r}, a {kind} that the app does not make")
        if kind == "table" and not _OWN.fullmatch(name):
            yield name


def _read_table(connection: sqlite3.Connection, name: str, relative: str) -> Table:
    columns = connection.execute(f"PRAGMA table_xinfo({quote_name(name)})").fetchall()
    if any(hidden for *_, hidden in columns):
        raise InvalidArtifact(f"{relative}: {name} has a computed column, which the app does not make")
    names = [column[1] for column in columns]
    key = tuple(column[1] for column in sorted(columns, key=lambda column: int(column[5])) if column[5])
    listed = ", ".join(map(quote_name, names))
    table = Table(name, key, [])
    size = 0
    for row in connection.execute(f"SELECT {listed} FROM {quote_name(name)} NOT INDEXED"):  # noqa: S608 - names of the file
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(table.rows) == MAX_ROWS or size > MAX_BYTES:
            raise InvalidArtifact(f"{relative}: {name} has more than {MAX_ROWS:,} rows or {MAX_BYTES:,} bytes")
        table.rows.append(dict(zip(names, row, strict=True)))
    if key and len(table.by_key) < len(table.rows):
        raise InvalidArtifact(f"{relative}: {name} has two records with one key")
    return table


def quote_name(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'
