"""What a database holds."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from yardkit.servers.database.engine.cells import MAX_CHARACTERS
from yardkit.servers.database.engine.database_files import SIDES, prepare_main_file
from yardkit.servers.database.engine.guarded_connections import Guarded, open_reading
from yardkit.servers.database.engine.results import Column, Description, ForeignKey, Index, Table, Trigger
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems, list_tables, suggest_names
from yardkit.world import Problem

COUNTING_S = 10.0
"""How long the rows of all tables of a page may be counted."""
_MAX_SQL = 8_000
_PART_COST = 50
"""Characters that a column, an index or the like takes besides its name."""
_LISTED = (
    "SELECT l.name, l.type, l.wr, l.strict, m.sql FROM pragma_table_list AS l LEFT JOIN sqlite_master AS m "
    "ON m.name = l.name AND m.type IN ('table', 'view') WHERE l.schema = 'main' "
    "AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name"
)
_INDEX_ORIGINS = {"c": "index", "u": "unique", "pk": "primary key"}
_WHAT_IS_BESIDE = {
    "-wal": "changes that are not in the file itself yet, taken into account",
    "-journal": "what undoes a change that was broken off, taken into account",
}


def describe_database(
    path: Path, display_name: str, table: str | None = None, offset: int = 0, limit: int = 50
) -> Description:
    """The tables and views of a database with columns, keys, indexes, triggers and numbers of rows.

    Args:
        path: the database.
        display_name: its name in the result.
        table: only this one, with the SQL that made it and its triggers.
        offset: tables to skip.
        limit: tables at most.

    Raises:
        Problem: it is no database or damaged, or has no such table.
    """
    with (
        prepare_main_file(path) as main,
        open_reading(main, path.name, COUNTING_S) as guarded,
        failures_as_problems(guarded, path.name),
    ):
        # Nothing here is given to us, but the schema is: a view may be anything.
        listed = guarded.connection.execute(_LISTED).fetchall()
        if table is None:
            described = _take_fitting(
                _describe_table(guarded, row, detailed=False) for row in listed[offset : offset + limit]
            )
        else:
            described = [_describe_table(guarded, _find_row(guarded, listed, table), detailed=True)]
        following = offset + len(described)
        beside = {end: path.with_name(path.name + end) for end in SIDES if end in _WHAT_IS_BESIDE}
        notes = [f"{file.name}: {_WHAT_IS_BESIDE[end]}" for end, file in beside.items() if _measure_size(file)]
        if any(entry.rows is None and entry.kind != "view" for entry in described):
            notes.append("rows were not counted where that would take too long")
        return Description(
            path=display_name,
            size_bytes=path.stat().st_size + sum(map(_measure_size, beside.values())),
            encoding=_fetch_value(guarded, "PRAGMA encoding"),
            user_version=_fetch_value(guarded, "PRAGMA user_version"),
            table_count=len(listed),
            tables=described,
            next_offset=following if table is None and following < len(listed) else None,
            notes=notes,
        )


def _take_fitting(described: Iterable[Table]) -> list[Table]:
    """The first tables, as many as one result has room for, but at least one."""
    fitting: list[Table] = []
    left = MAX_CHARACTERS
    for table in described:
        left -= len(table.sql or "") + sum(_PART_COST + len(part.name) for part in _list_parts(table))
        if fitting and left < 0:
            break
        fitting.append(table)
    return fitting


def _list_parts(table: Table) -> list[Table | Column | Index | Trigger]:
    return [table, *table.columns, *table.indexes, *table.triggers]


def _measure_size(path: Path) -> int:
    return path.stat().st_size if os.path.lexists(path) else 0


def _fetch_value(guarded: Guarded, sql: str) -> Any:
    return guarded.connection.execute(sql).fetchone()[0]


def _find_row(guarded: Guarded, listed: list[Any], table: str) -> Any:
    for row in listed:
        if row[0].lower() == table.lower():
            return row
    raise Problem(f"no such table: {table}; {suggest_names(table, list_tables(guarded.connection), 'tables')}")


def _describe_table(guarded: Guarded, listed: Any, *, detailed: bool) -> Table:
    name, kind, without_rowid, strict, sql = listed
    if kind == "shadow" and not detailed:
        return Table(name, kind, _count_rows(guarded, name))
    try:
        columns = columns_of(guarded, name)
    except sqlite3.OperationalError as error:
        # A view over a table that is gone, or a virtual table of an extension.
        return Table(name, kind, sql=f"{(sql or '')[:_MAX_SQL]} -- cannot be used: {error}")
    return Table(
        name=name,
        kind=kind,
        rows=None if kind == "view" else _count_rows(guarded, name),
        columns=columns,
        foreign_keys=_foreign_keys(guarded, name),
        indexes=_list_indexes(guarded, name),
        triggers=_list_triggers(guarded, name, detailed=detailed),
        strict=bool(strict),
        without_rowid=bool(without_rowid) and kind == "table",
        sql=(sql or "")[:_MAX_SQL] or None if detailed or kind in ("view", "virtual") else None,
    )


def _count_rows(guarded: Guarded, name: str) -> int | None:
    try:
        return int(_fetch_value(guarded, f"SELECT count(*) FROM {quote_name(name)}"))  # noqa: S608 - quoted
    except sqlite3.OperationalError:  # out of time; or a virtual table of an extension that is not here
        return None


def quote_name(name: str) -> str:
    """A name as SQL takes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def columns_of(guarded: Guarded, name: str) -> list[Column]:
    """The columns of a table that statements can name."""
    sql = 'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)'
    return [
        Column(column, kind, bool(not_null), default, key, generated=hidden in (2, 3))
        for column, kind, not_null, default, key, hidden in guarded.connection.execute(sql, (name,))
        if hidden != 1
    ]


def _foreign_keys(guarded: Guarded, name: str) -> list[ForeignKey]:
    sql = 'SELECT id, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'
    keys = []
    for _, group in groupby(guarded.connection.execute(sql, (name,)), key=lambda row: row[0]):
        rows = list(group)
        _, target, _, _, on_update, on_delete = rows[0]
        to_columns = [row[3] for row in rows if row[3] is not None]
        keys.append(ForeignKey([row[2] for row in rows], target, to_columns, on_update, on_delete))
    return keys


def _list_indexes(guarded: Guarded, name: str) -> list[Index]:
    sql = 'SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY name'
    inner = "SELECT name FROM pragma_index_info(?) ORDER BY seqno"
    return [
        Index(
            name=index,
            columns=[row[0] for row in guarded.connection.execute(inner, (index,))],
            unique=bool(unique),
            partial=bool(partial),
            origin=_INDEX_ORIGINS.get(origin, origin),
        )
        for index, unique, origin, partial in guarded.connection.execute(sql, (name,)).fetchall()
    ]


def _list_triggers(guarded: Guarded, name: str, *, detailed: bool) -> list[Trigger]:
    sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY name"
    trigger_rows = guarded.connection.execute(sql, (name,))
    return [Trigger(trigger, (text or "")[:_MAX_SQL] if detailed else None) for trigger, text in trigger_rows]
