"""A warehouse on a PostgreSQL server of the user's, by the same functions as that of a world.

What may be read and changed there are the rights of the database user; queries run read-only in any case.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.apps.warehouse import Catalog, Schema, Table
from yardkit.servers.warehouse.engine.cells import Page, to_result_value
from yardkit.servers.warehouse.engine.names import find_table
from yardkit.servers.warehouse.engine.results import (
    Changed,
    ColumnLine,
    DatasetLine,
    Datasets,
    Dialect,
    Exported,
    Plan,
    Rows,
    TableView,
)
from yardkit.servers.warehouse.engine.sql.statements import kind_of, parse_statement
from yardkit.servers.warehouse.engine.stored_warehouse import name_parts
from yardkit.world import Problem, Unavailable, World, lock_file, save_atomically

if TYPE_CHECKING:
    import psycopg

SECONDS = 30
"""Of one statement."""
_WAIT_S = 10
_MAX_EXPORTED = 1_000_000
_DONE = {"INSERT": "inserted", "UPDATE": "updated", "DELETE": "deleted", "MERGE": "merged"}
_TABLES = """SELECT n.nspname, c.relname, c.reltuples::bigint, obj_description(c.oid) FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm')
AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg_toast%' ORDER BY 1, 2"""
_COLUMNS = """SELECT a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
coalesce(pg_get_expr(d.adbin, d.adrelid), ''), coalesce(col_description(a.attrelid, a.attnum), '') FROM pg_attribute a
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""


class LiveWarehouse:
    """The database that an address leads to; nothing is changed unless that is allowed."""

    def __init__(self, world: World, url: str, user: str = "", password: str = "", *, writes: bool = False) -> None:
        self._world, self._url, self._user, self._password, self._writes = world, url, user, password, writes

    @property
    def catalog(self) -> Catalog:
        """The database with its schemas and tables."""
        with self._connect() as connection:
            database = str(_fetch_rows(connection, "SELECT current_database()")[0][0])
            schemas = {str(row[0]): Schema("") for row in _fetch_rows(connection, "SELECT nspname FROM pg_namespace")}
            for schema, table, _, comment in _fetch_rows(connection, _TABLES):
                schemas[schema].tables[table] = Table("", comment or "")
        user_schemas = {
            name: facts for name, facts in schemas.items() if not name.startswith(("pg_", "information_schema"))
        }
        return Catalog(database, {database: user_schemas})

    def list_datasets(self) -> Datasets:
        """The schemas and their tables, with the server's estimates of their rows."""
        catalog = self.catalog
        with self._connect() as connection:
            rows = {(row[0], row[1]): max(0, int(row[2])) for row in _fetch_rows(connection, _TABLES)}
        (schemas,) = catalog.databases.values()
        lines = [
            DatasetLine(f"{catalog.database}.{name}", "", {table: rows.get((name, table), 0) for table in facts.tables})
            for name, facts in sorted(schemas.items())
        ]
        return Datasets(catalog.database, lines)

    def describe(self, name: str) -> TableView:
        """A table with its columns."""
        catalog = self.catalog
        full_name = find_table(catalog, name_parts(name))
        place = f"{_quote_name(full_name.schema)}.{_quote_name(full_name.table)}"
        with self._connect() as connection:
            count, size = _fetch_rows(connection, f"SELECT count(*), pg_total_relation_size('{place}') FROM {place}")[0]  # noqa: S608
            columns = [ColumnLine(*row) for row in _fetch_rows(connection, _COLUMNS, [place])]
        return TableView(str(full_name), catalog.table(full_name).description, "", int(count), int(size), columns)

    def query(
        self, sql: str, dialect: Dialect, offset: int = 0, limit: int = 100, *, is_complete: bool = False
    ) -> Rows:
        """A page of what a query gives."""
        with self._connect() as connection, connection.cursor() as cursor:
            cursor.execute(f"DECLARE page SCROLL CURSOR FOR {_translate_query(sql, dialect)}")
            cursor.execute(f"MOVE FORWARD {int(offset)} IN page")
            skipped = cursor.rowcount
            cursor.execute(f"FETCH FORWARD {int(limit)} FROM page")
            names = [column.name for column in cursor.description or ()]
            types = [str(column.type_display) for column in cursor.description or ()]
            page, taken = Page(limit, is_unlimited=is_complete), cursor.fetchall()
            for row in taken:
                if not page.add_row([to_result_value(value) for value in row]):
                    break
            cursor.execute("MOVE FORWARD ALL IN page")
            return page.build_result(names, types, skipped, skipped + len(taken) + cursor.rowcount)

    def explain(self, sql: str, dialect: Dialect) -> Plan:
        """How a query would be worked out."""
        translated_sql = _translate_query(sql, dialect)
        with self._connect() as connection:
            plan = "\n".join(str(row[0]) for row in _fetch_rows(connection, f"EXPLAIN {translated_sql}"))
        return Plan(translated_sql, {}, 0, plan)

    def export(self, sql: str, dialect: Dialect, target: Path) -> Exported:
        """Write what a query gives to a file of the workspace: .csv, .json or .jsonl."""
        write = {".csv": _write_csv, ".json": _write_json, ".jsonl": _write_lines}.get(target.suffix.lower())
        if write is None:
            raise Problem(f"cannot write {target.suffix!r} from a live warehouse; use .csv, .json or .jsonl")
        with self._connect() as connection, connection.cursor() as cursor:
            cursor.execute(_translate_query(sql, dialect))
            names = [column.name for column in cursor.description or ()]
            rows = [[to_result_value(value) for value in row] for row in cursor.fetchmany(_MAX_EXPORTED)]
        with lock_file(target, self._world.locks), save_atomically(target) as draft:
            write(draft, names, rows)
        return Exported(len(rows), names)

    def change(self, sql: str, dialect: Dialect) -> Changed:
        """Do what a statement says.

        Raises:
            Problem: changes are not allowed, or it fails.
        """
        if not self._writes:
            raise Problem("this live warehouse is read-only; set YARDKIT_WAREHOUSE_WRITES=1 to allow changes")
        tree = parse_statement(sql, dialect)
        if kind_of(tree, sql) == "read":
            raise Problem("a query changes nothing; run it with the query tool")
        with self._connect(writes=True) as connection, connection.cursor() as cursor:
            cursor.execute(_generate_sql(tree, dialect))
            word = str(cursor.statusmessage).partition(" ")[0]
            return Changed(_DONE.get(word, str(cursor.statusmessage).lower()), "", max(0, cursor.rowcount))

    def load(self, *_: object, **__: object) -> Changed:
        """Not to be had: it would have to guess the types of a database that others rely on."""
        raise Problem(
            "files cannot be loaded into a live warehouse; create the table and insert the rows with change_warehouse"
        )

    def create_schema(self, database: str, schema: str, *_: object) -> Changed:
        """Make a schema in the database."""
        return self.change(f"CREATE SCHEMA {_quote_name(schema or database)}", "postgres")

    def drop(self, *_: object) -> Changed:
        """Not to be had under the names of others; by a statement it is."""
        raise Problem("in a live warehouse, use a DROP statement to drop something")

    @contextmanager
    def _connect(self, *, writes: bool = False) -> Iterator[psycopg.Connection[Any]]:
        try:
            import psycopg
            import psycopg.types.string
        except ImportError as error:
            raise Unavailable(
                "a live warehouse needs psycopg; install it with pip install 'psycopg[binary]'"
            ) from error
        known = {key: value for key, value in (("user", self._user), ("password", self._password)) if value}
        try:
            with psycopg.connect(self._url, connect_timeout=_WAIT_S, **known) as connection:
                # as the server writes them: to Python, a month would be 30 days
                connection.adapters.register_loader("interval", psycopg.types.string.TextLoader)
                connection.execute(f"SET statement_timeout = '{SECONDS}s'")
                connection.execute(f"SET TRANSACTION READ {'WRITE' if writes else 'ONLY'}")
                yield connection
        except psycopg.Error as error:
            raise Problem(f"the live warehouse reports: {' '.join(str(error).split())[:500]}") from error


def _fetch_rows(connection: psycopg.Connection[Any], sql: str, values: Sequence[Any] = ()) -> list[Any]:
    return list(connection.execute(sql.encode(), values or None).fetchall())


def _translate_query(sql: str, dialect: Dialect) -> str:
    tree = parse_statement(sql, dialect)
    if kind_of(tree, sql) != "read":
        raise Problem("a query can only read; run changes with the tool for changes")
    return _generate_sql(tree, dialect)


def _generate_sql(tree: Any, dialect: Dialect) -> str:
    from sqlglot import ErrorLevel
    from sqlglot.errors import SqlglotError

    try:
        return str(tree.sql("postgres", unsupported_level=ErrorLevel.RAISE))
    except SqlglotError as error:
        raise Problem(f"part of this {dialect} statement has no PostgreSQL equivalent: {error}") from error


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _write_csv(path: Path, names: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows])


def _write_json(path: Path, names: list[str], rows: list[list[Any]]) -> None:
    path.write_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False), "utf-8")


def _write_lines(path: Path, names: list[str], rows: list[list[Any]]) -> None:
    lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
