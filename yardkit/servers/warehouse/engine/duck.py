"""DuckDB in memory with the tables that a statement names, and nothing else within reach.

These functions run in a process of their own (`yardkit.programs.bounded`): a connection has one thread, a limit of
memory, the world's clock and chance, and no files but those of the tables.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.apps.warehouse import Catalog, Column, TableName
from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.rewrites import rewrite_tree
from yardkit.servers.warehouse.engine.sql.statements import parse_statement
from yardkit.world import Problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "600MB"
_PATH = "a file"


@dataclass(frozen=True)
class Ground:
    """What a statement is worked out on.

    Attributes:
        root: the folder of the app.
        catalog: what is there.
        now, chance: the world's time, and the seed of RANDOM().
    """

    root: Path
    catalog: Catalog
    now: datetime
    chance: str

    def path(self, name: TableName) -> Path:
        return self.root / name.path


def connect_files(files: Iterable[Path] = ()) -> DuckDBPyConnection:
    """An empty database that can read and write these files alone."""
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={
            "threads": 1,
            "memory_limit": MEMORY,
            "temp_directory": "",
            "max_temp_directory_size": "0KB",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "lambda_syntax": "ENABLE_SINGLE_ARROW",
        },
    )
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET allowed_paths = $paths", {"paths": [str(path) for path in files]})
    connection.execute("SET enable_external_access = false")
    return connection


def lock_settings(connection: DuckDBPyConnection, chance: str, dialect: Dialect) -> None:
    """Let no statement change a setting from now on; its chance is that of the world.

    What is divided by zero fails in all dialects but DuckDB's own, which gives infinity.
    """
    connection.execute(f"SET ieee_floating_point_ops = {str(dialect == 'duckdb').lower()}")
    seed = int.from_bytes(hashlib.sha256(chance.encode()).digest()[:6]) / 2**48
    connection.execute("SELECT setseed($seed)", {"seed": seed * 2 - 1}).fetchall()
    connection.execute("SET lock_configuration = true")


def register_view(connection: DuckDBPyConnection, ground: Ground, alias: str, name: TableName) -> dict[str, str]:
    """Make a view of a table; the types of its columns.

    Raises:
        Problem: its file is damaged.
    """
    path = ground.path(name)
    with translate_failures(ground.root, f"the table {name} cannot be read; restore an older copy of it"):
        connection.execute(f"CREATE VIEW {quote_name(alias)} AS SELECT * FROM read_parquet({quote_literal(str(path))})")  # noqa: S608
        return columns_of(connection, alias)


def load_table(connection: DuckDBPyConnection, ground: Ground, alias: str, name: TableName) -> dict[str, str]:
    """Make a table with the rows and the rules of one, to be changed; the types of its columns."""
    facts = ground.catalog.table(name).columns
    view = f"{alias}_file"
    types = register_view(connection, ground, view, name)
    declared = ", ".join(_declare_column(column, type_, facts, ground.now) for column, type_ in types.items())
    connection.execute(f"CREATE TABLE {quote_name(alias)} ({declared})")
    connection.execute(f"INSERT INTO {quote_name(alias)} SELECT * FROM {quote_name(view)}")  # noqa: S608
    return types


def save_table(connection: DuckDBPyConnection, alias: str, draft: Path) -> int:
    """Write all rows of a table to a file; how many they are."""
    connection.execute(f"COPY {quote_name(alias)} TO {quote_literal(str(draft))} (FORMAT parquet, COMPRESSION zstd)")
    (count,) = connection.execute(f"SELECT count(*) FROM {quote_name(alias)}").fetchone() or (0,)  # noqa: S608
    return int(count)


def columns_of(connection: DuckDBPyConnection, alias: str) -> dict[str, str]:
    """The columns of a table or view with their types."""
    rows = connection.execute(f"DESCRIBE {quote_name(alias)}").fetchall()
    return {str(row[0]): str(row[1]) for row in rows}


def catalog_views(
    connection: DuckDBPyConnection, ground: Ground, alias: str, parts: list[str], dialect: Dialect
) -> dict[str, str]:
    """Make the view of INFORMATION_SCHEMA that a name means.

    Raises:
        Problem: there is none of this name.
    """
    which = parts[-1].upper()
    inside = parts[: parts_before(parts)]
    rows = list(_CATALOG_ROWS[which](connection, ground, dialect)) if which in _CATALOG_ROWS else None
    if rows is None:
        raise Problem(f"there is no INFORMATION_SCHEMA.{which}; there are {', '.join(_CATALOG_ROWS)}")
    names = _CATALOG_COLUMNS[which]
    matching_rows = [
        row for row in rows if {part.casefold() for part in inside} <= {str(cell).casefold() for cell in row[:2]}
    ]
    declared = ", ".join(f"{quote_name(name)} {type_}" for name, type_ in names.items())
    connection.execute(f"CREATE TABLE {quote_name(alias)} ({declared})")
    if matching_rows:
        places = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO {quote_name(alias)} VALUES ({places})", matching_rows)  # noqa: S608
    return names


def parts_before(parts: list[str]) -> int | None:
    """How many parts of a name stand before INFORMATION_SCHEMA; None if it does not."""
    normalized_parts = [part.casefold() for part in parts]
    return normalized_parts.index("information_schema") if "information_schema" in normalized_parts[:-1] else None


_MISSING_FUNCTION = re.compile(r"Catalog Error: \w+ Function with name \"?(\w+)\"? does not exist")


@contextmanager
def translate_failures(root: Path, prefix: str = "", names: Sequence[TableName] = ()) -> Iterator[None]:
    """Failures of DuckDB as problems, without the paths of this machine, with the tables' own names."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        text = str(error).replace(str(root), _PATH).split("\n\nLINE")[0].strip()
        text = text.partition(" Use TRY(")[0]  # nobody can set what DuckDB proposes
        if missing := _MISSING_FUNCTION.match(text):
            text = f"there is no function {missing[1].upper()} here; write it by other functions"
        own = re.sub(r"\bt_(\d+)\b", lambda match: _own_name(names, int(match[1])) or match[0], text)
        too_long = re.search(r"CHECK\(\(length\((.+?)\) <= (\d+)\)\)", own)
        if too_long:
            raise Problem(f"a text for {too_long[1]} is longer than {too_long[2]} characters, its limit") from error
        first = " ".join(own.split())[:600]
        raise Problem(f"{prefix} ({first})" if prefix else f"{first}") from error


