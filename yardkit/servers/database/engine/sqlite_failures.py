"""What SQLite says when something fails, told as problems: what, where, and what to do."""

from __future__ import annotations

import difflib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from yardkit.servers.database.engine.cells import shorten_text
from yardkit.servers.database.engine.guarded_connections import Guarded, make_damage_problem
from yardkit.world import Problem
from yardkit.world.limits import MAX_FILE_BYTES

_NEAR = re.compile(r'near "(.*)": syntax error', re.DOTALL)
_NO_TABLE = re.compile(r"no such table: (?:main\.)?(.+)")
_NO_COLUMN = re.compile(r"no such column: (?:.*\.)?(.+)|table .+ has no column named (.+)")
_FOREIGN_COLUMN = re.compile(r"table (.+) has no column named")
_NO_FUNCTION = re.compile(r"no such function: (.+)")
_CONSTRAINT_HINTS = {
    "UNIQUE constraint": "; there is a row with this value. Give another one, or say ON CONFLICT what to do",
    "NOT NULL constraint": "; give a value",
    "CHECK constraint": "; describe_database shows the condition in the SQL of the table",
    "FOREIGN KEY constraint": "; a row that it names is not there, or other rows name the row that would go",
    "cannot VACUUM": ", and a call is one. Leave it out",
    "bindings supplied": "; give as many parameters as there are ?",
    "binding": "; parameters are a list for ?, an object for :name",
}
_FOREIGN_COMMANDS = {
    **dict.fromkeys(("show", "describe", "desc", "."), "use describe_database to see tables and columns"),
    **dict.fromkeys(("now", "getdate", "curdate"), "take datetime('now') or date('now')"),
    **dict.fromkeys(("year", "month", "date_format", "to_char", "extract"), "take strftime('%Y-%m', column)"),
    **dict.fromkeys(("date_add", "date_sub", "dateadd"), "take date(column, '+1 month')"),
    "datediff": "take julianday(one) - julianday(other)",
    "concat": "join texts with ||",
    "regexp": "take LIKE, GLOB or instr()",
    "ilike": "take LIKE, which disregards the case of a-z",
    "%": "parameters are written ? or :name",
    "truncate": "take DELETE FROM",
}
"""What other databases know under these words, and SQLite otherwise."""
_MOST_NAMES_LISTED = 30
_DAMAGE_PHRASES = (
    "is malformed",
    "malformed database",
    "malformed inverted",
    "not a database",
    "disk I/O error",
    "corrupt",
)
_TRIES = 1_000
READ_ONLY = "query_database only reads; use change_database to change data"


@contextmanager
def failures_as_problems(guarded: Guarded, name: str, sql: str = "") -> Iterator[None]:
    """Turn what SQLite raises in the body into a `Problem`.

    Args:
        guarded: where the body runs.
        name: of the database.
        sql: the statement, if it was given to us.
    """
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        guarded.guard.ours = True
        raise Problem(_explain_reason(guarded, str(error), name, sql)) from error
    except UnicodeDecodeError as error:  # of a name or a message
        raise make_damage_problem(name, "a name in its schema is not valid UTF-8") from error


def _explain_reason(guarded: Guarded, message: str, name: str, sql: str) -> str:
    guard = guarded.guard
    if guard.refused:
        return _explain_refusal(guard.refused, writing=guard.writing)
    if "interrupted" in message:
        return f"it took longer than {guard.seconds:g} s and was stopped; ask for less at once, or add an index"
    if "one statement at a time" in message:
        return f"more than one statement in {shorten_text(sql)!r}; give one"
    if "disk is full" in message:
        return f"{name!r} would be larger than {MAX_FILE_BYTES:,} bytes, or the disk is full; delete what is not needed"
    if any(word in message for word in _DAMAGE_PHRASES):
        return str(make_damage_problem(name, message))
    return _in_sql(guarded, message, sql)


def _explain_refusal(what: str, *, writing: bool) -> str:
    if what.startswith(("TRANSACTION", "SAVEPOINT")):
        return f"{what} is refused: a call is one transaction already. Leave it out"
    if what.startswith("FUNCTION"):
        return f"the function {what[9:]} is refused, since it can reach outside the database. Leave it out"
    if what.startswith(("ATTACH", "DETACH")):
        return "ATTACH, DETACH and VACUUM are refused: a call works on one database. Leave it out"
    if what == "PRAGMA foreign_keys" and writing:
        return "PRAGMA foreign_keys = OFF must be the first statement; foreign keys are looked at at the end then"
    if what.startswith("PRAGMA"):
        return f"{what} is refused: only pragmas that describe the database can be used here. Leave it out"
    what = "changing the schema" if "sqlite_" in what else what
    return f"{what} is refused" + ("" if writing else f": {READ_ONLY}")


