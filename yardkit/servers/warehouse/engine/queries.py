"""What reads: queries, plans, descriptions. These functions run in a bounded process."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.warehouse.engine import duck
from yardkit.servers.warehouse.engine.cells import Page, shown
from yardkit.servers.warehouse.engine.names import find_table
from yardkit.servers.warehouse.engine.prepared import connect, prepare, read, require_query
from yardkit.servers.warehouse.engine.results import (
    ColumnLine,
    DatasetLine,
    Datasets,
    Dialect,
    Exported,
    Plan,
    Rows,
    TableView,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PRELOAD = (
    *("duckdb", "sqlglot", "sqlglot.dialects.snowflake", "sqlglot.dialects.bigquery", "sqlglot.dialects.duckdb"),
    *("sqlglot.dialects.postgres", "sqlglot.optimizer.qualify", "sqlglot.optimizer.annotate_types"),
)
MAX_ROWS = 1_000_000
"""Rows of one result, of which pages are shown."""
_CHUNK = 20_000
_FORMATS = {
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
}


def query(
    ground: duck.Ground,
    sql: str,
    dialect: Dialect,
    offset: int,
    limit: int,
    whole: bool = False,
) -> Rows:
    """A page of what a query gives; a `whole` one is not cut at the length of a result.

    Raises:
        Problem: it is not a query, fails, or gives too many rows.
    """
    statement = read(ground, sql, dialect)
    require_query(statement)
    connection = connect(ground, statement)
    made = prepare(ground, statement, connection)
    with duck.told(ground.root):
        result = connection.execute(made)
        names, types = heads(result, dialect)
        return _page(result, names, types, offset, Page(limit, whole=whole))


def explain(ground: duck.Ground, sql: str, dialect: Dialect) -> Plan:
    """How a query would be worked out.

    Raises:
        Problem: it is not a query, or cannot be.
    """
    statement = read(ground, sql, dialect)
    require_query(statement)
    connection = connect(ground, statement)
    tables = statement.order
    reads = {str(name): duck.row_count(connection, ground, name) for name in tables}
    made = prepare(ground, statement, connection)
    with duck.told(ground.root):
        plan = "\n".join(str(row[1]) for row in connection.execute(f"EXPLAIN {made}").fetchall())
    size = sum(ground.path(name).stat().st_size for name in tables)
    return Plan(made, reads, size, plan.replace(str(ground.root), "."))


def export(ground: duck.Ground, sql: str, dialect: Dialect, draft: Path, suffix: str) -> Exported:
    """Write all rows of a query to a file.

    Raises:
        Problem: it is not a query, or the format is not known.
    """
    if suffix not in _FORMATS:
        raise Problem(f"cannot write {suffix or 'a file without a suffix'!r}; use one of {', '.join(_FORMATS)}")
    statement = read(ground, sql, dialect)
    require_query(statement)
    connection = connect(ground, statement, (str(draft),))
    made = prepare(ground, statement, connection)
    with duck.told(ground.root):
        names = list(heads(connection.execute(f"DESCRIBE {made}"), dialect, described=True)[0])
        connection.execute(f"COPY ({made}) TO {duck.literal(str(draft))} ({_FORMATS[suffix]})")
        rows = connection.fetchone()
    return Exported(int(rows[0]) if rows else 0, names)


def describe(ground: duck.Ground, parts: Sequence[str]) -> TableView:
    """A table with its columns, an example of each, and how often it is null.

    Raises:
        Problem: there is no such table, or its file is damaged.
    """
    name = find_table(ground.catalog, parts)
    connection = duck.connected([ground.path(name)])
    types = duck.register(connection, ground, "t", name)
    facts = ground.catalog.table(name)
    rows = duck.row_count(connection, ground, name)
    picked = ", ".join(f"count({duck.quoted(c)}), any_value({duck.quoted(c)})" for c in types)
    with duck.told(ground.root):
        found: Sequence[Any] = connection.execute(f"SELECT {picked} FROM t").fetchone() or ()  # noqa: S608
    lines = []
    for place, (column, type_) in enumerate(types.items()):
        known = facts.columns.get(column)
        said = (known.nullable, known.default, known.description) if known else (True, "", "")
        example = shown(found[2 * place + 1])
        lines.append(ColumnLine(column, type_, *said, rows - found[2 * place], _brief(example)))
    size = ground.path(name).stat().st_size
    return TableView(str(name), facts.description, facts.created, rows, size, lines)


def datasets(ground: duck.Ground) -> Datasets:
    """All schemas with the tables in them."""
    names = list(ground.catalog.tables())
    connection = duck.connected([ground.path(name) for name in names])
    counts = {name: duck.row_count(connection, ground, name) for name in names}
    lines = [
        DatasetLine(
            f"{database}.{schema}",
            facts.description,
            {name.table: rows for name, rows in counts.items() if name[:2] == (database, schema)},
        )
        for database, schemas in sorted(ground.catalog.databases.items())
        for schema, facts in sorted(schemas.items())
    ]
    return Datasets(ground.catalog.database, lines)


def heads(result: DuckDBPyConnection, dialect: Dialect, *, described: bool = False) -> tuple[list[str], list[str]]:
    """The names and types of the columns; names of Snowflake are in upper case but those that were quoted."""
    described_rows = result.fetchall() if described else [column[:2] for column in result.description or []]
    names = [str(row[0]) for row in described_rows]
    types = [duck.shown_type(str(row[1]), dialect) for row in described_rows]
    return [name.upper() for name in names] if dialect == "snowflake" else names, types


def _page(result: DuckDBPyConnection, names: list[str], types: list[str], offset: int, page: Page) -> Rows:
    total, full = 0, False
    while chunk := result.fetchmany(_CHUNK):
        for row in islice(chunk, max(0, offset - total), None):
            full = full or not page.take(row)
            if full:
                break
        total += len(chunk)
        if total > MAX_ROWS:
            raise Problem(f"the result has more than {MAX_ROWS:,} rows; aggregate, filter, or end it with LIMIT")
    return page.result(names, types, min(offset, total), total)


def _brief(value: Any) -> Any:
    return value[:80] if isinstance(value, str) else value
