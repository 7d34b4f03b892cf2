"""The 14 tools of Toolathlon's snowflake server: YAML with a kind, an id and the rows, as mcp-snowflake-server says it.

What makes and drops several things at once is in no public source; it says in one line for each what was done.
"""

import re
import uuid
from typing import Annotated, Any

from pydantic import Field

from yardkit.apps.warehouse import folder
from yardkit.kit.dialect import Text, TextPage, page
from yardkit.kit.surface import tool
from yardkit.servers.warehouse.dialects.toolathlon.app import Name, Names, Offset, Query, mcp, saying
from yardkit.servers.warehouse.engine.changes import drop_database, drop_schema, drop_table
from yardkit.servers.warehouse.engine.duck import information_type
from yardkit.servers.warehouse.engine.names import find_database, find_schema, find_table
from yardkit.servers.warehouse.engine.results import Changed, Rows
from yardkit.servers.warehouse.settings import warehouse
from yardkit.world import Problem, current_world, locked, save_text

_PART = re.compile(r'"(?:[^"]|"")+"|[^."]+')
_SHOW = re.compile(
    r"\s*SHOW\s+(?:TERSE\s+)?(?P<what>DATABASES|SCHEMAS|TABLES|COLUMNS)(?:\s+IN\s+(?:ACCOUNT|DATABASE|SCHEMA|TABLE)?"
    r"\s*(?P<place>[\w.\"]+)?)?\s*;?\s*|\s*DESC(?:RIBE)?\s+TABLE\s+(?P<table>[\w.\"]+)\s*;?\s*",
    re.IGNORECASE,
)
_SHOWN = {
    "DATABASES": 'SELECT DATABASE_NAME AS "name", COMMENT AS "comment" FROM INFORMATION_SCHEMA.DATABASES',
    "SCHEMAS": 'SELECT SCHEMA_NAME AS "name", CATALOG_NAME AS "database_name", COMMENT AS "comment" FROM {}SCHEMATA',
    "TABLES": 'SELECT TABLE_NAME AS "name", TABLE_CATALOG AS "database_name", TABLE_SCHEMA AS "schema_name", '
    'ROW_COUNT AS "rows", COMMENT AS "comment" FROM {}TABLES',
    "COLUMNS": 'SELECT TABLE_NAME AS "table_name", TABLE_SCHEMA AS "schema_name", COLUMN_NAME AS "column_name", '
    'DATA_TYPE AS "data_type", IS_NULLABLE AS "null?", COLUMN_DEFAULT AS "default", COMMENT AS "comment" '
    "FROM {}COLUMNS",
}
_MADE = "number of rows"
_ROWS = 100_000


@tool(mcp)
def list_databases(offset: Offset = 0) -> TextPage:
    """List all available databases in Snowflake."""
    return _answer(_rows("SELECT DATABASE_NAME FROM INFORMATION_SCHEMA.DATABASES"), offset)


@tool(mcp)
def list_schemas(database: Name, offset: Offset = 0) -> TextPage:
    """List all schemas in a database."""
    with saying("Error"):
        own = find_database(warehouse().catalog, _unquoted(database))
    rows = _rows(f"SELECT SCHEMA_NAME FROM {_inner(own)}SCHEMATA")  # noqa: S608 - a name that is there
    return _answer(rows, offset, database=database)


@tool(mcp)
def list_tables(
    database: Name, schema: Annotated[str, Field(description="Schema.", max_length=200)], offset: Offset = 0
) -> TextPage:
    """List all tables in a specific database and schema."""
    with saying("Error"):
        own, inside = find_schema(warehouse().catalog, [_unquoted(database), _unquoted(schema)])
    named = f"{_inner(own)}TABLES WHERE TABLE_SCHEMA = {_text(inside)}"
    rows = _rows(f"SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COMMENT FROM {named}")  # noqa: S608 - of names
    return _answer(rows, offset, database=database, schema=schema)


@tool(mcp)
def describe_table(
    table_name: Annotated[str, Field(description="database.schema.table.", max_length=600)], offset: Offset = 0
) -> TextPage:
    """Get the schema information for a specific table."""
    parts = _parts(table_name)
    if len(parts) < 3:
        raise Problem("Error: Table name must be fully qualified as 'database.schema.table'")
    with saying("Error"):
        name = find_table(warehouse().catalog, parts[:3])
        view = warehouse().describe(str(name))
    rows = [
        {
            "COLUMN_NAME": column.name,
            "COLUMN_DEFAULT": column.default or None,
            "IS_NULLABLE": "YES" if column.nullable else "NO",
            "DATA_TYPE": information_type(column.type, "snowflake"),
            "COMMENT": column.description or None,
        }
        for column in view.columns
    ]
    return _answer(rows, offset, database=name.database, schema=name.schema, table=name.table)


