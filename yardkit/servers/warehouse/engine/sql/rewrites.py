"""What DuckDB would work out differently, said so that it works it out as the statement's own warehouse does.

sqlglot translates most; here is what it leaves silently wrong, or refuses though it can be said. A node is rewritten
after the nodes within it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql import (
    aggregates,
    exact_numbers,
    intervals,
    moments,
    numbers_and_texts,
    of_postgres,
    refusals,
    semi_structured,
    texts,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

Rewrite = Callable[["exp.Expr", Dialect], "exp.Expr | None"]
_REFUSED = ("hash", "hash_agg", "farm_fingerprint")
"""Functions whose values differ from one warehouse to the next."""

_OTHER_LISTS = ("query", "unnest", "field")
"""Where IN has its values from if it lists none."""
_OF_THE_SESSION = {
    *("current_user", "session_user", "user", "current_role", "current_database", "current_schema", "current_schemas"),
    *("current_catalog", "current_warehouse", "version"),
}


def rewrite_tree(tree: exp.Expr, dialect: Dialect, now: datetime) -> exp.Expr:
    """The tree, changed.

    Raises:
        Problem: something of it cannot be worked out here.
    """
    for node in tree.walk():
        _refuse_unsupported(node, dialect)
    if dialect == "snowflake":
        semi_structured.mark_flattened(tree)
    for node in reversed(list(tree.walk())):
        new = moments.of_the_clock(node, now)
        for rewrite in () if dialect == "duckdb" or new is not None else _REWRITES:
            new = rewrite(node, dialect) if dialect != "postgres" or rewrite in _OF_POSTGRES else None
            if new is not None:
                break
        if new is not None and new is not node:
            if new.type is None:
                new.type = node.type
            if node is tree:
                tree = new
            else:
                node.replace(new)
    return tree


_REWRITES: tuple[Rewrite, ...] = (
    moments.rewrite_moment,
    intervals.rewrite_interval,
    semi_structured.rewrite_semi_structured,
    aggregates.rewrite_aggregate,
    exact_numbers.rewrite_exact,
    of_postgres.rewrite_of_postgres,
    numbers_and_texts.rewrite_match,
    texts.rewrite_text,
    refusals.rewrite_text_cast,
    refusals.rewrite_array_place,
    numbers_and_texts.rewrite_value,
)
_OF_POSTGRES = (
    intervals.rewrite_interval,
    exact_numbers.rewrite_exact,
    of_postgres.rewrite_of_postgres,
    numbers_and_texts.rewrite_match,
    texts.rewrite_text,
    refusals.rewrite_text_cast,
)
"""Those that its own statements need; DuckDB takes the rest as PostgreSQL does."""


def _is_bit(node: exp.Expr) -> bool:
    from sqlglot import exp

    return isinstance(node, exp.DataType) and node.is_type("bit", "varbit")


def _refuse_unsupported(node: exp.Expr, dialect: Dialect) -> None:
    from sqlglot import exp

    if isinstance(node, exp.Connect | exp.MatchRecognize):
        raise Problem("CONNECT BY and MATCH_RECOGNIZE are not supported here; use WITH RECURSIVE or window functions")
    if isinstance(node, exp.Table) and (node.args.get("when") or node.args.get("version")):
        raise Problem("time travel is not supported here; tables have no history")
    if isinstance(node, exp.Fetch) and (options := node.args.get("limit_options")) and options.args.get("with_ties"):
        raise Problem("WITH TIES is not supported here; use RANK() <= n in a subquery")
    if dialect == "duckdb":
        return
    if isinstance(node, exp.In) and not node.expressions and not any(node.args.get(arg) for arg in _OTHER_LISTS):
        raise Problem("IN () is not valid; give at least one value")
    if dialect == "postgres" and (isinstance(node, exp.BitString | exp.HexString) or _is_bit(node)):
        raise Problem("bit strings are not supported here; use numbers or texts")
    if not isinstance(node, exp.Func):
        return
    name = str(node.name if isinstance(node, exp.Anonymous) else node.sql_name())
    if name.lower() in _OF_THE_SESSION:
        raise Problem(f"{name.upper()} is not supported here: there are no users, roles or sessions")
    if name.lower() in _REFUSED and dialect != "postgres":
        raise Problem(f"{name.upper()} is not supported here: its values are specific to one warehouse")
