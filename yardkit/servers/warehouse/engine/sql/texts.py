"""Texts: places in them, patterns that they match, and values that become texts or come from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.intervals import write_interval
from yardkit.servers.warehouse.engine.sql.snippets import (
    annotate_type,
    build_call,
    build_snippet,
    cast_node,
    is_float,
    text_of,
    write_trimmed,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_WHOLE_NUMBER = r"\s*[-+]?([0-9]+|0[xX][0-9a-fA-F]+)\s*"
_NEGATIVE = "error('a length cannot be negative')"
_OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def rewrite_text(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """What a node of texts becomes; None if it stays."""
    from sqlglot import exp

    if isinstance(node, exp.Substring) and dialect in ("bigquery", "postgres"):
        return _rewrite_substring(node, dialect)
    if isinstance(node, exp.Left | exp.Right) and dialect == "bigquery" and _count_of(node.expression) is None:
        cut = f"CASE WHEN {{count}} < 0 THEN {_NEGATIVE} ELSE {{value}} END"
        return annotate_type(build_snippet(cut, count=node.expression, value=node), "VARCHAR")
    if isinstance(node, exp.StrPosition) and isinstance(node.args.get("position"), exp.Neg):
        return _find_from_end(node)
    if isinstance(node, exp.Like | exp.ILike):
        return _rewrite_like(node, dialect)
    if isinstance(node, exp.SimilarTo):
        return build_call("regexp_full_match", node.this.copy(), _similar_pattern(node), exp.Literal.string("s"))
    return _rewrite_value(node, dialect)


def _rewrite_value(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.In):
        _require_comparable(node, dialect)
        return None
    if isinstance(node, exp.Cast):
        return _rewrite_cast(node, dialect)
    if isinstance(node, exp.ToChar) and node.args.get("format") is None:
        return _write_value(node.this, dialect)
    if dialect == "bigquery" and isinstance(node, exp.Concat | exp.DPipe):
        _require_texts(node)
    if isinstance(node, exp.Concat | exp.ConcatWs | exp.DPipe | exp.GroupConcat):
        for child in list(node.iter_expressions()):
            value = child
            while isinstance(value, exp.Order | exp.Distinct):
                value = value.this if isinstance(value, exp.Order) else value.expressions[0]
            if (text := _write_value(value, dialect)) is not None:
                value.replace(text)
    return None


def _count_of(node: exp.Expr) -> int | None:
    """The number that a literal is; None for a negative one and for what is no literal."""
    from sqlglot import exp

    return int(node.name) if isinstance(node, exp.Literal) and node.is_int else None


def _rewrite_substring(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """A part of a text whose first place may be before its beginning; a negative length is refused."""
    start, length = node.args.get("start"), node.args.get("length")
    if start is None or text_of(start) is not None:
        return None
    if _count_of(start) and (length is None or _count_of(length) is not None):
        return None
    if dialect == "bigquery":
        first = "CASE WHEN {start} = 0 OR {start} < -length({text}) THEN 1 ELSE {start} END"
        count = "{length}"
    else:
        first = "CASE WHEN {start} < 1 THEN 1 ELSE {start} END"
        count = (
            "CASE WHEN {start} >= 1 THEN {length} WHEN {length} + {start} > 1 THEN {length} + {start} - 1 ELSE 0 END"
        )
    if length is None:
        return annotate_type(build_snippet(f"substring({{text}}, {first})", text=node.this, start=start), "VARCHAR")
    cut = f"CASE WHEN {{length}} < 0 THEN {_NEGATIVE} ELSE substring({{text}}, {first}, {count}) END"
    return annotate_type(build_snippet(cut, text=node.this, start=start, length=length), "VARCHAR")


def _find_from_end(node: exp.Expr) -> exp.Expr:
    """INSTR from the last letter on.

    Raises:
        Problem: it is looked for from another place before the end.
    """
    if str(node.args["position"]) != "-1" or node.args.get("occurrence") is not None:
        raise Problem("a text is looked for from the end only by a position of -1 and without an occurrence here")
    position = "strpos(reverse({text}), reverse({part}))"
    return build_snippet(
        f"CASE WHEN {position} = 0 THEN 0 ELSE length({{text}}) - length({{part}}) - {position} + 2 END",
        text=node.this,
        part=node.args["substr"],
    )


def _rewrite_like(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """A pattern in which a backslash stands before a percent sign or a line that are meant themselves."""
    from sqlglot import exp

    pattern = node.expression
    if isinstance(pattern, exp.Any | exp.All):
        listed = pattern.this.unnest()
        if isinstance(listed, exp.Array):
            pattern.set("this", exp.Tuple(expressions=listed.expressions))
        escaped = any("\\" in literal.this for literal in pattern.find_all(exp.Literal))
        if escaped and dialect != "snowflake":
            raise Problem("a backslash in LIKE ANY or LIKE ALL is not supported here; join several LIKE by OR or AND")
        return None
    text = text_of(pattern)
    if dialect == "snowflake" or isinstance(node.parent, exp.Escape) or (text is not None and "\\" not in text):
        return None
    return exp.Escape(this=node.copy(), expression=exp.Literal.string("\\"))


def _similar_pattern(node: exp.Expr) -> exp.Expr:
    """The regular expression of SIMILAR TO.

    Raises:
        Problem: the pattern is no quoted string.
    """
    from sqlglot import exp

    pattern = text_of(node.expression)
    if pattern is None:
        raise Problem("the pattern of SIMILAR TO must be a quoted string here")
    meant = {"%": ".*", "_": ".", ".": r"\.", "^": r"\^", "$": r"\$"}
    parts = re.findall(r"\\.|\[[^\]]*\]|.", pattern, re.DOTALL)
    return exp.Literal.string("".join(meant.get(part, part) for part in parts))


def _require_texts(node: exp.Expr) -> None:
    """Refuse to join a text with a number, as BigQuery does.

    Raises:
        Problem: it would be.
    """
    from sqlglot import exp

    for part in node.iter_expressions():
        if part.is_type(*exp.DataType.NUMERIC_TYPES, "boolean", "date"):
            written = part.sql("bigquery")[:60]
            raise Problem(f"{written} is not a text; use CAST({written} AS STRING)")


def _require_comparable(node: exp.Expr, dialect: Dialect) -> None:
    """Refuse to compare texts with numbers, as BigQuery and PostgreSQL do; DuckDB makes numbers of the texts.

    Raises:
        Problem: they would be.
    """
    from sqlglot import exp

    if dialect == "snowflake":
        return
    others = node.expressions if isinstance(node, exp.In) else [node.expression]
    for left, right in ((side, other) for other in others for side in (node.this, other)):
        other = right if left is node.this else node.this
        is_text = left.is_type(*exp.DataType.TEXT_TYPES) and (dialect == "bigquery" or text_of(left) is None)
        if is_text and other.is_type(*exp.DataType.NUMERIC_TYPES):
            sign = _OPERATORS.get(node.key, "IN")
            raise Problem(
                f"a text cannot be compared ({sign}) with a number: {node.sql(dialect)[:100]}; cast one of them"
            )


def _rewrite_cast(node: exp.Cast, dialect: Dialect) -> exp.Expr | None:
    from sqlglot import exp

    if node.to.is_type(*exp.DataType.TEXT_TYPES) and not node.to.expressions:
        return _write_value(node.this, dialect)
    is_whole = node.to.is_type(*exp.DataType.INTEGER_TYPES) and dialect in ("bigquery", "postgres")
    is_text = text_of(node.this) is not None or node.this.is_type(*exp.DataType.TEXT_TYPES)
    if not is_whole or not is_text:
        return None
    otherwise = "NULL" if isinstance(node, exp.TryCast) else "error('not a whole number: ' || {text})"
    fits = f"{{text}} IS NULL OR regexp_full_match({{text}}, '{_WHOLE_NUMBER}')"
    checked = f"CASE WHEN {fits} THEN {{value}} ELSE {otherwise} END"
    return annotate_type(build_snippet(checked, text=node.this, value=node), node.to.sql("duckdb"))


def _write_value(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """A value as its warehouse writes it where DuckDB writes it otherwise; None where it does not."""
    from sqlglot import exp

    if node.is_type("interval"):
        return write_interval(node, dialect)
    if dialect == "bigquery" and node.is_type(*exp.DataType.REAL_TYPES):
        return write_trimmed(node)
    if dialect in ("snowflake", "postgres") and is_float(node):
        without_point = r"regexp_replace({text}, '\.0$', '')"
        return annotate_type(build_snippet(without_point, text=cast_node(node.copy(), "VARCHAR")), "VARCHAR")
    if dialect == "snowflake" and node.is_type("timestamp", "timestampntz", "datetime"):
        pattern = "strftime({moment}, '%Y-%m-%d %H:%M:%S.%g')"
        return annotate_type(build_snippet(pattern, moment=node), "VARCHAR")
    return None
