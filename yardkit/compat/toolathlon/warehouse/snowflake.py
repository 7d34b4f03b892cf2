"""The 14 tools of Toolathlon's snowflake server: YAML with a kind, an id and the rows, as mcp-snowflake-server says it.

What makes and drops several things at once is in no public source; it says in one line for each what was done.
"""

import re
import uuid
from typing import Any

from yardkit.apps.warehouse import locate_folder
from yardkit.compat.toolathlon.warehouse.app import prefix_problem
from yardkit.kit.dialect import TextPage, cut_page
from yardkit.servers.warehouse.engine.changes import drop_database, drop_schema, drop_table
from yardkit.servers.warehouse.engine.duck import information_type
from yardkit.servers.warehouse.engine.names import find_database, find_schema, find_table
from yardkit.servers.warehouse.engine.results import Changed, Rows
from yardkit.servers.warehouse.settings import get_warehouse
from yardkit.world import Problem, current_world, lock_file, save_text

_PART = re.compile(r'"(?:[^"]|"")+"|[^."]+')
_SHOW = re.compile(
    r"\s*SHOW\s+(?:TERSE\s+)?(?P<what>DATABASES|SCHEMAS|TABLES|COLUMNS)(?:\s+IN\s+(?:ACCOUNT|DATABASE|SCHEMA|TABLE)?"
    r"\s*(?P<place>[\w.\"]+)?)?\s*;?\s*|\s*DESC(?:RIBE)?\s+TABLE\s+(?P<table>[\w.\"]+)\s*;?\s*",
    re.IGNORECASE,
)
_SHOW_QUERIES = {
    "DATABASES": 'SELECT DATABASE_NAME AS "NAME", COMMENT AS "COMMENT" FROM INFORMATION_SCHEMA.DATABASES',
    "SCHEMAS": 'SELECT SCHEMA_NAME AS "NAME", CATALOG_NAME AS "DATABASE_NAME", COMMENT AS "COMMENT" FROM {}SCHEMATA',
    "TABLES": 'SELECT TABLE_NAME AS "NAME", TABLE_CATALOG AS "DATABASE_NAME", TABLE_SCHEMA AS "SCHEMA_NAME", '
    'ROW_COUNT AS "ROWS", COMMENT AS "COMMENT" FROM {}TABLES',
    "COLUMNS": 'SELECT TABLE_NAME AS "TABLE_NAME", TABLE_SCHEMA AS "SCHEMA_NAME", COLUMN_NAME AS "COLUMN_NAME", '
    'DATA_TYPE AS "DATA_TYPE", IS_NULLABLE AS "NULL?", COLUMN_DEFAULT AS "DEFAULT", COMMENT AS "COMMENT" '
    "FROM {}COLUMNS",
}
_INSERTED_ROWS_COLUMN = "number of rows"
_ROWS = 100_000


def list_databases(offset: int = 0) -> TextPage:
    return _format_answer(_query_rows("SELECT DATABASE_NAME FROM INFORMATION_SCHEMA.DATABASES"), offset)


def list_schemas(database: str, offset: int = 0) -> TextPage:
    with prefix_problem("Error"):
        own = find_database(get_warehouse().catalog, _unquote_name(database))
    rows = _query_rows(f"SELECT SCHEMA_NAME FROM {_quote_inner_schema(own)}SCHEMATA")  # noqa: S608 - a name that is there
    return _format_answer(rows, offset, database=database)


def list_tables(database: str, schema: str, offset: int = 0) -> TextPage:
    with prefix_problem("Error"):
        own, inside = find_schema(get_warehouse().catalog, [_unquote_name(database), _unquote_name(schema)])
    named = f"{_quote_inner_schema(own)}TABLES WHERE TABLE_SCHEMA = {_quote_text(inside)}"
    rows = _query_rows(f"SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COMMENT FROM {named}")  # noqa: S608 - of names
    return _format_answer(rows, offset, database=database, schema=schema)


def describe_table(table_name: str, offset: int = 0) -> TextPage:
    parts = _split_name(table_name)
    if len(parts) < 3:
        raise Problem("Error: Table name must be fully qualified as 'database.schema.table'")
    with prefix_problem("Error"):
        name = find_table(get_warehouse().catalog, parts[:3])
        view = get_warehouse().describe(str(name))
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
    return _format_answer(rows, offset, database=name.database, schema=name.schema, table=name.table)


