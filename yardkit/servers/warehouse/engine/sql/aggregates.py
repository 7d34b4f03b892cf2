"""Aggregates that take only some of their values, or give something where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.exact_numbers import unwrap_aggregate
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_call

if TYPE_CHECKING:
    from sqlglot import exp


def rewrite_aggregate(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """``ARRAY_AGG`` and ``STRING_AGG`` with a LIMIT of BigQuery: all values, of which the first are kept.

    Snowflake's ``LISTAGG`` and ``ARRAY_AGG`` of nothing are empty, not NULL.
    """
    from sqlglot import exp

    if dialect == "snowflake":
        aggregate = unwrap_aggregate(node)
        if isinstance(aggregate, exp.GroupConcat):
            return annotate_type(exp.Coalesce(this=node.copy(), expressions=[exp.Literal.string("")]), "VARCHAR")
        if isinstance(aggregate, exp.ArrayAgg):
            return exp.Coalesce(this=node.copy(), expressions=[exp.Array()])
    if dialect != "bigquery":
        return None
    if isinstance(node, exp.ArrayAgg) and (limit := node.find(exp.Limit)):
        return _take_first(node, limit)
    if isinstance(node, exp.GroupConcat) and (limit := node.find(exp.Limit)):
        separator = node.args.get("separator") or exp.Literal.string(",")
        array = exp.ArrayAgg(this=node.this.copy())
        value = array.find(exp.Limit).this
        while isinstance(value, exp.Order | exp.Distinct):
            value = value.this if isinstance(value, exp.Order) else value.expressions[0]
        first = _take_first(array, array.find(exp.Limit), value)
        return annotate_type(build_call("array_to_string", first, separator.copy()), "VARCHAR")
    return None


def _take_first(node: exp.Expr, limit: exp.Expr, not_null: exp.Expr | None = None) -> exp.Expr:
    from sqlglot import exp

    most = limit.expression.copy()
    condition = not_null.copy().is_(exp.null()).not_() if not_null is not None else None
    limit.replace(limit.this)
    aggregate_copy: exp.Expr = node.copy()
    if condition is not None:
        aggregate_copy = exp.Filter(this=aggregate_copy, expression=exp.Where(this=condition))
    return build_call("list_slice", aggregate_copy, exp.Literal.number(1), most)
