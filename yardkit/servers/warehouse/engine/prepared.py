"""A statement on its ground: the tables that it names are there, and it is said so that DuckDB can run it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yardkit.apps.warehouse import TableName
from yardkit.servers.warehouse.engine import duck
from yardkit.servers.warehouse.engine.names import find_table
from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.statements import Kind, kind_of, named_tables, parse_statement, parts_of
from yardkit.servers.warehouse.engine.sql.translation import normalize_names, rename_tables, translate_statement
from yardkit.world import Problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from sqlglot import exp


@dataclass
class Statement:
    """A statement that was read.

    Attributes:
        tables: that it reads or changes, by the parts of their names in it.
        inner: names of INFORMATION_SCHEMA in it.
        quoted: names that stand in quotes in it.
    """

    tree: exp.Expr
    kind: Kind
    dialect: Dialect
    tables: dict[tuple[str, ...], TableName] = field(default_factory=dict)
    inner: list[tuple[str, ...]] = field(default_factory=list)
    quoted: frozenset[str] = frozenset()

    @property
    def order(self) -> list[TableName]:
        """The tables, each once, in the order of their aliases."""
        return list(dict.fromkeys(self.tables.values()))

    @property
    def aliases(self) -> dict[tuple[str, ...], str]:
        """What DuckDB knows the named tables by."""
        own = {parts: f"t_{self.order.index(name)}" for parts, name in self.tables.items()}
        return own | {parts: f"i_{number}" for number, parts in enumerate(self.inner)}

    def alias(self, name: TableName) -> str:
        return next(self.aliases[parts] for parts, table in self.tables.items() if table == name)


def read_statement(ground: duck.Ground, sql: str, dialect: Dialect, skipped: exp.Table | None = None) -> Statement:
    """Read a statement and find its tables.

    Raises:
        Problem: it is not a valid query, or a table does not exist.
    """
    tree = parse_statement(sql, dialect)
    return resolve_tables(ground, tree, kind_of(tree, sql), dialect, skipped)


def resolve_tables(
    ground: duck.Ground, tree: exp.Expr, kind: Kind, dialect: Dialect, skipped: exp.Table | None = None
) -> Statement:
    """Find the tables of a tree but one that is `skipped`."""
    statement = Statement(tree, kind, dialect, quoted=normalize_names(tree, dialect))
    for table in named_tables(tree):
        parts = tuple(parts_of(table))
        if table is skipped:
            continue
        if duck.parts_before(list(parts)) is not None:
            statement.inner.append(parts)
        else:
            statement.tables[parts] = find_table(ground.catalog, parts)
    return statement


def require_query(statement: Statement) -> None:
    """Let only what reads pass.

    Raises:
        Problem: it changes something.
    """
    if statement.kind != "read":
        raise Problem(
            f"{statement.kind.upper()} changes the warehouse, and a query can only read; use the tool for changes"
        )


def connect_statement(ground: duck.Ground, statement: Statement, extra: tuple[str, ...] = ()) -> DuckDBPyConnection:
    """A connection that may read the files of the statement's tables."""
    names = list(ground.catalog.tables()) if statement.inner else list(statement.tables.values())
    return duck.connect_files([*(ground.path(name) for name in names), *(ground.root / path for path in extra)])


def prepare_sql(
    ground: duck.Ground, statement: Statement, connection: DuckDBPyConnection, target: TableName | None = None
) -> str:
    """Register the tables, the `target` as one that can be changed; the SQL for DuckDB.

    Raises:
        Problem: a file is damaged, or something of the statement cannot be said.
    """
    columns: dict[str, dict[str, str]] = {}
    for name in statement.order:
        alias = statement.alias(name)
        ready = duck.load_table if name == target else duck.register_view
        columns[alias] = ready(connection, ground, alias, name)
    for parts in statement.inner:
        alias = statement.aliases[parts]
        columns[alias] = duck.catalog_views(connection, ground, alias, list(parts), statement.dialect)
    rename_tables(statement.tree, statement.aliases)
    sql = translate_statement(statement.tree, statement.dialect, columns, ground.now)
    duck.lock_settings(connection, ground.chance, statement.dialect)
    return sql
