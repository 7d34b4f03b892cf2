"""What changes: rows, tables, schemas and databases. These functions run in a bounded process and write a draft."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.apps.warehouse import Catalog, Column, Schema, Table, TableName, checked_name
from yardkit.servers.warehouse.engine import duck, queries
from yardkit.servers.warehouse.engine.names import find_database, find_schema, find_spelling, find_table, new_table
from yardkit.servers.warehouse.engine.prepared import Statement, connect_statement, prepare_sql, resolve_tables
from yardkit.servers.warehouse.engine.results import Changed, Dialect
from yardkit.servers.warehouse.engine.shown_columns import show_columns
from yardkit.servers.warehouse.engine.sql.refusals import (
    build_match_check,
    declared_length,
    list_unenforced,
    refuse_returning,
    require_where,
)
from yardkit.servers.warehouse.engine.sql.rewrites import rewrite_tree
from yardkit.servers.warehouse.engine.sql.statements import kind_of, parse_statement, parts_of
from yardkit.world import Problem
from yardkit.world.decoding import decode_file

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from sqlglot import exp

FIRST = "main"
"""The database that the first schema is made in where none is named."""
PRELOAD = queries.PRELOAD
_DONE = {"insert": "inserted", "update": "updated", "delete": "deleted", "merge": "merged", "truncate": "deleted"}
_MAX_DECODED_BYTES = 100_000_000
_READERS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "read_csv({path}, sample_size = -1, header = {header})"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "read_json({path}, sample_size = -1)"),
    ".parquet": "read_parquet({path})",
}


@dataclass
class Outcome:
    """What has to be saved.

    Attributes:
        changed: what is told.
        catalog: as it is afterwards; None if it stays.
        written: the table whose rows are in the draft; None if there is no draft.
        removed: tables whose files go.
    """

    changed: Changed
    catalog: Catalog | None = None
    written: TableName | None = None
    removed: list[TableName] = field(default_factory=list)


def apply_change(ground: duck.Ground, sql: str, dialect: Dialect, draft: Path) -> Outcome:
    """Do what a statement says, to a draft.

    Raises:
        Problem: it is not a statement that changes anything, or fails.
    """
    tree = parse_statement(sql, dialect)
    kind = kind_of(tree, sql)
    if kind == "read":
        raise Problem("a query changes nothing; run it with the query tool")
    require_where(tree, dialect)
    refuse_returning(tree)
    if kind in _DONE:
        return _change_rows(ground, resolve_tables(ground, tree, kind, dialect), draft)
    if kind == "drop":
        return _drop_object(ground, tree, dialect)
    return (_create_object if kind == "create" else _alter_table)(ground, tree, dialect, draft)


def load_file(ground: duck.Ground, source: Path, parts: Sequence[str], mode: str, header: bool, draft: Path) -> Outcome:
    """Take the rows of a file into a table: a new one, or the same with more rows or others.

    Raises:
        Problem: the file cannot be read, or has other columns than the table.
    """
    reader = _READERS.get(source.suffix.lower())
    if reader is None:
        raise Problem(f"cannot load {source.name!r}: its suffix must be one of {', '.join(_READERS)}")
    source = source if source.suffix.lower() == ".parquet" else _copy_as_utf8(source)
    there = _find_existing(ground.catalog, parts)
    if mode == "new" and there:
        raise Problem(f"a table {there} already exists; append to it or replace its rows")
    name = there or new_table(ground.catalog, parts)
    connection = duck.connect_files([source, draft, *([ground.path(name)] if there else [])])
    reader_sql = reader.format(path=duck.quote_literal(str(source)), header=str(header).lower())
    with duck.translate_failures(source.parent, f"{source.name!r} cannot be read as a table"):
        connection.execute(f"CREATE TABLE incoming AS SELECT * FROM {reader_sql}")  # noqa: S608
    (rows,) = connection.execute("SELECT count(*) FROM incoming").fetchone() or (0,)
    table, catalog = "incoming", None
    if there and mode == "append":
        duck.load_table(connection, ground, "target", there)
        with duck.translate_failures(ground.root, f"{source.name!r} does not fit {there}"):
            connection.execute("INSERT INTO target BY NAME SELECT * FROM incoming")
        table = "target"
    elif not there:
        catalog = ground.catalog
        catalog.databases[name.database][name.schema].tables[name.table] = Table(ground.now.isoformat())
    count = duck.save_table(connection, table, draft)
    done = "loaded" if mode != "replace" or not there else "replaced"
    return Outcome(Changed(done, str(name), int(rows), count), catalog, name)


def _copy_as_utf8(source: Path) -> Path:
    """A text file as DuckDB reads it: itself, or a copy in UTF-8. Of a larger file DuckDB refuses what is not."""
    if source.stat().st_size > _MAX_DECODED_BYTES:
        return source
    decoded = decode_file(source.read_bytes(), source.name)
    if decoded.encoding == "utf-8":
        return source
    copy = Path(tempfile.mkdtemp()) / source.name  # the process of this call takes it along
    copy.write_bytes(decoded.text.encode("utf-8"))
    return copy


def create_schema(ground: duck.Ground, database: str, schema: str, facts: Schema) -> Outcome:
    """A new schema, in a database that is made if it is missing; without a name of a schema only the database.

    Where none is named, it is the one where names without one are looked for, `FIRST` if there is none yet.

    Raises:
        Problem: it is there, or cannot be called so.
    """
    catalog = ground.catalog
    database = database or catalog.database or FIRST
    known = find_spelling(catalog.databases, database)
    name = known or checked_name("database", database)
    schemas = catalog.databases.setdefault(name, {})
    if there := find_spelling(schemas, schema):
        raise Problem(f"a schema {name}.{there} already exists")
    if known and not schema:
        raise Problem(f"a database {name} already exists")
    catalog.database = catalog.database or name
    if schema:
        schemas[checked_name("schema", schema)] = facts
    return Outcome(Changed("created", f"{name}.{schema}" if schema else name), catalog)


def _find_existing(catalog: Catalog, parts: Sequence[str]) -> TableName | None:
    try:
        return find_table(catalog, parts)
    except Problem:
        return None


def _find_replaced(catalog: Catalog, parts: Sequence[str]) -> TableName | None:
    """The table that a new one would take the place of; a name alone is one of the schema where new tables go."""
    database, schema = find_schema(catalog, parts[:-1])
    there = find_spelling(catalog.databases[database][schema].tables, parts[-1])
    return TableName(database, schema, there) if there else None


def _change_rows(ground: duck.Ground, statement: Statement, draft: Path) -> Outcome:
    from sqlglot import exp

    tree = statement.tree
    place = tree.expressions[0] if statement.kind == "truncate" else tree.this
    target_table = place.find(exp.Table)
    if target_table is None:
        raise Problem("the statement names no table to change")
    target = statement.tables[tuple(parts_of(target_table))]
    connection = connect_statement(ground, statement, (str(draft),))
    alias = statement.alias(target)
    sql = prepare_sql(ground, statement, connection, target)
    if statement.kind == "truncate":
        sql = f"DELETE FROM {duck.quote_name(alias)}"  # noqa: S608
    check = build_match_check(sql, statement.dialect)
    with duck.translate_failures(ground.root, names=statement.order):
        if check and connection.execute(check).fetchone():
            raise Problem(f"several rows match one row of {target}, so it is not clear what to do with it; match one")
        result_row = connection.execute(sql).fetchone()
        rows = int(result_row[0]) if result_row and isinstance(result_row[0], int) else 0
        count = duck.save_table(connection, alias, draft)
    return Outcome(Changed(_DONE[statement.kind], str(target), rows, count), None, target)


def _create_object(ground: duck.Ground, tree: exp.Expr, dialect: Dialect, draft: Path) -> Outcome:
    kind = str(tree.args.get("kind") or "").upper()
    if kind in ("SCHEMA", "DATABASE"):
        return _create_schema(ground, tree, kind, dialect)
    if kind != "TABLE" or _is_temporary(tree):
        raise Problem(f"CREATE {'TEMPORARY ' if kind == 'TABLE' else ''}{kind} is not supported here; create a table")
    from sqlglot import exp

    place = tree.find(exp.Table)
    parts = _normalize_parts(place, dialect)
    there = _find_replaced(ground.catalog, parts)
    if there and tree.args.get("exists"):
        return Outcome(Changed("unchanged", str(there)))
    if there and not tree.args.get("replace"):
        raise Problem(f"a table {there} already exists; use CREATE OR REPLACE TABLE to replace it")
    name = there or new_table(ground.catalog, parts)
    make = _create_from_query if tree.expression is not None else _create_from_columns
    return make(ground, tree, dialect, draft, name)


def _is_temporary(tree: exp.Expr) -> bool:
    from sqlglot import exp

    return tree.find(exp.TemporaryProperty) is not None


def _create_from_query(ground: duck.Ground, tree: exp.Expr, dialect: Dialect, draft: Path, name: TableName) -> Outcome:
    statement = resolve_tables(ground, tree.expression.copy(), "read", dialect)
    connection = connect_statement(ground, statement, (str(draft),))
    sql = prepare_sql(ground, statement, connection)
    with duck.translate_failures(ground.root):
        sql = show_columns(connection, sql, dialect, stored=True)
        types = queries.list_heads(connection.execute(f"DESCRIBE {sql}"), statement, described=True)[0]
        names = ", ".join(duck.quote_name(checked_name("column", column)) for column in types)
        connection.execute(f"CREATE TABLE made ({names}) AS {sql}")
        rows = duck.save_table(connection, "made", draft)
    return _add_created_table(ground, name, Table(ground.now.isoformat()), rows)


def _create_from_columns(
    ground: duck.Ground, tree: exp.Expr, dialect: Dialect, draft: Path, name: TableName
) -> Outcome:
    from sqlglot import exp

    definitions = list(tree.this.find_all(exp.ColumnDef)) if isinstance(tree.this, exp.Schema) else []
    if not definitions:
        raise Problem(f"CREATE TABLE {name} names no columns")
    facts = Table(ground.now.isoformat())
    declared = []
    for definition in definitions:
        column, type_, known = _parse_column(definition, dialect, ground)
        declared.append(f"{duck.quote_name(column)} {type_}")
        if known != Column():
            facts.columns[column] = known
    connection = duck.connect_files([draft])
    with duck.translate_failures(ground.root):
        connection.execute(f"CREATE TABLE made ({', '.join(declared)})")
        duck.save_table(connection, "made", draft)
    rules = list_unenforced(tree, dialect)
    return _add_created_table(ground, name, facts, 0, f"{', '.join(rules)}: not enforced here" if rules else None)


def _add_created_table(
    ground: duck.Ground, name: TableName, facts: Table, rows: int, note: str | None = None
) -> Outcome:
    catalog = ground.catalog
    catalog.databases[name.database][name.schema].tables[name.table] = facts
    return Outcome(Changed("created", str(name), rows, rows, note), catalog, name)


def _parse_column(definition: exp.Expr, dialect: Dialect, ground: duck.Ground) -> tuple[str, str, Column]:
    """The name, the type for DuckDB and the rules of a column that is declared."""
    from sqlglot import exp

    name = checked_name("column", _normalize_identifier(definition.this, dialect))
    kind = definition.args.get("kind")
    if kind is None:
        raise Problem(f"the column {name!r} has no type")
    known = Column(max_length=declared_length(kind, dialect))
    for constraint in definition.args.get("constraints") or []:
        rule = constraint.kind
        if isinstance(rule, exp.NotNullColumnConstraint):
            known.nullable = bool(rule.args.get("allow_null"))
        elif isinstance(rule, exp.PrimaryKeyColumnConstraint):
            known.nullable = False
        elif isinstance(rule, exp.DefaultColumnConstraint):
            known.default = rule.this.sql("duckdb")
        elif isinstance(rule, exp.CommentColumnConstraint):
            known.description = rule.this.name
        elif isinstance(rule, exp.AutoIncrementColumnConstraint | exp.GeneratedAsIdentityColumnConstraint):
            raise Problem(f"the column {name!r} is auto-incremented, which is not supported here; insert its values")
    type_ = rewrite_tree(kind.copy(), dialect, ground.now).sql("duckdb")
    return name, type_, known


def _create_schema(ground: duck.Ground, tree: exp.Expr, kind: str, dialect: Dialect) -> Outcome:
    parts = _parts_of_place(tree, dialect)
    catalog = ground.catalog
    database = parts[0] if kind == "DATABASE" or len(parts) > 1 else find_database(catalog)
    schema = "" if kind == "DATABASE" else parts[-1]
    there = find_spelling(catalog.databases, database)
    exists = there and (not schema or find_spelling(catalog.databases[there], schema))
    if exists and tree.args.get("exists"):
        return Outcome(Changed("unchanged", ".".join(parts)))
    if kind == "SCHEMA" and not there:
        database = find_database(catalog, database)
    return create_schema(ground, database, schema, Schema(ground.now.isoformat()))


def _parts_of_place(tree: exp.Expr, dialect: Dialect) -> list[str]:
    from sqlglot import exp

    place = tree.find(exp.Table)
    named = [part for part in (place.parts if place is not None else []) if part.name]
    return [part for piece in named for part in _normalize_identifier(piece, dialect).split(".")]


def _drop_object(ground: duck.Ground, tree: exp.Expr, dialect: Dialect) -> Outcome:
    kind, parts = str(tree.args.get("kind") or "").upper(), _parts_of_place(tree, dialect)
    catalog = ground.catalog
    try:
        if kind == "TABLE":
            return drop_table(catalog, find_table(catalog, parts))
        if kind == "SCHEMA":
            database, schema = find_schema(catalog, parts)
            return drop_schema(catalog, database, schema)
        if kind == "DATABASE":
            return drop_database(catalog, find_database(catalog, parts[-1]))
    except Problem:
        if tree.args.get("exists"):
            return Outcome(Changed("unchanged", ".".join(parts)))
        raise
    raise Problem(f"DROP {kind} is not supported here; only tables, schemas and databases can be dropped")


def drop_table(catalog: Catalog, name: TableName) -> Outcome:
    del catalog.databases[name.database][name.schema].tables[name.table]
    return Outcome(Changed("dropped", str(name)), catalog, removed=[name])


def drop_schema(catalog: Catalog, database: str, schema: str) -> Outcome:
    gone = [name for name in catalog.tables() if name[:2] == (database, schema)]
    del catalog.databases[database][schema]
    return Outcome(Changed("dropped", f"{database}.{schema}"), catalog, removed=gone)


def drop_database(catalog: Catalog, database: str) -> Outcome:
    gone = [name for name in catalog.tables() if name.database == database]
    del catalog.databases[database]
    catalog.database = "" if catalog.database == database else catalog.database
    return Outcome(Changed("dropped", database), catalog, removed=gone)


def _alter_table(ground: duck.Ground, tree: exp.Expr, dialect: Dialect, draft: Path) -> Outcome:
    from sqlglot import exp

    place = tree.find(exp.Table)
    name = find_table(ground.catalog, parts_of(place) if place is not None else [""])
    if str(tree.args.get("kind")).upper() != "TABLE" or len(tree.args.get("actions") or []) != 1:
        raise Problem(
            "ALTER TABLE makes one change at a time here: ADD, DROP, RENAME a column, RENAME TO, change a type"
        )
    action = tree.args["actions"][0]
    if isinstance(action, exp.AlterRename):
        return _rename_table(ground, name, _normalize_identifier(action.find(exp.Table).parts[-1], dialect), draft)
    connection = duck.connect_files([ground.path(name), draft])
    types = duck.register_view(connection, ground, "file", name)
    if _is_done_already(action, types):
        return Outcome(Changed("unchanged", str(name)))
    if isinstance(action, exp.ColumnDef):
        _require_addable(action, types, connection)
    statement = _apply_alteration(ground.catalog.table(name), action, types, dialect, ground)
    with duck.translate_failures(ground.root):
        connection.execute("CREATE TABLE made AS SELECT * FROM file")
        connection.execute(f"ALTER TABLE made {statement}")
        count = duck.save_table(connection, "made", draft)
    return Outcome(Changed("altered", str(name), None, count), ground.catalog, name)


def _is_done_already(action: exp.Expr, types: dict[str, str]) -> bool:
    """Whether a column is there that is added IF NOT EXISTS, or is not there that is dropped IF EXISTS."""
    from sqlglot import exp

    if not action.args.get("exists") or not isinstance(action, exp.ColumnDef | exp.Drop):
        return False
    column = action.this if isinstance(action, exp.ColumnDef) else action.args["tables"][0]
    return (find_spelling(types, column.name) is not None) == isinstance(action, exp.ColumnDef)


def _require_addable(definition: exp.Expr, types: dict[str, str], connection: DuckDBPyConnection) -> None:
    """Refuse a new column that is there, or that must have a value in rows that have none.

    Raises:
        Problem: it is there; or it is NOT NULL without a default, and there are rows.
    """
    from sqlglot import exp

    if there := find_spelling(types, definition.name):
        raise Problem(f"a column {there!r} already exists")
    rules = [constraint.kind for constraint in definition.args.get("constraints") or []]
    must = any(isinstance(rule, exp.NotNullColumnConstraint) and not rule.args.get("allow_null") for rule in rules)
    if must and not any(isinstance(rule, exp.DefaultColumnConstraint) for rule in rules):
        (rows,) = connection.execute("SELECT count(*) FROM file").fetchone() or (0,)
        if rows:
            raise Problem(
                f"the new column {definition.name!r} is NOT NULL, and {rows} rows have no value; add a DEFAULT"
            )


def _apply_alteration(facts: Table, action: Any, types: dict[str, str], dialect: Dialect, ground: duck.Ground) -> str:
    """What DuckDB is told; the rules of the columns are changed with it."""
    from sqlglot import exp

    def known(node: exp.Expr) -> str:
        column_name = find_spelling(types, node.name)
        if column_name is None:
            raise Problem(f"there is no column {node.name!r}; there are {', '.join(types)}")
        return column_name

    if isinstance(action, exp.ColumnDef):
        column, type_, rules = _parse_column(action, dialect, ground)
        if rules != Column():
            facts.columns[column] = rules
        default = f" DEFAULT {duck.default_sql(rules.default, ground.now)}" if rules.default else ""
        return f"ADD COLUMN {duck.quote_name(column)} {type_}{default}"
    if isinstance(action, exp.Drop):
        column = known(action.args["tables"][0])
        facts.columns.pop(column, None)
        return f"DROP COLUMN {duck.quote_name(column)}"
    if isinstance(action, exp.RenameColumn):
        column, new = (
            known(action.this),
            checked_name("column", _normalize_identifier(_get_last_name(action.args["to"]), dialect)),
        )
        if column in facts.columns:
            facts.columns[new] = facts.columns.pop(column)
        return f"RENAME COLUMN {duck.quote_name(column)} TO {duck.quote_name(new)}"
    if isinstance(action, exp.AlterColumn) and action.args.get("dtype"):
        type_ = rewrite_tree(action.args["dtype"].copy(), dialect, ground.now).sql("duckdb")
        column = known(action.this)
        rules = replace(facts.columns.get(column, Column()), max_length=declared_length(action.args["dtype"], dialect))
        if rules != Column() or column in facts.columns:
            facts.columns[column] = rules
        return f"ALTER COLUMN {duck.quote_name(column)} TYPE {type_}{_refuse_longer(column, rules)}"
    raise Problem(
        "this ALTER TABLE is not supported here; use ADD, DROP or RENAME of a column, RENAME TO or a new type"
    )


def _refuse_longer(column: str, rules: Column) -> str:
    """How values become texts of a limited length: those that are too long fail."""
    if not rules.max_length:
        return ""
    name = duck.quote_name(column)
    message = f"error('a text is longer than {rules.max_length} characters')"
    return f" USING CASE WHEN length(CAST({name} AS VARCHAR)) > {rules.max_length} THEN {message} ELSE {name} END"


def _get_last_name(node: Any) -> Any:
    return node.this if hasattr(node.this, "name") and not isinstance(node.this, str) else node


def _rename_table(ground: duck.Ground, name: TableName, new: str, draft: Path) -> Outcome:
    renamed = TableName(name.database, name.schema, checked_name("table", new))
    schema = ground.catalog.databases[name.database][name.schema]
    if find_spelling(schema.tables, new):
        raise Problem(f"a table {renamed} already exists")
    schema.tables[new] = schema.tables.pop(name.table)
    draft.write_bytes(ground.path(name).read_bytes())
    return Outcome(Changed("renamed", f"{name} to {renamed}"), ground.catalog, renamed, [name])


def _normalize_parts(place: Any, dialect: Dialect) -> list[str]:
    return [part for piece in place.parts for part in _normalize_identifier(piece, dialect).split(".")]


def _normalize_identifier(identifier: Any, dialect: Dialect) -> str:
    """A new name as its warehouse keeps it: Snowflake in upper case, unless it is quoted."""
    name = str(identifier.name)
    return name.upper() if dialect == "snowflake" and not identifier.args.get("quoted") else name