def _own_name(names: Sequence[TableName], number: int) -> str:
    return names[number].table if number < len(names) else ""


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def display_type(type_: str, dialect: Dialect) -> str:
    """A type of DuckDB as another warehouse calls it."""
    base, _, rest = type_.partition("(")
    known = _TYPES.get(dialect, {})
    if type_.endswith("[]"):
        return "ARRAY" if dialect == "snowflake" else f"ARRAY<{display_type(type_[:-2], dialect)}>"
    if base == "DECIMAL" and dialect == "snowflake":
        return f"NUMBER({rest.replace(', ', ',')}"
    return known.get(type_) or known.get(base) or type_


def default_sql(default: str, now: datetime) -> str:
    """A default with the world's time in it."""
    return str(rewrite_tree(parse_statement(default, "duckdb"), "duckdb", now).sql("duckdb"))


def information_type(type_: str, dialect: Dialect) -> str:
    """A type as INFORMATION_SCHEMA names it: in Snowflake without its size."""
    displayed_type = display_type(type_, dialect)
    base = displayed_type.partition("(")[0]
    return {"VARCHAR": "TEXT"}.get(base, base) if dialect == "snowflake" else displayed_type


def _declare_column(column: str, type_: str, facts: Mapping[str, Column], now: datetime) -> str:
    known = facts.get(column)
    rest = "" if known is None or known.nullable else " NOT NULL"
    rest += f" DEFAULT {default_sql(known.default, now)}" if known is not None and known.default else ""
    if known is not None and known.max_length:
        rest += f" CHECK (length({quote_name(column)}) <= {known.max_length})"
    return f"{quote_name(column)} {type_}{rest}"


def _rows_of_databases(_: DuckDBPyConnection, ground: Ground, _dialect: Dialect) -> Iterator[tuple[Any, ...]]:
    yield from ((name, "", None) for name in sorted(ground.catalog.databases))


def _rows_of_schemata(_: DuckDBPyConnection, ground: Ground, _dialect: Dialect) -> Iterator[tuple[Any, ...]]:
    for database, schemas in sorted(ground.catalog.databases.items()):
        yield from ((database, name, facts.created, facts.description) for name, facts in sorted(schemas.items()))