def read_query(query: str, offset: int = 0) -> TextPage:
    if re.match(r"\s*(INSERT|UPDATE|DELETE|MERGE|CREATE|DROP|ALTER|TRUNCATE|GRANT|REVOKE|REPLACE)\b", query, re.I):
        raise Problem("Error: Calls to read_query should not contain write operations")
    with prefix_problem("Error"):
        return _format_answer(_query_rows(_rewrite_show(query)), offset)


def append_insight(insight: str) -> str:
    world = current_world()
    path = world.get_app_folder("warehouse") / "@insights.txt"
    with lock_file(path, world.locks):
        memo_text = path.read_text("utf-8") if path.exists() else ""
        save_text(path, f"{memo_text}- {' '.join(insight.split())}\n")
    return "Insight added to memo"


def write_query(query: str) -> str:
    if re.match(r"\s*SELECT\b", query, re.IGNORECASE):
        raise Problem("Error: SELECT queries are not allowed for write_query")
    with prefix_problem("Error"):
        return str([_build_change_row(get_warehouse().change(query, "snowflake"))])


def create_table(query: str) -> str:
    if not re.match(r"\s*CREATE\s+(OR\s+REPLACE\s+)?TABLE\b", query, re.IGNORECASE):
        raise Problem("Error: Only CREATE TABLE statements are allowed")
    with prefix_problem("Error"):
        get_warehouse().change(query, "snowflake")
    return f"Table created successfully. data_id = {_data_id(query)}"


def create_databases(databases: list[str]) -> str:
    target_warehouse = get_warehouse()
    lines = []
    for database in databases:
        with prefix_problem("Error"):
            name = _to_stored_name(database)
            target_warehouse.create_schema(name, "")
            target_warehouse.create_schema(name, "PUBLIC")
        lines.append(f"Database {name} successfully created.")
    return "\n".join(lines)


def drop_databases(databases: list[str]) -> str:
    lines = []
    for database in databases:
        with prefix_problem("Error"):
            database_name = find_database(get_warehouse().catalog, _unquote_name(database))
            get_warehouse().drop(lambda catalog, name=database_name: drop_database(catalog, name))  # type: ignore[misc]
        lines.append(f"{database_name} successfully dropped.")
    return "\n".join(lines)


def create_schemas(database: str, schemas: list[str]) -> str:
    lines = []
    for schema in schemas:
        with prefix_problem("Error"):
            own = find_database(get_warehouse().catalog, _unquote_name(database))
            get_warehouse().create_schema(own, _to_stored_name(schema))
        lines.append(f"Schema {_to_stored_name(schema)} successfully created.")
    return "\n".join(lines)


def drop_schemas(database: str, schemas: list[str]) -> str:
    lines = []
    for schema in schemas:
        with prefix_problem("Error"):
            schema_name = find_schema(get_warehouse().catalog, [_unquote_name(database), _unquote_name(schema)])
            get_warehouse().drop(lambda catalog, name=schema_name: drop_schema(catalog, *name))  # type: ignore[misc]
        lines.append(f"{schema_name[1]} successfully dropped.")
    return "\n".join(lines)


def create_tables(database: str, schema: str, tables: list[str | dict[str, Any]]) -> str:
    with prefix_problem("Error"):
        own, inside = find_schema(get_warehouse().catalog, [_unquote_name(database), _unquote_name(schema)])
        statements = [_build_create_statement(table, f'"{own}"."{inside}"') for table in tables]
        changes = [get_warehouse().change(statement, "snowflake") for statement in statements]
    return "\n".join(f"Table {change.object.rpartition('.')[2]} successfully created." for change in changes)


def drop_tables(database: str, schema: str, tables: list[str]) -> str:
    lines = []
    for table in tables:
        with prefix_problem("Error"):
            parts = [_unquote_name(part) for part in (database, schema, table)]
            table_name = find_table(get_warehouse().catalog, parts)
            get_warehouse().drop(lambda catalog, name=table_name: drop_table(catalog, name))  # type: ignore[misc]
        lines.append(f"{table_name.table} successfully dropped.")
    return "\n".join(lines)


def _query_rows(sql: str) -> list[dict[str, Any]]:
    return _to_records(get_warehouse().query(sql, "snowflake", 0, _ROWS, is_complete=True))


def _to_records(rows: Rows) -> list[dict[str, Any]]:
    names: list[str] = []
    for name in rows.columns:
        names.append(name if name not in names else f"{name}_{names.count(name) + 1}")
    return [dict(zip(names, row, strict=True)) for row in rows.rows]


