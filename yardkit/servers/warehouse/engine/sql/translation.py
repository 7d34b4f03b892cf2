"""A statement of another dialect as DuckDB runs it, with the types of its columns known and the world's clock in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.refusals import require_assignable
from yardkit.servers.warehouse.engine.sql.rewrites import rewrite_tree
from yardkit.servers.warehouse.engine.sql.statements import named_tables, parts_of
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_MARK = "yardkit_column"
Columns = Mapping[str, str]
"""Types of the columns of a table, as DuckDB names them."""


def rename_tables(tree: exp.Expr, aliases: Mapping[tuple[str, ...], str]) -> None:
    """Put the names that DuckDB knows tables by in the place of theirs, which stay as aliases."""
    from sqlglot import exp

    for table in list(named_tables(tree)):
        alias = aliases[tuple(parts_of(table))]
        target = table.parent is tree and table.arg_key == "this"
        last = table.parts[-1]
        if not table.alias and not (target and tree.key in ("insert", "alter", "truncatetable", "create")):
            table.set(
                "alias", exp.TableAlias(this=exp.to_identifier(parts_of(table)[-1], quoted=last.args.get("quoted")))
            )
        if not table.alias and tree.key == "insert":
            tree.meta["target"] = alias
        table.set("this", exp.to_identifier(alias))
        table.set("db", None)
        table.set("catalog", None)
    if isinstance(tree, exp.Update):
        for changed in (assignment.this for assignment in tree.expressions):
            if isinstance(changed, exp.Column) and changed.table.casefold() == tree.this.alias_or_name.casefold():
                changed.set("table", None)  # DuckDB takes no `t.a = 1`
    for column in tree.find_all(exp.Column):
        column.set("db", None)
        column.set("catalog", None)


def normalize_names(tree: exp.Expr, dialect: Dialect) -> frozenset[str]:
    """Write the names of Snowflake in upper case that stand without quotes; the names that stand in quotes."""
    from sqlglot import exp
    from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

    quoted = frozenset(name.name for name in tree.find_all(exp.Identifier) if name.args.get("quoted"))
    if dialect == "snowflake":
        normalize_identifiers(tree, dialect=dialect)
    return quoted


def translate_statement(tree: exp.Expr, dialect: Dialect, columns: Mapping[str, Columns], now: datetime) -> str:
    """The SQL of DuckDB for a statement whose tables have the names in `columns`.

    Raises:
        Problem: something of it has no meaning there.
    """
    from sqlglot import ErrorLevel, exp
    from sqlglot.errors import SqlglotError

    name_outputs(tree, dialect)
    if dialect != "duckdb":
        _annotate_types(tree, dialect, columns)
    if dialect == "bigquery" and isinstance(tree, exp.Insert | exp.Update | exp.Merge):
        target = tree.this.find(exp.Table)
        require_assignable(tree, columns.get(target.name, {}) if target is not None else {})
    try:
        tree = rewrite_tree(tree, dialect, now)
        return str(tree.sql("duckdb", unsupported_level=ErrorLevel.RAISE))
    except SqlglotError as error:
        raise Problem(f"part of this statement cannot be executed here: {str(error)[:300]}") from error


def name_outputs(tree: exp.Expr, dialect: Dialect) -> None:
    """Name what a query gives as its own warehouse does where it has no name: ``f0_`` or ``SUM(AMOUNT)``."""
    from sqlglot import exp

    query = tree
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    if not isinstance(query, exp.Select) or dialect in ("duckdb", "postgres"):
        return
    nameless = 0
    for projection in list(query.expressions):
        if projection.is_star or (projection.alias_or_name and isinstance(projection, exp.Alias | exp.Column)):
            continue
        name = f"f{nameless}_" if dialect == "bigquery" else projection.sql(dialect).upper()
        nameless += 1
        projection.replace(exp.alias_(projection.copy(), name, quoted=True))


def _annotate_types(tree: exp.Expr, dialect: Dialect, columns: Mapping[str, Columns]) -> None:
    """Find the types of columns on a copy in which every name is whole, and of all else by them.

    Only the types are taken from the copy: to make names whole changes what stars and joins give.
    """
    from sqlglot import exp
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.annotate_types import annotate_types
    from sqlglot.optimizer.qualify import qualify

    schema = {
        table: {name: exp.DataType.build(type_, dialect="duckdb") for name, type_ in own.items()}
        for table, own in columns.items()
    }
    marked = list(tree.find_all(exp.Column))
    for number, column in enumerate(marked):
        column.meta[_MARK] = number
    for query in _list_queries(tree):
        try:
            copy = qualify(
                _drop_places(query.copy()),
                dialect=dialect,
                schema=schema,
                expand_stars=False,
                expand_alias_refs=False,
                validate_qualify_columns=False,
                quote_identifiers=False,
                identify=False,
            )
            annotate_types(copy, schema=schema, dialect=dialect)
        except SqlglotError:  # DuckDB tells better what is wrong with a name
            continue
        for column in copy.find_all(exp.Column):
            if _MARK in column.meta and column.type is not None and not column.is_type("unknown"):
                marked[column.meta[_MARK]].type = column.type
    _annotate_targets(tree, schema)
    for cast in reversed(list(tree.find_all(exp.Cast))):
        if not isinstance(cast.this, exp.Query):  # what has a type already is not looked into
            annotate_types(cast.this, dialect=dialect, overwrite_types=False)
    annotate_types(tree, dialect=dialect, overwrite_types=False)


def _drop_places(query: exp.Expr) -> exp.Expr:
    """The query without numbers of columns in its orders and groups: to count them, a star would have to be known."""
    from sqlglot import exp

    for clause in list(query.find_all(exp.Order, exp.Group)):
        select = clause.parent
        if isinstance(select, exp.Query) and any(projection.is_star for projection in select.selects):
            for part in list(clause.expressions):
                if (part.this if isinstance(part, exp.Ordered) else part).is_int:
                    part.pop()
            if not clause.expressions:
                clause.pop()
    return query


def _list_queries(tree: exp.Expr) -> list[exp.Expr]:
    from sqlglot import exp

    if isinstance(tree, exp.Query):
        return [tree]
    return [query for query in tree.find_all(exp.Query) if query.find_ancestor(exp.Query) is None]


def _annotate_targets(tree: exp.Expr, schema: Mapping[str, Mapping[str, exp.DataType]]) -> None:
    """In a statement that changes, a name has the type that it has in all tables of the statement that have it."""
    from sqlglot import exp

    if isinstance(tree, exp.Query):
        return
    for column in tree.find_all(exp.Column):
        types = {
            str(type_): type_
            for own in schema.values()
            for name, type_ in own.items()
            if name.casefold() == column.name.casefold()
        }
        if column.type is None and len(types) == 1:
            column.type = next(iter(types.values()))