def _rows_of_tables(connection: DuckDBPyConnection, ground: Ground, _dialect: Dialect) -> Iterator[tuple[Any, ...]]:
    for name in ground.catalog.tables():
        facts = ground.catalog.table(name)
        yield (*name, "BASE TABLE", row_count(connection, ground, name), facts.created, facts.description or None)


def _rows_of_columns(connection: DuckDBPyConnection, ground: Ground, dialect: Dialect) -> Iterator[tuple[Any, ...]]:
    for number, name in enumerate(ground.catalog.tables()):
        facts = ground.catalog.table(name).columns
        types = register_view(connection, ground, f"columns_{number}", name)
        for place, (column, type_) in enumerate(types.items(), 1):
            known = facts.get(column)
            nullable = "YES" if known is None or known.nullable else "NO"
            column_facts = (known.default or None, known.description or None) if known else (None, None)
            yield (*name, column, place, information_type(type_, dialect), nullable, *column_facts)


def row_count(connection: DuckDBPyConnection, ground: Ground, name: TableName) -> int:
    """The number of rows of a table, from the end of its file."""
    path = quote_literal(str(ground.path(name)))
    with translate_failures(ground.root, f"the table {name} cannot be read; restore an older copy of it"):
        count_row = connection.execute(f"SELECT sum(num_rows) FROM parquet_file_metadata({path})").fetchone()  # noqa: S608
    return int(count_row[0]) if count_row and count_row[0] is not None else 0


_CATALOG_ROWS = {
    "DATABASES": _rows_of_databases,
    "SCHEMATA": _rows_of_schemata,
    "TABLES": _rows_of_tables,
    "COLUMNS": _rows_of_columns,
}
_CATALOG_COLUMNS: dict[str, dict[str, str]] = {
    "DATABASES": {"DATABASE_NAME": "VARCHAR", "DATABASE_OWNER": "VARCHAR", "COMMENT": "VARCHAR"},
    "SCHEMATA": {"CATALOG_NAME": "VARCHAR", "SCHEMA_NAME": "VARCHAR", "CREATED": "VARCHAR", "COMMENT": "VARCHAR"},
    "TABLES": {
        "TABLE_CATALOG": "VARCHAR",
        "TABLE_SCHEMA": "VARCHAR",
        "TABLE_NAME": "VARCHAR",
        "TABLE_TYPE": "VARCHAR",
        "ROW_COUNT": "BIGINT",
        "CREATED": "VARCHAR",
        "COMMENT": "VARCHAR",
    },
    "COLUMNS": {
        "TABLE_CATALOG": "VARCHAR",
        "TABLE_SCHEMA": "VARCHAR",
        "TABLE_NAME": "VARCHAR",
        "COLUMN_NAME": "VARCHAR",
        "ORDINAL_POSITION": "BIGINT",
        "DATA_TYPE": "VARCHAR",
        "IS_NULLABLE": "VARCHAR",
        "COLUMN_DEFAULT": "VARCHAR",
        "COMMENT": "VARCHAR",
    },
}
_TYPES: dict[str, dict[str, str]] = {
    "snowflake": {
        "BIGINT": "NUMBER(38,0)",
        "INTEGER": "NUMBER(38,0)",
        "HUGEINT": "NUMBER(38,0)",
        "DOUBLE": "FLOAT",
        "VARCHAR": "VARCHAR",
        "TIMESTAMP": "TIMESTAMP_NTZ",
        "TIMESTAMP WITH TIME ZONE": "TIMESTAMP_TZ",
        "JSON": "VARIANT",
        "BLOB": "BINARY",
        "STRUCT": "OBJECT",
        "FLOAT": "FLOAT",
    },
    "bigquery": {
        "BIGINT": "INT64",
        "INTEGER": "INT64",
        "HUGEINT": "NUMERIC",
        "DOUBLE": "FLOAT64",
        "FLOAT": "FLOAT64",
        "VARCHAR": "STRING",
        "TIMESTAMP": "DATETIME",
        "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
        "BOOLEAN": "BOOL",
        "DECIMAL": "NUMERIC",
        "BLOB": "BYTES",
    },
}