@tool(mcp)
def read_query(query: Query, offset: Offset = 0) -> TextPage:
    """Execute a SELECT query."""
    if re.match(r"\s*(INSERT|UPDATE|DELETE|MERGE|CREATE|DROP|ALTER|TRUNCATE|GRANT|REVOKE|REPLACE)\b", query, re.I):
        raise Problem("Error: Calls to read_query should not contain write operations")
    with saying("Error"):
        return _answer(_rows(_shown(query)), offset)


@tool(mcp, writes=True, idempotent=False)
def append_insight(
    insight: Annotated[str, Field(description="What was found out.", min_length=1, max_length=10_000)],
) -> Text:
    """Add a data insight to the memo."""
    world = current_world()
    path = world.app("warehouse") / "@insights.txt"
    with locked(path, world.locks):
        said = path.read_text("utf-8") if path.exists() else ""
        save_text(path, f"{said}- {' '.join(insight.split())}\n")
    return Text("Insight added to memo")


@tool(mcp, writes=True, destructive=True, idempotent=False)
def write_query(query: Query) -> Text:
    """Execute an INSERT, UPDATE, or DELETE query on the Snowflake database."""
    if re.match(r"\s*SELECT\b", query, re.IGNORECASE):
        raise Problem("Error: SELECT queries are not allowed for write_query")
    with saying("Error"):
        return Text(str([_told(warehouse().change(query, "snowflake"))]))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def create_table(query: Query) -> Text:
    """Create a new table in the Snowflake database."""
    if not re.match(r"\s*CREATE\s+(OR\s+REPLACE\s+)?TABLE\b", query, re.IGNORECASE):
        raise Problem("Error: Only CREATE TABLE statements are allowed")
    with saying("Error"):
        warehouse().change(query, "snowflake")
    return Text(f"Table created successfully. data_id = {_data_id(query)}")


@tool(mcp, writes=True, idempotent=False)
def create_databases(databases: Names) -> Text:
    """Create multiple databases in Snowflake."""
    made = warehouse()
    lines = []
    for database in databases:
        with saying("Error"):
            name = _folded(database)
            made.create_schema(name, "")
            made.create_schema(name, "PUBLIC")
        lines.append(f"Database {name} successfully created.")
    return Text("\n".join(lines))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def drop_databases(databases: Names) -> Text:
    """Drop multiple databases in Snowflake."""
    lines = []
    for database in databases:
        with saying("Error"):
            found = find_database(warehouse().catalog, _unquoted(database))
            warehouse().drop(lambda catalog, name=found: drop_database(catalog, name))  # type: ignore[misc]
        lines.append(f"{found} successfully dropped.")
    return Text("\n".join(lines))


@tool(mcp, writes=True, idempotent=False)
def create_schemas(database: Name, schemas: Names) -> Text:
    """Create multiple schemas in a database."""
    lines = []
    for schema in schemas:
        with saying("Error"):
            own = find_database(warehouse().catalog, _unquoted(database))
            warehouse().create_schema(own, _folded(schema))
        lines.append(f"Schema {_folded(schema)} successfully created.")
    return Text("\n".join(lines))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def drop_schemas(database: Name, schemas: Names) -> Text:
    """Drop multiple schemas from a database."""
    lines = []
    for schema in schemas:
        with saying("Error"):
            found = find_schema(warehouse().catalog, [_unquoted(database), _unquoted(schema)])
            warehouse().drop(lambda catalog, name=found: drop_schema(catalog, *name))  # type: ignore[misc]
        lines.append(f"{found[1]} successfully dropped.")
    return Text("\n".join(lines))


@tool(mcp, writes=True, idempotent=False)
def create_tables(
    database: Name,
    schema: Annotated[str, Field(description="Schema.", max_length=200)],
    tables: Annotated[
        list[str | dict[str, Any]],
        Field(
            description="Each a CREATE TABLE statement, or an object with name and columns: their SQL as a text, or a "
            "list of objects with name and type.",
            min_length=1,
            max_length=100,
        ),
    ],
) -> Text:
    """Create multiple tables in a database schema."""
    with saying("Error"):
        own, inside = find_schema(warehouse().catalog, [_unquoted(database), _unquoted(schema)])
        statements = [_statement(table, f'"{own}"."{inside}"') for table in tables]
        made = [warehouse().change(statement, "snowflake") for statement in statements]
    return Text("\n".join(f"Table {one.object.rpartition('.')[2]} successfully created." for one in made))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def drop_tables(
    database: Name, schema: Annotated[str, Field(description="Schema.", max_length=200)], tables: Names
) -> Text:
    """Drop multiple tables from a database schema."""
    lines = []
    for table in tables:
        with saying("Error"):
            parts = [_unquoted(part) for part in (database, schema, table)]
            found = find_table(warehouse().catalog, parts)
            warehouse().drop(lambda catalog, name=found: drop_table(catalog, name))  # type: ignore[misc]
        lines.append(f"{found.table} successfully dropped.")
    return Text("\n".join(lines))


