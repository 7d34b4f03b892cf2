"""Types of numbers, rounding, and texts made of values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.snippets import (
    annotate_type,
    build_call,
    build_snippet,
    cast_node,
    text_of,
    write_trimmed,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_ESCAPED = r"replace(replace({text}, '\', '\\'), chr(10), '\n')"
_QUOTED = (
    f"CASE WHEN contains({{text}}, '\"') AND NOT contains({{text}}, '''') THEN '''' || {_ESCAPED} || '''' "
    f"ELSE '\"' || replace({_ESCAPED}, '\"', '\\\"') || '\"' END"
)
"""A text in quotes: double ones unless it has such and no single ones."""
_LITERALS = {
    "DATE": ("date",),
    "DATETIME": ("timestamp", "datetime", "timestampntz"),
    "TIMESTAMP": ("timestamptz", "timestampltz"),
    "TIME": ("time",),
    "NUMERIC": ("decimal",),
}
_SPECIFIER = re.compile(r"%%|%([-+ 0#']*)(\d*)(\.\d+)?([a-zA-Z])")


def rewrite_value(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """What a node of numbers or texts becomes; None if it stays."""
    from sqlglot import exp

    if isinstance(node, exp.DataType):
        return _rewrite_type(node, dialect)
    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.INTEGER_TYPES):
        return _round_to_integer(node)
    if isinstance(node, exp.Format) and dialect == "bigquery":
        return _rewrite_printf(node)
    if isinstance(node, exp.Anonymous) and dialect == "bigquery" and node.name.upper() == "IEEE_DIVIDE":
        return _divide_as_floats(*node.expressions)
    if isinstance(node, exp.SafeAdd | exp.SafeSubtract | exp.SafeMultiply | exp.SafeNegate):
        return _calculate_safely(node)
    if isinstance(node, exp.SafeFunc):
        return build_call("try", node.this.copy())
    return None


def rewrite_match(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """NULL, not an empty text, where nothing matches a pattern; None for other nodes."""
    from sqlglot import exp

    if dialect == "postgres" and isinstance(node, exp.Substring) and text_of(node.args.get("start")) is not None:
        pattern = text_of(node.args["start"]) or ""
        group = exp.Literal.number(1 if re.search(r"(?<!\\)\((?!\?)", pattern) else 0)
        node = exp.RegexpExtract(this=node.this, expression=node.args["start"], group=group)
    if not isinstance(node, exp.RegexpExtract):
        return None
    parameters = text_of(node.args.get("parameters"))
    if dialect == "snowflake" and parameters and "e" in parameters and str(node.args.get("group")) == "0":
        node.set("group", exp.Literal.number(1))  # of Snowflake's 'e' where no group is named
    (generated,) = build_snippet("[{value}]", value=node).expressions
    if not isinstance(generated, exp.RegexpExtract):
        return None  # of several, sqlglot takes one from the list of all, which is NULL beyond its end
    arguments = [generated.this, generated.expression, generated.args.get("group") or exp.Literal.number(0)]
    arguments += [generated.args["parameters"]] if generated.args.get("parameters") else []
    return annotate_type(
        build_call("list_extract", build_call("regexp_extract_all", *arguments), exp.Literal.number(1)), "VARCHAR"
    )


def _rewrite_type(node: exp.DataType, dialect: Dialect) -> exp.Expr | None:
    """Whole numbers of Snowflake have 38 digits, its FLOAT 64 bits, and a number without a scale none."""
    from sqlglot import exp

    kind = exp.DataType.Type
    if node.is_type(kind.VARIANT, kind.OBJECT) or (node.is_type(kind.ARRAY) and not node.expressions):
        return exp.DataType.build("JSON", dialect="duckdb")
    if node.is_type(kind.BIGDECIMAL):
        raise Problem("BIGNUMERIC has more digits than are supported here; use NUMERIC")
    if node.is_type(kind.DECIMAL) and not node.expressions:
        return exp.DataType.build("DECIMAL(38, 9)" if dialect == "bigquery" else "DECIMAL(38, 0)", dialect="duckdb")
    if dialect == "snowflake" and node.is_type(kind.INT, kind.SMALLINT, kind.TINYINT):
        return exp.DataType.build("BIGINT", dialect="duckdb")
    if dialect == "snowflake" and node.is_type(kind.FLOAT):
        return exp.DataType.build("DOUBLE", dialect="duckdb")
    return None


def _calculate_safely(node: exp.Expr) -> exp.Expr:
    """A sum or product that is NULL where its type cannot hold it."""
    from sqlglot import exp

    if isinstance(node, exp.SafeNegate):
        return build_call("try", exp.Neg(this=exp.Paren(this=node.this.copy())))
    operations = {exp.SafeAdd: exp.Add, exp.SafeSubtract: exp.Sub, exp.SafeMultiply: exp.Mul}
    left, right = (
        cast_node(side.copy(), "BIGINT") if side.is_int else exp.Paren(this=side.copy())
        for side in (node.this, node.expression)
    )
    return build_call("try", operations[type(node)](this=left, expression=right))


def _round_to_integer(node: exp.Cast) -> exp.Expr | None:
    """Halves are rounded away from zero, not to the even number."""
    if not node.this.is_type("double", "float"):
        return None
    node.set("this", build_call("round", node.this.copy()))
    return node


def _divide_as_floats(numerator: exp.Expr, denominator: exp.Expr) -> exp.Expr:
    """A division that gives infinity or NaN for a denominator of zero."""
    of_zero = "CASE WHEN {n} = 0 OR isnan(CAST({n} AS DOUBLE)) THEN 'nan' WHEN {n} > 0 THEN 'inf' ELSE '-inf' END"
    divided = f"CASE WHEN {{d}} = 0 THEN CAST({of_zero} AS DOUBLE) ELSE {{n}} / {{d}} END"
    return annotate_type(build_snippet(divided, n=numerator, d=denominator), "DOUBLE")


def _rewrite_printf(node: exp.Expr) -> exp.Expr:
    """BigQuery's FORMAT, which is C's printf with ``%t`` for any value and ``'`` for groups of digits."""
    from sqlglot import exp

    pattern = text_of(node.this)
    if pattern is None:
        raise Problem("the pattern of FORMAT must be a quoted string here")
    values = [value.copy() for value in node.expressions]
    pieces: list[exp.Expr] = []
    end = 0
    for match in _SPECIFIER.finditer(pattern):
        pieces += _make_literals(pattern[end : match.start()])
        end = match.end()
        if match[0] == "%%":
            pieces += _make_literals("%")
        elif not values:
            raise Problem(f"FORMAT has more placeholders than values: {pattern!r}")
        else:
            pieces.append(_format_piece(match, values.pop(0)))
    pieces += _make_literals(pattern[end:])
    if "%" in _SPECIFIER.sub("", pattern):
        raise Problem(f"FORMAT has a part after % that is not supported here: {pattern!r}")
    return exp.Concat(expressions=pieces or [exp.Literal.string("")])


