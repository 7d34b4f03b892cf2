"""Quotients and means of exact numbers, which DuckDB works out in floating point: as decimals, and rounded as such."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_call, build_snippet, cast_node, text_of

if TYPE_CHECKING:
    from sqlglot import exp

_TEXT = (
    "CASE WHEN typeof({number}) = 'DOUBLE' THEN printf('%.15g', CAST({number} AS DOUBLE)) "
    "ELSE CAST({number} AS VARCHAR) END"
)
"""A number with the 15 digits that floating point keeps for certain, so that 1.005 is not a little less."""
_MOST_DECIMALS = 12
"""That Snowflake gives a quotient; taken for one whose number of decimals is not known."""
_DECIMALS_OF_BIGQUERY = 9
_DECIMALS_OF_POSTGRES = 10
"""That a NUMERIC of PostgreSQL has here where it declares none; there it has as many as its values."""


def round_exactly(number: exp.Expr, scale: int) -> exp.Expr:
    """A number as a decimal with `scale` places; halves are rounded away from zero, as in all these warehouses."""
    type_ = f"DECIMAL(38, {scale})"
    return annotate_type(build_snippet(f"CAST({_TEXT} AS {type_})", number=number), type_)


def rewrite_exact(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """A quotient, a mean, or what rounds one; None for other nodes."""
    from sqlglot import exp

    if dialect == "postgres":
        return _rewrite_of_postgres(node)
    aggregate = unwrap_aggregate(node)
    if isinstance(aggregate, exp.Avg):
        value = aggregate.this
        operands = [value.expressions[0] if isinstance(value, exp.Distinct) else value]
    elif isinstance(node, exp.Div):
        operands = [node.this, node.expression]
    else:
        return None
    scales = [_scale_of(operand, dialect) for operand in operands]
    if any(scale is None for scale in scales):
        return None
    if dialect == "snowflake":
        first = scales[0] or 0
        return round_exactly(node, max(first, min(first + 6, _MOST_DECIMALS)))
    is_decimal = any(operand.is_type("decimal") for operand in operands)
    return round_exactly(node, _DECIMALS_OF_BIGQUERY) if is_decimal else None


def unwrap_aggregate(node: exp.Expr) -> exp.Expr | None:
    """The aggregate that a node is with all that belongs to it (OVER, FILTER, WITHIN GROUP); None for a part of one."""
    from sqlglot import exp

    around = (exp.Window, exp.Filter, exp.WithinGroup)
    if isinstance(node.parent, around) and node.arg_key == "this":
        return None
    while isinstance(node, around):
        node = node.this
    return node


def _scale_of(node: exp.Expr, dialect: Dialect) -> int | None:
    """The decimals of a number; None for one in floating point and for what is not known to be a number."""
    from sqlglot import exp

    if isinstance(node, exp.Paren | exp.Neg):
        return _scale_of(node.this, dialect)
    if isinstance(node, exp.Literal):
        is_exact = not node.is_string and "e" not in node.name.lower() and (node.is_int or dialect != "bigquery")
        return len(node.name.partition(".")[2]) if is_exact else None
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Mod | exp.Div):
        first, second = _scale_of(node.this, dialect), _scale_of(node.expression, dialect)
        if first is None or second is None:
            return None
        if isinstance(node, exp.Div):
            return 0 if node.is_type(*exp.DataType.INTEGER_TYPES) else _MOST_DECIMALS
        return first + second if isinstance(node, exp.Mul) else max(first, second)
    if isinstance(node, exp.Avg):
        return None if _scale_of(node.this, dialect) is None else _MOST_DECIMALS
    if node.is_type(*exp.DataType.INTEGER_TYPES):
        return 0
    if not node.is_type("decimal"):
        return None
    declared = node.type.expressions if node.type is not None else []
    return int(declared[1].name) if len(declared) == 2 else 0 if declared else _MOST_DECIMALS


def _rewrite_of_postgres(node: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.Div) and node.is_type(*exp.DataType.INTEGER_TYPES):
        if any(_sums_bigints(side) for side in (node.this, node.expression)):
            return annotate_type(build_snippet("({a} / {b})", a=node.this, b=node.expression), "DECIMAL")
        return annotate_type(exp.IntDiv(this=node.this.copy(), expression=node.expression.copy()), "BIGINT")
    if isinstance(node, exp.Round) and (places := node.args.get("decimals")) is not None:
        count = -int(places.this.name) if isinstance(places, exp.Neg) and places.this.is_int else None
        if places.is_int and count is None:
            return round_exactly(node.this, int(places.name))
        return None if count is None else build_call("round", round_exactly(node.this, _MOST_DECIMALS), places.copy())
    if isinstance(node, exp.Floor | exp.Ceil | exp.Trunc) and _is_quotient(node.this):
        node.set("this", round_exactly(node.this, _MOST_DECIMALS))
        return node
    if isinstance(node, exp.Cast):
        return _rewrite_cast(node)
    is_declared = isinstance(node, exp.DataType) and not isinstance(node.parent, exp.Cast)
    if is_declared and node.is_type("decimal") and not node.expressions:
        return exp.DataType.build(f"DECIMAL(38, {_DECIMALS_OF_POSTGRES})", dialect="duckdb")
    return None


def _sums_bigints(node: exp.Expr) -> bool:
    """Whether it is a sum of BIGINT, which is NUMERIC in PostgreSQL, so that its quotients have decimals."""
    from sqlglot import exp

    aggregate = unwrap_aggregate(node.unnest()) or node.unnest()
    return isinstance(aggregate, exp.Sum) and aggregate.this.is_type("bigint")


def _is_quotient(node: exp.Expr) -> bool:
    from sqlglot import exp

    return node.find(exp.Div, exp.Avg) is not None and _scale_of(node, "postgres") is not None


def _rewrite_cast(node: exp.Cast) -> exp.Expr | None:
    """A cast to NUMERIC, whose scale DuckDB takes for 3 where there is none; or of a quotient to a whole number."""
    from sqlglot import exp

    value = node.this
    if node.to.is_type(*exp.DataType.INTEGER_TYPES) and _is_quotient(value):
        node.set("this", round_exactly(value, 0))
        return node
    if not node.to.is_type("decimal"):
        return None
    declared = node.to.expressions
    if declared:
        node.set("this", round_exactly(value, int(declared[1].name) if len(declared) == 2 else 0))
        return node
    written = re.fullmatch(r"\s*[-+]?\d+(?:\.(\d*))?\s*", value.name) if isinstance(value, exp.Literal) else None
    if written or value.is_type(*exp.DataType.INTEGER_TYPES):
        return cast_node(value.copy(), f"DECIMAL(38, {len(written[1] or '') if written else 0})")
    if value.is_type(*exp.DataType.TEXT_TYPES) and text_of(value) is None:
        return cast_node(value.copy(), f"DECIMAL(38, {_DECIMALS_OF_POSTGRES})")
    if value.is_type("decimal") and value.type is not None and value.type.expressions:
        return exp.Paren(this=value.copy())
    return annotate_type(
        build_snippet("CAST(printf('%.15g', CAST({number} AS DOUBLE)) AS DOUBLE)", number=value), "DECIMAL"
    )
