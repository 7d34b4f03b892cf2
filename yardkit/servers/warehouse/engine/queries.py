"""What reads: queries, plans, descriptions. These functions run in a bounded process."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.warehouse.engine import duck
from yardkit.servers.warehouse.engine.cells import Page, to_result_value
from yardkit.servers.warehouse.engine.names import find_table
from yardkit.servers.warehouse.engine.prepared import (
    Statement,
    connect_statement,
    prepare_sql,
    read_statement,
    require_query,
)
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
from yardkit.servers.warehouse.engine.shown_columns import show_columns
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


def run_query(
    ground: duck.Ground,
    sql: str,
    dialect: Dialect,
    offset: int,
    limit: int,
    is_complete: bool = False,
) -> Rows:
    """A page of what a query gives; a `whole` one is not cut at the length of a result.

    Raises:
        Problem: it is not a query, fails, or gives too many rows.
    """
    statement = read_statement(ground, sql, dialect)
    require_query(statement)
    connection = connect_statement(ground, statement)
    prepared_sql = prepare_sql(ground, statement, connection)
    with duck.translate_failures(ground.root):
        result = connection.execute(show_columns(connection, prepared_sql, dialect))
        names, types = list_heads(result, statement)
        return _fetch_page(result, names, types, offset, Page(limit, is_unlimited=is_complete))


def explain_query(ground: duck.Ground, sql: str, dialect: Dialect) -> Plan:
    """How a query would be worked out.

    Raises:
        Problem: it is not a query, or cannot be.
    """
    statement = read_statement(ground, sql, dialect)
    require_query(statement)
    connection = connect_statement(ground, statement)
    tables = statement.order
    reads = {str(name): duck.row_count(connection, ground, name) for name in tables}
    prepared_sql = prepare_sql(ground, statement, connection)
    with duck.translate_failures(ground.root):
        plan = "\n".join(str(row[1]) for row in connection.execute(f"EXPLAIN {prepared_sql}").fetchall())
    size = sum(ground.path(name).stat().st_size for name in tables)
    return Plan(prepared_sql, reads, size, plan.replace(str(ground.root), "."))


def export_rows(ground: duck.Ground, sql: str, dialect: Dialect, draft: Path, suffix: str) -> Exported:
    """Write all rows of a query to a file.

    Raises:
        Problem: it is not a query, or the format is not known.
    """
    if suffix not in _FORMATS:
        raise Problem(f"cannot write {suffix or 'a file without a suffix'!r}; use one of {', '.join(_FORMATS)}")
    statement = read_statement(ground, sql, dialect)
    require_query(statement)
    connection = connect_statement(ground, statement, (str(draft),))
    prepared_sql = prepare_sql(ground, statement, connection)
    with duck.translate_failures(ground.root):
        prepared_sql = show_columns(connection, prepared_sql, dialect)
        names = list(list_heads(connection.execute(f"DESCRIBE {prepared_sql}"), statement, described=True)[0])
        connection.execute(f"COPY ({prepared_sql}) TO {duck.quote_literal(str(draft))} ({_FORMATS[suffix]})")
        rows = connection.fetchone()
    return Exported(int(rows[0]) if rows else 0, names)


def describe_table(ground: duck.Ground, parts: Sequence[str]) -> TableView:
    """A table with its columns, an example of each, and how often it is null.

    Raises:
        Problem: there is no such table, or its file is damaged.
    """
    name = find_table(ground.catalog, parts)
    connection = duck.connect_files([ground.path(name)])
    types = duck.register_view(connection, ground, "t", name)
    facts = ground.catalog.table(name)
    rows = duck.row_count(connection, ground, name)
    picked = ", ".join(f"count({duck.quote_name(c)}), any_value({duck.quote_name(c)})" for c in types)
    with duck.translate_failures(ground.root):
        example_row: Sequence[Any] = connection.execute(f"SELECT {picked} FROM t").fetchone() or ()  # noqa: S608
    lines = []
    for place, (column, type_) in enumerate(types.items()):
        known = facts.columns.get(column)
        column_facts = (known.nullable, known.default, known.description) if known else (True, "", "")
        example = to_result_value(example_row[2 * place + 1])
        own_type = f"VARCHAR({known.max_length})" if known and known.max_length else type_
        lines.append(
            ColumnLine(column, own_type, *column_facts, rows - example_row[2 * place], _shorten_value(example))
        )
    size = ground.path(name).stat().st_size
    return TableView(str(name), facts.description, facts.created, rows, size, lines)


def list_datasets(ground: duck.Ground) -> Datasets:
    """All schemas with the tables in them."""
    names = list(ground.catalog.tables())
    connection = duck.connect_files([ground.path(name) for name in names])
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


def list_heads(
    result: DuckDBPyConnection, statement: Statement, *, described: bool = False
) -> tuple[list[str], list[str]]:
    """The names and types of the columns; names of Snowflake are in upper case but those that were quoted."""
    described_rows = result.fetchall() if described else [column[:2] for column in result.description or []]
    names = [str(row[0]) for row in described_rows]
    types = [duck.display_type(str(row[1]), statement.dialect) for row in described_rows]
    if statement.dialect == "snowflake":
        names = [name.upper() if name.islower() and name not in statement.quoted else name for name in names]
    return names, types


def _fetch_page(result: DuckDBPyConnection, names: list[str], types: list[str], offset: int, page: Page) -> Rows:
    total, full = 0, False
    while chunk := result.fetchmany(_CHUNK):
        for row in islice(chunk, max(0, offset - total), None):
            full = full or not page.add_row(row)
            if full:
                break
        total += len(chunk)
        if total > MAX_ROWS:
            raise Problem(f"the result has more than {MAX_ROWS:,} rows; aggregate, filter, or end it with LIMIT")
    return page.build_result(names, types, min(offset, total), total)


def _shorten_value(value: Any) -> Any:
    return value[:80] if isinstance(value, str) else value
