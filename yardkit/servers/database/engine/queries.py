"""One statement that reads."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from yardkit.servers.database.engine.cells import Page, Parameters, bind_parameters
from yardkit.servers.database.engine.database_files import prepare_main_file
from yardkit.servers.database.engine.description import quote_name
from yardkit.servers.database.engine.guarded_connections import SECONDS, Guard, Guarded, open_reading
from yardkit.servers.database.engine.quoted_names import check_quoted_names
from yardkit.servers.database.engine.results import Rows
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems
from yardkit.world import Problem

_UNCHECKED = "CHECK constraints are not looked at, since the database is open for reading only"
_LOST = "some texts are not valid UTF-8: bytes that are not show as \ufffd; hex(column) gives the bytes as they are"


def run_query(
    path: Path,
    sql: str,
    parameters: Parameters | None = None,
    offset: int = 0,
    limit: int = 100,
    *,
    seconds: float = SECONDS,
) -> Rows:
    """Rows `offset` to `offset + limit` of what a reading statement gives, fewer if they are long.

    Raises:
        Problem: it is no database; the statement is wrong, changes something, or takes too long.
    """
    with (
        prepare_main_file(path) as main,
        open_reading(main, path.name, seconds) as guarded,
        failures_as_problems(guarded, path.name, sql),
    ):
        cursor = start_statement(guarded, sql, parameters)
        page = _read_page(cursor, offset, limit)
        return replace(page, notes=[*page.notes, *list_remarks(guarded.guard)])


def list_remarks(guard: Guard) -> list[str]:
    """What the rows do not tell of the database that they were read from."""
    return [*([_UNCHECKED] if guard.checks else []), *([_LOST] if guard.lost else [])]


def start_statement(guarded: Guarded, sql: str, parameters: Parameters | None) -> sqlite3.Cursor:
    """The statement, run up to its first row.

    Raises:
        Problem: it gives no rows, or its parameters are wrong.
    """
    values = bind_parameters(parameters)
    check_text(sql)
    _connect_virtual_tables(guarded)
    with guarded.guard.guard_foreign():
        check_quoted_names(guarded.connection, sql, values)
        cursor = guarded.connection.execute(sql, values)
    if cursor.description is None:
        raise Problem(
            f"{sql[:100]!r} does not return rows; use a statement that does, such as SELECT ... or PRAGMA ..."
        )
    return cursor


def _connect_virtual_tables(guarded: Guarded) -> None:
    """Let virtual tables prepare their statements: those of an R-tree write, even where it is only read."""
    sql = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
    for (name,) in guarded.connection.execute(sql).fetchall():
        with suppress(sqlite3.Error):  # of an extension that is not here; whoever reads it is told
            guarded.connection.execute(f"SELECT 1 FROM {quote_name(name)} LIMIT 0")  # noqa: S608 - quoted


def check_text(sql: str) -> None:
    """Refuse what sqlite3 cannot pass on.

    Raises:
        Problem: it holds a null character.
    """
    if "\0" in sql:
        raise Problem("the SQL contains a null character; remove it, or use char(0)")


def names_of(cursor: sqlite3.Cursor) -> list[str]:
    """The names of the columns."""
    return [str(column[0]) for column in cursor.description]


def _read_page(cursor: sqlite3.Cursor, offset: int, limit: int) -> Rows:
    for _ in range(offset):
        if cursor.fetchone() is None:
            break
    page = Page(names_of(cursor), offset, limit)
    more = False
    for row in cursor:
        if not page.take_row(row):
            more = True
            break
    return page.rows(more=more)