def _rows(sql: str) -> list[dict[str, Any]]:
    return _records(warehouse().query(sql, "snowflake", 0, _ROWS, whole=True))


def _records(rows: Rows) -> list[dict[str, Any]]:
    names: list[str] = []
    for name in rows.columns:
        names.append(name if name not in names else f"{name}_{names.count(name) + 1}")
    return [dict(zip(names, row, strict=True)) for row in rows.rows]


def _answer(rows: list[dict[str, Any]], offset: int, **facts: str) -> TextPage:
    import yaml

    output = {"type": "data", "data_id": _data_id(str(rows)), **facts, "data": rows}
    return page(yaml.dump(output, indent=2, sort_keys=False, allow_unicode=True), offset)


def _data_id(text: str) -> str:
    """An id as theirs, which are chance, but always the same for the same data."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


def _told(changed: Changed) -> dict[str, Any]:
    """The row with which Snowflake answers a statement that changes."""
    if changed.done == "updated":
        return {f"{_MADE} updated": changed.rows, "number of multi-joined rows updated": 0}
    if changed.done in ("inserted", "deleted", "merged"):
        return {f"{_MADE} {changed.done}": changed.rows}
    name = changed.object.rpartition(".")[2]
    return {"status": f"{name} successfully {changed.done}."}


def _shown(query: str) -> str:
    """SHOW and DESCRIBE as a query of the information schema."""
    match = _SHOW.fullmatch(query)
    if match is None:
        return query
    if match["table"]:
        name = find_table(warehouse().catalog, _parts(match["table"]))
        rest = (
            f"WHERE TABLE_SCHEMA = {_text(name.schema)} AND TABLE_NAME = {_text(name.table)} ORDER BY ORDINAL_POSITION"
        )
        return f"{_SHOWN['COLUMNS'].format(_inner(name.database))} {rest}"
    place, what = _parts(match["place"] or ""), match["what"].upper()
    shown = _SHOWN[what].format(_inner(place[0]) if place else "INFORMATION_SCHEMA.")
    column = "SCHEMA_NAME" if what == "SCHEMAS" else "TABLE_SCHEMA"
    inside = [f"{column} ILIKE {_text(part)}" for part in place[1:2]]
    inside += [f"TABLE_NAME ILIKE {_text(part)}" for part in place[2:3]]
    return f"{shown} WHERE {' AND '.join(inside)}" if inside else shown


def _inner(database: str) -> str:
    """The information schema of a database, in SQL."""
    return '"' + database.replace('"', '""') + '".INFORMATION_SCHEMA.'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _parts(name: str) -> list[str]:
    return [_unquoted(part) for part in _PART.findall(name)]


def _statement(table: str | dict[str, Any], place: str) -> str:
    """A CREATE TABLE statement for one of the tables, in its schema."""
    if isinstance(table, dict):
        name, columns = table.get("name") or table.get("table_name"), table.get("columns") or table.get("definition")
        if not name or not columns:
            raise Problem(f"a table has a name and columns, not {sorted(table)}")
        listed = columns if isinstance(columns, str) else ", ".join(map(_column, columns))
        return f"CREATE TABLE {place}.{name} ({listed.strip().removeprefix('(').removesuffix(')')})"
    match = re.match(r'\s*CREATE\s+(OR\s+REPLACE\s+)?TABLE\s+(IF\s+NOT\s+EXISTS\s+)?([\w."]+)', table, re.IGNORECASE)
    if match is None:
        name, _, columns = table.partition("(")
        if not columns:
            raise Problem(f"{table[:80]!r} is no CREATE TABLE statement")
        return f"CREATE TABLE {place}.{name.strip()} ({columns}"
    name = match[3] if "." in match[3] else f"{place}.{match[3]}"
    return f"CREATE {match[1] or ''}TABLE {match[2] or ''}{name}{table[match.end() :]}"


def _column(column: Any) -> str:
    if isinstance(column, str):
        return column
    rest = " NOT NULL" if column.get("nullable") is False else ""
    return f"{column.get('name')} {column.get('type') or column.get('data_type')}{rest}"


def _unquoted(name: str) -> str:
    name = name.strip()
    return name[1:-1].replace('""', '"') if len(name) > 2 and name[0] == name[-1] == '"' else name


def _folded(name: str) -> str:
    """A new name as Snowflake keeps it."""
    return _unquoted(name) if name.strip().startswith('"') else name.strip().upper()


def insights() -> str:
    """The memo of insights."""
    path = folder(current_world()) / "@insights.txt"
    return path.read_text("utf-8") if path.exists() else "No data insights have been discovered yet."
