"""Data files into tables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from yardkit.servers.database.engine.cells import shorten_text
from yardkit.servers.database.engine.changes import count_rows, nothing_changed
from yardkit.servers.database.engine.description import columns_of, quote_name
from yardkit.servers.database.engine.drafts import open_draft
from yardkit.servers.database.engine.guarded_connections import Guarded
from yardkit.servers.database.engine.results import Column, Import
from yardkit.servers.database.engine.sources import (
    Cell,
    Source,
    check_value,
    find_rewritten,
    parse_cell,
    read_source,
    types_of,
)
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems, list_tables, suggest_names
from yardkit.world import Problem

Mode = Literal["new", "append"]
Type = Literal["INTEGER", "REAL", "NUMERIC", "TEXT"]
_SECONDS = 60.0
"""How long an import may take, with the reading of the file."""
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_INTEGER_TEXT = re.compile(r"\s*([-+]?\d+)(\.0*)?\s*", re.ASCII)


def import_table(
    path: Path,
    draft: Path,
    source: Path,
    table: str,
    mode: Mode = "new",
    types: Mapping[str, Type] | None = None,
    delimiter: str | None = None,
) -> Import:
    """Write to `draft` the database `path` with the rows of `source` in `table`.

    Args:
        path: the database; without it a new one is made.
        draft: what will take its place.
        source: a .csv, .tsv, .txt, .json or .jsonl file.
        table: its name.
        mode: new makes the table; append adds to it, by the names of columns.
        types: of columns of a new table, where the types of their values are not what is wanted.
        delimiter: of CSV; without it the one that fits.

    Raises:
        Problem: the file cannot be read, names or values do not fit; the draft is of no use then.
    """
    with nothing_changed(), open_draft(path, draft, _SECONDS) as changed_draft:
        read = read_source(source, delimiter)
        with failures_as_problems(changed_draft.guarded, path.name):
            columns = (
                _create_columns(changed_draft.guarded, read, table, types or {})
                if mode == "new"
                else _match_columns(changed_draft.guarded, read, table)
            )
            rows = _fill_table(changed_draft.guarded, read, table, columns)
        notes = [*read.notes, *(find_rewritten(read, _list_chosen_types(columns, types)) if mode == "new" else [])]
        later_notes = changed_draft.notes
    return Import(table, rows, columns, count_rows(draft, path.name, [table])[0].rows, [*notes, *later_notes])


def _list_chosen_types(columns: Sequence[Column], types: Mapping[str, Type] | None) -> list[str]:
    """The type of each column that was chosen by its values; empty for one that was given."""
    given = {name.lower() for name in types or {}}
    return ["" if column.name.lower() in given else column.type for column in columns]


def _create_columns(guarded: Guarded, source: Source, table: str, types: Mapping[str, Type]) -> list[Column]:
    if table.lower() in map(str.lower, list_tables(guarded.connection)):
        raise Problem(f"the table {table!r} already exists; use another name, or mode append")
    types_by_name = {name.lower(): kind for name, kind in types.items()}
    for name in types:
        if name.lower() not in map(str.lower, source.names):
            raise Problem(f"types names {name!r}; {suggest_names(name, source.names, 'columns')}")
    columns = [
        Column(name, types_by_name.get(name.lower(), kind))
        for name, kind in zip(source.names, types_of(source), strict=True)
    ]
    listed = ", ".join(f"{quote_name(column.name)} {column.type}".strip() for column in columns)
    with guarded.guard.guard_foreign():
        guarded.connection.execute(f"CREATE TABLE {quote_name(table)} ({listed})")
    return columns


def _match_columns(guarded: Guarded, source: Source, table: str) -> list[Column]:
    if table.lower() not in map(str.lower, list_tables(guarded.connection)):
        names = suggest_names(table, list_tables(guarded.connection), "tables")
        raise Problem(f"the table {table!r} does not exist; {names}. Use mode new to create it")
    known = {column.name.lower(): column for column in columns_of(guarded, table) if not column.generated}
    for name in source.names:
        if name.lower() not in known:
            names = suggest_names(name, [column.name for column in known.values()], "columns")
            raise Problem(f"the table {table!r} has no writable column {name!r}; {names}")
    return [known[name.lower()] for name in source.names]


def _fill_table(guarded: Guarded, source: Source, table: str, columns: list[Column]) -> int:
    names, marks = ", ".join(quote_name(column.name) for column in columns), ", ".join("?" * len(columns))
    readers = [_make_reader(column, text=source.text) for column in columns]
    sql = f"INSERT INTO {quote_name(table)} ({names}) VALUES ({marks})"  # noqa: S608 - quoted
    count = 0
    with guarded.guard.guard_foreign():
        for place, row in source.rows():
            values = list(_convert_row(place, row, columns, readers))
            try:
                with failures_as_problems(guarded, table):
                    guarded.connection.execute(sql, values)
            except Problem as problem:
                raise Problem(f"{place}: {problem}") from problem
            count += 1
    return count


Reader = Callable[[Cell], Cell]


def _convert_row(place: str, row: Sequence[Cell], columns: list[Column], readers: list[Reader]) -> Iterator[Cell]:
    for column, reader, cell in zip(columns, readers, row, strict=True):
        try:
            yield check_value(reader(cell), place, column.name)
        except ValueError:
            raise Problem(
                f"{place}, {column.name!r}: {shorten_text(repr(cell))} is not a valid {column.type} value; "
                "correct the file, or set the column's type to TEXT"
            ) from None


def _make_reader(column: Column, *, text: bool) -> Reader:
    """How cells become values of a column, by its affinity: https://www.sqlite.org/datatype3.html, section 3.1."""
    kind = column.type.upper()
    if "INT" in kind:
        return _to_integer
    if any(word in kind for word in ("CHAR", "CLOB", "TEXT")):
        return _as_it_is
    if any(word in kind for word in ("REAL", "FLOA", "DOUB")):
        return _to_real
    return _convert_text if text else _as_it_is


def _as_it_is(cell: Cell) -> Cell:
    return cell


def _convert_text(cell: Cell) -> Cell:
    return parse_cell(cell) if isinstance(cell, str) else cell


def _to_integer(cell: Cell) -> Cell:
    if isinstance(cell, str):
        if not (match := _INTEGER_TEXT.fullmatch(cell)):
            raise ValueError
        return int(match[1])
    if isinstance(cell, float):
        if not cell.is_integer():
            raise ValueError
        return int(cell)
    return cell


def _to_real(cell: Cell) -> Cell:
    if isinstance(cell, str):
        if not _NUMBER.fullmatch(cell) or not math.isfinite(float(cell)):
            raise ValueError
        return float(cell)
    return cell
