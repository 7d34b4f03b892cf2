"""Statements that change a database, all or none."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from yardkit.servers.database.engine.cells import Page, Parameter, Parameters, bind_parameters, shorten_text
from yardkit.servers.database.engine.description import quote_name
from yardkit.servers.database.engine.drafts import Draft, open_draft
from yardkit.servers.database.engine.guarded_connections import Guarded, open_reading
from yardkit.servers.database.engine.queries import check_text, names_of
from yardkit.servers.database.engine.quoted_names import check_quoted_names
from yardkit.servers.database.engine.results import Change, Done, Rows, TableRows
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems
from yardkit.world import Problem

MAX_STATEMENTS = 10_000
_MOST_ROWS_LISTED = 50
_MOST_TABLES_LISTED = 50
_BLANK = re.compile(r"(?:\s++|--[^\n]*+|/\*.*?(?:\*/|\Z)|;)*+", re.DOTALL)
"""What SQL may begin with: white space, comments, lone semicolons."""
_QUOTED_OR_END = re.compile(
    r"""'[^']*(?:'|\Z)|"[^"]*(?:"|\Z)|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|--[^\n]*|/\*.*?(?:\*/|\Z)|(;)""", re.DOTALL
)
_UNENFORCED = re.compile(r"PRAGMA\s+foreign_keys\s*[=(]\s*(?:off|false|no|0)\s*\)?[\s;]*", re.IGNORECASE)
_CHANGE_KEYWORDS = ("INSERT", "REPLACE", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Statement:
    """One statement with its values.

    Attributes:
        sql: one statement.
        parameters: a list for ?, an object for :name; a list of lists or of objects runs it once for each.
    """

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    sql: str
    parameters: list[Parameter | list[Parameter] | dict[str, Parameter]] | dict[str, Parameter] | None = None


def change_database(path: Path, draft: Path, statements: Sequence[str | Statement]) -> Change:
    """Write to `draft` the database `path` as it is after the statements; without `path` a new one.

    A text may hold several statements. If the first is ``PRAGMA foreign_keys = OFF``, foreign keys are looked at only
    at the end: else no table could be made anew, since to drop the old one deletes the rows that name its rows.

    Raises:
        Problem: a statement fails; it says which. The draft is of no use then.
    """
    with nothing_changed():
        single = _split_statements(statements)
        enforced = not _UNENFORCED.fullmatch(_BLANK.sub("", single[0].sql, count=1))
    with nothing_changed(), open_draft(path, draft, enforced=enforced) as changed_draft:
        before = _map_tables(changed_draft.guarded)
        done = [_run(changed_draft, number, statement) for number, statement in enumerate(single, 1)]
        after = _map_tables(changed_draft.guarded)
        touched = [name for name in changed_draft.guarded.guard.touched if name.lower() in {*before, *after}]
        touched += [name for low, name in after.items() if low not in {*before, *map(str.lower, touched)}]
        notes = changed_draft.notes
    return Change(done, count_rows(draft, path.name, touched), notes)


@contextmanager
def nothing_changed() -> Iterator[None]:
    """Say so in every problem of the body."""
    try:
        yield
    except Problem as problem:
        text = str(problem)
        raise Problem(f"{text}{'' if text.endswith('.') else '.'} Nothing was changed") from problem


def _split_statements(statements: Sequence[str | Statement]) -> list[Statement]:
    single = []
    for statement in statements:
        single += [statement] if isinstance(statement, Statement) else [Statement(sql) for sql in split_sql(statement)]
        if len(single) > MAX_STATEMENTS:
            raise Problem(f"more than {MAX_STATEMENTS:,} statements were given; use lists of parameters instead")
    if not single:
        raise Problem("no statement was given; use SQL such as INSERT INTO ...")
    return single


def split_sql(sql: str) -> list[str]:
    """The statements of a text, as SQLite's own shell divides it: a trigger with its BEGIN and END is one."""
    check_text(sql)
    statements, start = [], 0
    for mark in _QUOTED_OR_END.finditer(sql):
        if mark[1] and sqlite3.complete_statement(sql[start : mark.end()]):
            statements.append(sql[start : mark.end()])
            start = mark.end()
    return [name.strip() for name in [*statements, sql[start:]] if _BLANK.sub("", name, count=1)]


def _run(draft: Draft, number: int, statement: Statement) -> Done:
    sql, guarded = statement.sql, draft.guarded
    check_text(sql)
    done, runs = Done(shorten_text(sql, 80)), 0
    try:
        with failures_as_problems(guarded, draft.name, sql):
            for parameters in _list_parameter_sets(statement):
                runs += 1
                done = _add_results(done, _run_once(guarded, sql, parameters))
    except Problem as problem:
        values = f", with its parameters number {runs}" if runs > 1 else ""
        raise Problem(f"statement {number} ({shorten_text(sql, 80)}){values}: {problem}") from problem
    return done


def _list_parameter_sets(statement: Statement) -> list[Parameters | None]:
    """The parameters of each run."""
    given = statement.parameters
    if not isinstance(given, list):
        return [given]
    sets = [record for record in given if isinstance(record, list | Mapping)]
    if not sets:
        return [[number for number in given if not isinstance(number, list | Mapping)]]
    if len(sets) < len(given):
        raise Problem("parameters mix single values with lists; give one list of values, or lists of values only")
    return list(sets)


def _run_once(guarded: Guarded, sql: str, parameters: Parameters | None) -> Done:
    connection = guarded.connection
    before = connection.total_changes
    values = bind_parameters(parameters)
    with guarded.guard.guard_foreign():
        check_quoted_names(connection, sql, values)
        cursor = connection.execute(sql, values)
        result = _first_rows(cursor) if cursor.description else None
    more = connection.total_changes - before
    direct = int(connection.execute("SELECT changes()").fetchone()[0]) if more else 0
    word = _BLANK.sub("", sql, count=1)[:7].upper()
    changes = word.startswith(_CHANGE_KEYWORDS) or (word.startswith("WITH") and (more or result is None))
    return Done(shorten_text(sql, 80), direct if changes else None, max(0, more - direct), result)


def _first_rows(cursor: sqlite3.Cursor) -> Rows:
    """The first rows of a statement, which is run to its end."""
    page, going, more = Page(names_of(cursor), 0, _MOST_ROWS_LISTED), True, False
    for row in cursor:
        going = going and page.take_row(row)
        more = more or not going
    first_page = page.rows(more=False)
    return replace(first_page, notes=[*first_page.notes, "there are more rows"]) if more else first_page


def _add_results(first: Done, other: Done) -> Done:
    """Two runs of a statement as one."""
    if first.rows_changed is None and other.rows_changed is None:
        rows_changed = None
    else:
        rows_changed = (first.rows_changed or 0) + (other.rows_changed or 0)
    also = first.also_changed + other.also_changed
    return Done(other.sql, rows_changed, also, _join_rows(first.result, other.result))


def _join_rows(first: Rows | None, other: Rows | None) -> Rows | None:
    if first is None or other is None:
        return first or other
    notes = dict.fromkeys([*first.notes, *other.notes])
    if len(first.rows) + len(other.rows) > _MOST_ROWS_LISTED:
        notes["there are more rows"] = None
    return Rows(first.columns, [*first.rows, *other.rows][:_MOST_ROWS_LISTED], notes=list(notes))


def _map_tables(guarded: Guarded) -> dict[str, str]:
    """Names of tables and views by their small letters."""
    sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' ORDER BY name"
    return {row[0].lower(): row[0] for row in guarded.connection.execute(sql) if not row[0].startswith("sqlite_")}


def count_rows(main: Path, name: str, tables: Sequence[str]) -> list[TableRows]:
    """How many rows tables have; shadow tables are left out, what is no table has none."""
    with open_reading(main, name) as guarded, failures_as_problems(guarded, name):
        listed = guarded.connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
        kinds = {str(table).lower(): kind for table, kind in listed}
        counts = []
        for table in [table for table in tables if kinds.get(table.lower()) != "shadow"][:_MOST_TABLES_LISTED]:
            sql = f"SELECT count(*) FROM {quote_name(table)}"  # noqa: S608 - quoted
            stored = kinds.get(table.lower()) in ("table", "virtual")
            counts.append(TableRows(table, int(guarded.connection.execute(sql).fetchone()[0]) if stored else None))
        return counts
