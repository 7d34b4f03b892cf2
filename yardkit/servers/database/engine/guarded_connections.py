"""Connections that hostile SQL and hostile files can do nothing with: what is allowed, how much, and for how long."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from yardkit.world import Problem
from yardkit.world.limits import MAX_FILE_BYTES

SECONDS = 20.0
"""How long the SQL of one call may run."""
_STEPS = 5_000
"""Of SQLite's machine between two looks at the clock."""
_SQLITE_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 500,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 500,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 1_000_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 32_766,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_FUNCTIONS = ("load_extension", "fts3_tokenizer")
"""Functions that reach outside; each takes one argument or two."""
_TABLE_MODULES = {"fts3", "fts4", "fts5", "fts5vocab", "rtree", "rtree_i32"}
_ASKING = {
    *("table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list"),
    *("foreign_key_check", "integrity_check", "quick_check"),
}
"""Pragmas that ask, with or without an argument."""
_TELLING = {
    *("user_version", "application_id", "schema_version", "encoding", "page_size", "page_count", "freelist_count"),
    *("auto_vacuum", "collation_list", "function_list", "module_list", "compile_options", "pragma_list"),
    *("foreign_keys", "data_version"),
}
"""Pragmas that ask without an argument and set something with one."""
_SETTABLE_PRAGMAS = {"user_version", "application_id", "defer_foreign_keys"}
_READ_ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
_ACTION_NAMES = {
    getattr(sqlite3, f"SQLITE_{name}"): name.replace("_", " ")
    for name in (
        *("INSERT", "UPDATE", "DELETE", "ALTER_TABLE", "ANALYZE", "REINDEX", "ATTACH", "DETACH", "PRAGMA"),
        *("TRANSACTION", "SAVEPOINT", "FUNCTION"),
        *(
            f"{verb}_{kind}"
            for verb in ("CREATE", "DROP")
            for kind in (
                *("INDEX", "TABLE", "TRIGGER", "VIEW", "VTABLE"),
                *("TEMP_INDEX", "TEMP_TABLE", "TEMP_TRIGGER", "TEMP_VIEW"),
            )
        ),
    )
}
_OF_NO_TABLE = {
    sqlite3.SQLITE_REINDEX,
    *(getattr(sqlite3, f"SQLITE_{verb}_{kind}") for verb in ("CREATE", "DROP") for kind in ("INDEX", "TRIGGER")),
}
"""Their first name is not that of a table."""
_TABLES_OF_SCHEMA = ("sqlite_master", "sqlite_temp_master", "sqlite_schema", "sqlite_temp_schema")