def _in_sql(guarded: Guarded, message: str, sql: str) -> str:
    connection = guarded.connection
    if match := _NEAR.search(message):
        return f"{message}{_locate_error(guarded, sql, match[1])}{_suggest_word(match[1])}"
    if match := _NO_TABLE.search(message):
        return f"{message}; {suggest_names(match[1], list_tables(connection), 'tables')}"
    if match := _NO_COLUMN.search(message):
        wrong = match[1] or match[2]
        hint = " (put text in single quotes)" if f'"{wrong}"' in sql else ""
        return f"{message}; {suggest_names(wrong, _list_columns(connection, message, sql), 'columns')}{hint}"
    if match := _NO_FUNCTION.search(message):
        return message + (
            _suggest_word(match[1]) or f"; {suggest_names(match[1], list_functions(connection), 'functions')}"
        )
    if "incomplete input" in message:
        return f"the statement ends too early: {shorten_text(sql)!r}; is a bracket or quote open?"
    hint = next((hint for words, hint in _CONSTRAINT_HINTS.items() if words.lower() in message.lower()), "")
    return f"SQLite says: {message.rstrip('.')}{hint}"


def _suggest_word(word: str) -> str:
    """How SQLite says what other databases say with `word`."""
    return f"; {_FOREIGN_COMMANDS[word.lower()]}" if word.lower() in _FOREIGN_COMMANDS else ""


def _locate_error(guarded: Guarded, sql: str, token: str) -> str:
    """Where the parser stopped: the first place of `token` at which also the text up to it does not parse."""
    token_index = sql.find(token) if token and "EXPLAIN" not in token.upper() else -1
    for _ in range(_TRIES):
        if token_index < 0:
            break
        end = token_index + len(token)
        try:
            with guarded.guard.guard_foreign():  # some pragmas set something even where they are only explained
                guarded.connection.execute("EXPLAIN " + sql[:end])
        except (sqlite3.Error, sqlite3.Warning) as error:
            if _NEAR.search(str(error)):
                line, start = sql.count("\n", 0, token_index) + 1, sql.rfind("\n", 0, token_index)
                return f" (line {line}, column {token_index - start})"
        token_index = sql.find(token, end)
    return ""


def suggest_names(wrong: str, names: list[str], what: str) -> str:
    """What a wrong name may have meant: close matches, or all names if they are few."""
    bare = wrong.strip("\"`[]'").rpartition(".")[2]
    lower = {name.lower(): name for name in names}
    close = [lower[match] for match in difflib.get_close_matches(bare.lower(), lower, n=3, cutoff=0.6)]
    if close:
        return "did you mean " + " or ".join(map(repr, close)) + "?"
    if not names:
        return f"there are no {what}"
    if len(names) <= _MOST_NAMES_LISTED:
        return f"{what}: {', '.join(map(repr, names))}"
    return f"use describe_database to see the {what}"


def list_tables(connection: sqlite3.Connection) -> list[str]:
    """Names of tables and views."""
    sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return _fetch_names(connection, sql + " ORDER BY name LIMIT 2000")


def list_functions(connection: sqlite3.Connection) -> list[str]:
    """Names of functions."""
    return sorted(set(_fetch_names(connection, "SELECT name FROM pragma_function_list")))


def _list_columns(connection: sqlite3.Connection, message: str, sql: str) -> list[str]:
    """Columns of the table that the message names, else of the tables that the statement names."""
    match = _FOREIGN_COLUMN.search(message)
    every = list_tables(connection)
    named = [match[1]] if match else [name for name in every if name.lower() in sql.lower()] or every
    column_names: dict[str, None] = {}
    for name in named[:50]:
        column_names |= dict.fromkeys(_fetch_names(connection, "SELECT name FROM pragma_table_xinfo(?)", name))
    return list(column_names)


def _fetch_names(connection: sqlite3.Connection, sql: str, *parameters: str) -> list[str]:
    try:
        return [str(row[0]) for row in connection.execute(sql, parameters)]
    except sqlite3.Error:
        return []