def _write_literal(value: exp.Expr) -> exp.Expr:
    """A value as a literal of BigQuery, which ``%T`` gives.

    Raises:
        Problem: it is of another type than those that are known here.
    """
    from sqlglot import exp

    if value.is_type(*exp.DataType.TEXT_TYPES):
        return build_snippet(_QUOTED, text=value)
    word = next((word for word, types in _LITERALS.items() if value.is_type(*types)), None)
    if word is not None:
        return build_snippet(f"'{word} \"' || {{text}} || '\"'", text=_write_plain(value))
    if value.is_type(*exp.DataType.INTEGER_TYPES, *exp.DataType.FLOAT_TYPES, "boolean") or isinstance(value, exp.Null):
        return cast_node(value, "VARCHAR")
    raise Problem(f"%T of FORMAT is not supported here for {value.sql('bigquery')[:60]}; use %t")


def _write_plain(value: exp.Expr) -> exp.Expr:
    return write_trimmed(value) if value.is_type("decimal") else cast_node(value, "VARCHAR")


def _make_literals(text: str) -> list[exp.Expr]:
    from sqlglot import exp

    return [exp.Literal.string(text)] if text else []


def _format_piece(match: re.Match[str], value: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    flags, width, precision, letter = match[1], match[2], match[3] or "", match[4]
    if letter in "tTs":
        printed = exp.Literal.string(f"%{flags}{width}{precision}s")
        text = _write_literal(value) if letter == "T" else _write_plain(value)
        null = exp.Literal.string("NULL")
        return build_call("printf", printed, text if letter == "s" else exp.Coalesce(this=text, expressions=[null]))
    if letter not in "dixXofeEgG":
        raise Problem(f"{match[0]!r} is not supported in FORMAT here")
    if letter in "dixXo" and value.is_type(*exp.DataType.REAL_TYPES):
        raise Problem(f"{match[0]!r} of FORMAT takes a whole number in BigQuery, not {value.sql('bigquery')[:60]}")
    number = cast_node(value, "BIGINT" if letter in "dixXo" else "DOUBLE")
    if "'" in flags:
        digits = precision if letter in "feEgG" else ""
        kind = letter if letter in "feEgG" else "d"
        return build_call("format", exp.Literal.string("{:" + width + "," + (digits or "") + kind + "}"), number)
    return build_call(
        "printf", exp.Literal.string(f"%{flags}{width}{precision}{'d' if letter == 'i' else letter}"), number
    )