class Guard:
    """Says what a statement may do, and remembers what it refused and which tables it changes.

    Attributes:
        writing: whether data may change.
        enforced: whether foreign keys are enforced.
        ours: while it is set the statements are our own, and everything is allowed.
        refused: the last thing that was refused; empty if nothing was.
        touched: names of the tables and views that statements changed, made or dropped.
        checks: whether a statement asked for a check of the database.
        lost: whether a text that was read has bytes that are not UTF-8; any program may have stored such.
    """

    def __init__(self, *, writing: bool, seconds: float = SECONDS, enforced: bool = True) -> None:
        """The clock starts now."""
        self.writing = writing
        self.enforced = enforced
        self.seconds = seconds
        self.ours = True
        self.refused = ""
        self.touched: dict[str, None] = {}
        self.checks = self.lost = False
        self._end = time.monotonic() + seconds

    def decode_text(self, data: bytes) -> str:
        """The text of a cell; bytes that are not UTF-8 become U+FFFD."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            self.lost = True
            return data.decode("utf-8", "replace")

    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self._end

    @contextmanager
    def guard_foreign(self) -> Iterator[None]:
        """The body runs statements that were given to us."""
        self.ours, self.refused = False, ""
        try:
            yield
        finally:
            self.ours = True

    def authorize(self, action: int, first_argument: str | None, two: str | None, *where: str | None) -> int:
        """SQLite's question, at the preparation of a statement, for each thing that it does.

        `where` is the database, and the view or trigger that does it.
        """
        if self.ours or self._is_allowed(action, first_argument or "", two, where):
            return sqlite3.SQLITE_OK
        named = two if action == sqlite3.SQLITE_FUNCTION else first_argument
        self.refused = " ".join(filter(None, [_ACTION_NAMES.get(action, "this"), named]))
        return sqlite3.SQLITE_DENY

    def _is_allowed(self, action: int, first_argument: str, two: str | None, where: tuple[str | None, ...]) -> bool:
        if action in _READ_ACTIONS:
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            return (two or "").lower() not in _FUNCTIONS
        if action == sqlite3.SQLITE_PRAGMA:
            return self._is_pragma_allowed(first_argument.lower(), two)
        if action == sqlite3.SQLITE_UPDATE and first_argument in _TABLES_OF_SCHEMA and not self.writing:
            return True  # asked when a virtual table is read; a real change of it is refused by SQLite itself
        return self.writing and self._is_change_allowed(action, first_argument, two, where)

    def _is_pragma_allowed(self, name: str, argument: str | None) -> bool:
        self.checks = self.checks or name in ("integrity_check", "quick_check")
        if name in _ASKING or (name in _TELLING and argument is None):
            return True
        if name == "foreign_keys" and argument is not None:  # as it is already
            return self.writing and (not self.enforced or argument.lower() in ("on", "true", "yes", "1"))
        return self.writing and name in _SETTABLE_PRAGMAS

    def _is_change_allowed(
        self, action: int, first_argument: str, two: str | None, where: tuple[str | None, ...]
    ) -> bool:
        refused = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT)
        if action in refused or action not in _ACTION_NAMES:
            return False
        if (
            action in (sqlite3.SQLITE_CREATE_VTABLE, sqlite3.SQLITE_DROP_VTABLE)
            and (two or "").lower() not in _TABLE_MODULES
        ):
            return False
        if action == sqlite3.SQLITE_ALTER_TABLE:
            first_argument, where = two or "", (first_argument,)
        if where[0] == "main" and not first_argument.startswith("sqlite_") and action not in _OF_NO_TABLE:
            self.touched.setdefault(first_argument)
        return True


@dataclass(frozen=True)
class Guarded:
    """A connection and its guard."""

    connection: sqlite3.Connection
    guard: Guard


@contextmanager
def open_reading(path: Path, name: str, seconds: float = SECONDS) -> Iterator[Guarded]:
    """A connection to a main file that nobody changes meanwhile; it writes nothing anywhere.

    Raises:
        Problem: the file, called `name`, is damaged from the start.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        guard = Guard(writing=False, seconds=seconds)
        _set_up(connection, guard, name, "query_only=ON")
        yield Guarded(connection, guard)


@contextmanager
def open_writing(path: Path, name: str, seconds: float = SECONDS, *, enforced: bool = True) -> Iterator[Guarded]:
    """A connection to a draft, in a transaction that the body ends; what is beside a database is kept in memory.

    Raises:
        Problem: the draft of what is called `name` is damaged from the start.
    """
    with closing(sqlite3.connect(path)) as connection:
        guard = Guard(writing=True, seconds=seconds, enforced=enforced)
        # Whoever saves the draft waits for the disk.
        _set_up(connection, guard, name, "journal_mode=MEMORY", "synchronous=OFF", f"foreign_keys={enforced:d}")
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute(f"PRAGMA max_page_count={MAX_FILE_BYTES // page}").fetchone()
        connection.execute("BEGIN IMMEDIATE")
        yield Guarded(connection, guard)


def make_damage_problem(name: str, message: object) -> Problem:
    """The problem that a database is damaged."""
    return Problem(
        f"{name!r} is damaged ({message}); PRAGMA integrity_check may show where. Use an older copy, or "
        "recover it with the program that wrote it"
    )


def _set_up(connection: sqlite3.Connection, guard: Guard, name: str, *settings: str) -> None:
    connection.isolation_level = None
    connection.text_factory = guard.decode_text
    for limit, most in _SQLITE_LIMITS.items():
        connection.setlimit(limit, most)
    _defend_connection(connection)
    always = ("cell_size_check=ON", "temp_store=MEMORY", "mmap_size=0")
    try:
        for setting in (*always, *settings, "schema_version"):
            connection.execute(f"PRAGMA {setting}").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise make_damage_problem(name, error) from error
    connection.set_authorizer(guard.authorize)
    connection.set_progress_handler(guard.is_late, _STEPS)


def _defend_connection(connection: sqlite3.Connection) -> None:
    """Close what the authorizer is not asked about: CHECK constraints, indexes and generated columns that compute.

    trusted_schema=OFF would do that, but for many versions the JSON functions as well, which real schemas call. The
    defensive mode Python reaches from 3.12 on; before, the authorizer has to do.
    """
    for function in _FUNCTIONS:
        connection.create_function(function, 1, _refuse_function)
        connection.create_function(function, 2, _refuse_function)
    if hasattr(connection, "setconfig"):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined,unused-ignore]  # noqa: FBT003


def _refuse_function(*_: object) -> None:
    raise Problem("this function is not allowed; it reaches outside the database")