def _format_answer(rows: list[dict[str, Any]], offset: int, **facts: str) -> TextPage:
    import yaml

    output = {"type": "data", "data_id": _data_id(str(rows)), **facts, "data": rows}
    return cut_page(yaml.dump(output, indent=2, sort_keys=False, allow_unicode=True), offset)


def _data_id(text: str) -> str:
    """An id as theirs, which are chance, but always the same for the same data."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


def _build_change_row(changed: Changed) -> dict[str, Any]:
    """The row with which Snowflake answers a statement that changes."""
    if changed.done == "updated":
        return {f"{_INSERTED_ROWS_COLUMN} updated": changed.rows, "number of multi-joined rows updated": 0}
    if changed.done in ("inserted", "deleted", "merged"):
        return {f"{_INSERTED_ROWS_COLUMN} {changed.done}": changed.rows}
    name = changed.object.rpartition(".")[2]
    return {"status": f"{name} successfully {changed.done}."}


def _rewrite_show(query: str) -> str:
    """SHOW and DESCRIBE as a query of the information schema."""
    match = _SHOW.fullmatch(query)
    if match is None:
        return query
    if match["table"]:
        name = find_table(get_warehouse().catalog, _split_name(match["table"]))
        rest = (
            f"WHERE TABLE_SCHEMA = {_quote_text(name.schema)} AND TABLE_NAME = {_quote_text(name.table)} ORDER BY"
            " ORDINAL_POSITION"
        )
        return f"{_SHOW_QUERIES['COLUMNS'].format(_quote_inner_schema(name.database))} {rest}"
    place, what = _split_name(match["place"] or ""), match["what"].upper()
    rewritten_query = _SHOW_QUERIES[what].format(_quote_inner_schema(place[0]) if place else "INFORMATION_SCHEMA.")
    column = "SCHEMA_NAME" if what == "SCHEMAS" else "TABLE_SCHEMA"
    inside = [f"{column} ILIKE {_quote_text(part)}" for part in place[1:2]]
    inside += [f"TABLE_NAME ILIKE {_quote_text(part)}" for part in place[2:3]]
    return f"{rewritten_query} WHERE {' AND '.join(inside)}" if inside else rewritten_query


def _quote_inner_schema(database: str) -> str:
    """The information schema of a database, in SQL."""
    return '"' + database.replace('"', '""') + '".INFORMATION_SCHEMA.'


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _split_name(name: str) -> list[str]:
    return [_unquote_name(part) for part in _PART.findall(name)]


def _build_create_statement(table: str | dict[str, Any], place: str) -> str:
    """A CREATE TABLE statement for one of the tables, in its schema."""
    if isinstance(table, dict):
        name, columns = table.get("name") or table.get("table_name"), table.get("columns") or table.get("definition")
        if not name or not columns:
            raise Problem(f"a table has a name and columns, not {sorted(table)}")
        listed = columns if isinstance(columns, str) else ", ".join(map(_build_column, columns))
        return f"CREATE TABLE {place}.{name} ({listed.strip().removeprefix('(').removesuffix(')')})"
    match = re.match(r'\s*CREATE\s+(OR\s+REPLACE\s+)?TABLE\s+(IF\s+NOT\s+EXISTS\s+)?([\w."]+)', table, re.IGNORECASE)
    if match is None:
        name, _, columns = table.partition("(")
        if not columns:
            raise Problem(f"{table[:80]!r} is no CREATE TABLE statement")
        return f"CREATE TABLE {place}.{name.strip()} ({columns}"
    name = match[3] if "." in match[3] else f"{place}.{match[3]}"
    return f"CREATE {match[1] or ''}TABLE {match[2] or ''}{name}{table[match.end() :]}"


def _build_column(column: Any) -> str:
    if isinstance(column, str):
        return column
    rest = " NOT NULL" if column.get("nullable") is False else ""
    return f"{column.get('name')} {column.get('type') or column.get('data_type')}{rest}"


def _unquote_name(name: str) -> str:
    name = name.strip()
    return name[1:-1].replace('""', '"') if len(name) > 2 and name[0] == name[-1] == '"' else name


def _to_stored_name(name: str) -> str:
    """A new name as Snowflake keeps it."""
    return _unquote_name(name) if name.strip().startswith('"') else name.strip().upper()


def read_insights() -> str:
    """The memo of insights."""
    path = locate_folder(current_world()) / "@insights.txt"
    return path.read_text("utf-8") if path.exists() else "No data insights have been discovered yet."
