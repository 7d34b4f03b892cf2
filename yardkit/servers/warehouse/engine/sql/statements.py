"""A statement of SQL: parsed, of a kind that is allowed, and its names of tables found.

Only what is named in these lists gets to DuckDB; a statement is passed on as its syntax tree, never as it was written.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

MAX_CHARACTERS = 100_000
Kind = Literal["read", "insert", "update", "delete", "merge", "create", "drop", "alter", "truncate"]
_TABLE_FUNCTIONS = {"flatten", "generator", "range", "generate_series", "unnest", "values", "split_to_table"}
"""What may stand after FROM besides tables."""
_FORBIDDEN = re.compile(
    r"(duckdb_|pragma_|read_|parquet_|pg_|sniff_|arrow_|iceberg_|delta_|st_).*|glob|query|query_table|getenv|which_secret"
    r"|current_setting|getvariable|write_log|nextval|currval|copy_|sql_auto_complete|checkpoint|force_checkpoint|seq_scan"
    r"|set_config|test_.*|load_.*|.*scan(_pushdown)?|in_search_path|current_quer(y|ies)|system\$.*"
)
"""Functions that tell of the machine or reach out of the statement."""


def parse_statement(sql: str, dialect: Dialect) -> exp.Expr:
    """The syntax tree of one statement.

    Raises:
        Problem: it is not a valid statement, or more than one.
    """
    import sqlglot
    from sqlglot.errors import SqlglotError

    if len(sql) > MAX_CHARACTERS:
        raise Problem(f"the statement has {len(sql):,} characters; the limit is {MAX_CHARACTERS:,}")
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        trees = [tree for tree in sqlglot.parse(sql, read=_find_reader(dialect)) if tree is not None]
    except SqlglotError as error:
        raise Problem(f"this is not valid {dialect} SQL: {_format_error(error)}") from error
    if len(trees) != 1:
        raise Problem(f"there are {len(trees)} statements; give one, since each call is a transaction")
    return trees[0]


def kind_of(tree: exp.Expr, sql: str) -> Kind:
    """What a statement does; `sql` is how it was written.

    Raises:
        Problem: it is of a kind that is not allowed, or calls what is not.
    """
    from sqlglot import exp

    kinds: list[tuple[type[exp.Expr], Kind]] = [
        *((exp.Query, "read"), (exp.Insert, "insert"), (exp.Update, "update"), (exp.Delete, "delete")),
        *((exp.Merge, "merge"), (exp.Create, "create"), (exp.Drop, "drop"), (exp.Alter, "alter")),
        (exp.TruncateTable, "truncate"),
    ]
    kind = next((kind for class_, kind in kinds if isinstance(tree, class_)), None)
    if kind is None:
        word = (sql.split() or ["empty"])[0].upper()
        raise Problem(
            f"{word[:20]} statements are not supported here; use SELECT, INSERT, UPDATE, DELETE, MERGE, "
            "TRUNCATE, or CREATE, ALTER, DROP of tables, schemas and databases"
        )
    _require_allowed(tree)
    return kind


def named_tables(tree: exp.Expr) -> Iterator[exp.Table]:
    """The places where tables are named that are no common table expressions."""
    from sqlglot import exp

    for table in tree.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and not _is_common(table):
            yield table


def parts_of(table: exp.Table) -> list[str]:
    """The parts of its name; BigQuery's may stand in one pair of backticks."""
    return [part for piece in table.parts for part in str(piece.name).split(".")]


@cache
def _find_reader(dialect: Dialect) -> Any:
    """How a dialect is read: intervals, and PostgreSQL's formats of dates, as they are written.

    Of ``INTERVAL '1 day 02:00'`` or ``'1 day ago'`` sqlglot keeps the day alone.
    """
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect as Dialects

    base = type(Dialects.get_or_raise(dialect))

    def read_interval(self: Any, this: Any, **options: Any) -> Any:
        interval = super(parser, self)._parse_interval_span(this, **options)
        is_text = isinstance(this, exp.Literal) and this.is_string and re.search("[A-Za-z:]", this.name)
        return exp.Interval(this=exp.Literal.string(this.name)) if is_text else interval

    parser: Any = type("Parser", (base.Parser,), {"_parse_interval_span": read_interval})
    more: dict[str, Any] = {"TIME_MAPPING": {}} if dialect == "postgres" else {}
    return type(f"{base.__name__}AsWritten", (base,), {"Parser": parser, **more})


def _format_error(error: Exception) -> str:
    parse_errors = getattr(error, "errors", None)
    if not parse_errors:
        return str(error)[:300]
    first = parse_errors[0]
    near = (first["start_context"][-40:] + first["highlight"] + first["end_context"][:20]).strip()
    return f"line {first['line']}, column {first['col']}: {first['description'].rstrip('.')} at {near!r}"


def _require_allowed(tree: exp.Expr) -> None:
    from sqlglot import exp

    for node in tree.walk():
        if isinstance(node, exp.Command | exp.Copy | exp.Attach | exp.Set | exp.Pragma | exp.Use):
            raise Problem(f"{node.sql()[:60]!r} is not supported here")
        if node is not tree and isinstance(node, exp.DML | exp.Create | exp.Drop | exp.Alter) and not _is_part(node):
            raise Problem("a statement that changes data cannot be nested in another one")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Func):
            _require_table_function(node.this)
        elif isinstance(node, exp.Func) and _FORBIDDEN.fullmatch(_name_of(node)):
            raise Problem(f"the function {_name_of(node)!r} is not supported here")


def _is_part(node: exp.Expr) -> bool:
    """Whether it is what MERGE does with a row, or ALTER with a column."""
    from sqlglot import exp

    return node.find_ancestor(exp.Merge, exp.Alter) is not None


def _require_table_function(function: exp.Func) -> None:
    from sqlglot import exp

    name = _name_of(function)
    allowed = isinstance(function, exp.Unnest | exp.Explode | exp.GenerateSeries) or name in _TABLE_FUNCTIONS
    if not allowed:
        raise Problem(f"{name!r} is not allowed after FROM; name tables as database.schema.table")


def _name_of(function: exp.Func) -> str:
    from sqlglot import exp

    return str(function.name if isinstance(function, exp.Anonymous) else function.sql_name()).lower()


def _is_common(table: exp.Table) -> bool:
    """Whether a name means a common table expression that can be seen from there."""
    if len(parts_of(table)) > 1:
        return False
    node: exp.Expr | None = table
    while node is not None and node.parent is not None:
        with_ = node.parent.args.get("with_") or node.parent.args.get("with")
        if with_ is not None and node is not with_ and _has_common_table(with_.expressions, table):
            return True
        if node.parent.key == "with":
            own = node.parent.expressions
            before = own if node.parent.args.get("recursive") else own[: own.index(node)]
            if _has_common_table(before, table):
                return True
        node = node.parent
    return False


def _has_common_table(expressions: list[exp.Expr], table: exp.Table) -> bool:
    return any(common.alias.casefold() == table.name.casefold() for common in expressions)
