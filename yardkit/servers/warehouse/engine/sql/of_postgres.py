"""Functions of PostgreSQL that DuckDB has by the same name and works out otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.formats import rewrite_format
from yardkit.servers.warehouse.engine.sql.semi_structured import name_columns
from yardkit.servers.warehouse.engine.sql.snippets import (
    annotate_type,
    build_call,
    build_snippet,
    cast_node,
    is_float,
    text_of,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_JSON = {
    "jsonb_array_length": "json_array_length",
    "json_build_object": "json_object",
    "jsonb_build_object": "json_object",
    "json_build_array": "json_array",
    "jsonb_build_array": "json_array",
    "jsonb_agg": "json_group_array",
}
_INTERVALS = ("years", "months", "weeks", "days", "hours", "mins", "secs")


def rewrite_of_postgres(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """What a node of PostgreSQL becomes; None if it stays, and in other dialects."""
    from sqlglot import exp

    if dialect != "postgres":
        return None
    if (written := rewrite_format(node)) is not None:
        return written
    if isinstance(node, exp.Round) and node.args.get("decimals") is None and is_float(node.this):
        return annotate_type(build_call("round_even", node.this.copy(), exp.Literal.number(0)), "DOUBLE")
    if (moment := _rewrite_moment(node)) is not None:
        return moment
    if isinstance(node, exp.DPipe) and any(side.is_type("json", "jsonb") for side in (node.this, node.expression)):
        raise Problem("|| of JSON is not supported here; cast both sides to text, or build the object from its parts")
    if isinstance(node, exp.UnicodeString):
        return _decode_unicode(node)
    if isinstance(node, exp.MakeInterval):
        return _add_up_interval(node)
    if isinstance(node, exp.Values) and isinstance(node.parent, exp.From | exp.Join | exp.Subquery):
        return name_columns(node)
    return _rewrite_list_or_text(node)


def _rewrite_moment(node: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.Extract) and node.expression.is_type("timestamptz", "timestampltz"):
        node.set("expression", cast_node(node.expression.copy(), "TIMESTAMP"))  # the session's zone is UTC
    if isinstance(node, exp.Extract) and node.this.name.upper() == "SECOND":
        return build_snippet("(date_part('microsecond', {moment}) / 1000000.0)", moment=node.expression)
    if isinstance(node, exp.TimestampTrunc | exp.DateTrunc) and node.this.is_type("date"):
        return cast_node(node.copy(), "TIMESTAMPTZ")  # there a day is a moment of the session's zone, UTC
    return None


def _decode_unicode(node: exp.UnicodeString) -> exp.Expr:
    r"""The text of ``U&'d\0061ta'``.

    Raises:
        Problem: an escape in it is not complete.
    """
    from sqlglot import exp

    mark = re.escape(node.args["escape"].name if node.args.get("escape") else "\\")
    escape = re.compile(rf"{mark}(?:{mark}|\+([0-9a-fA-F]{{6}})|([0-9a-fA-F]{{4}})|())")

    def decode(match: re.Match[str]) -> str:
        if match[3] is not None:
            raise Problem(
                f"{node.name[match.start() :][:8]!r} is not a valid escape in U&'...'; use 4 digits, or + and 6"
            )
        digits = match[1] or match[2]
        return chr(int(digits, 16)) if digits else match[0][0]

    return annotate_type(exp.Literal.string(escape.sub(decode, node.name)), "VARCHAR")


def _rewrite_list_or_text(node: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.Hex):
        return build_call("lower", node.copy())
    if isinstance(node, exp.ArraySize):
        return build_snippet("nullif({size}, 0)", size=build_call("len", node.this.copy()))
    if isinstance(node, exp.SplitPart) and str(node.args.get("part_index")) == "0":
        raise Problem("the part of SPLIT_PART cannot be 0; parts are counted from 1, or from the end by -1")
    if isinstance(node, exp.RegexpSubstr):
        return _match_once(node.this, node.expression, as_list=False)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "regexp_match" and len(node.expressions) == 2:
        return _match_once(*node.expressions, as_list=True)
    if isinstance(node, exp.Anonymous) and node.name.lower() in _JSON:
        return build_call(_JSON[node.name.lower()], *node.expressions)
    return _join_format(node) if isinstance(node, exp.Format) else None


def _match_once(text: exp.Expr, matched: exp.Expr, *, as_list: bool) -> exp.Expr:
    """The first match of a pattern: its text, or a list of its groups.

    Raises:
        Problem: the pattern is no quoted string or not valid.
    """
    pattern = text_of(matched)
    try:
        groups = re.compile(pattern or "").groups
    except re.error as error:
        raise Problem(f"{pattern!r} is not a valid regular expression: {error}") from error
    if pattern is None:
        raise Problem("REGEXP_MATCH and REGEXP_SUBSTR take a quoted pattern here")
    group_numbers = range(1, groups + 1) if groups and as_list else range(1)
    matches = [f"list_extract(regexp_extract_all({{text}}, {{pattern}}, {group}), 1)" for group in group_numbers]
    written = (
        f"CASE WHEN regexp_matches({{text}}, {{pattern}}) THEN [{', '.join(matches)}] END" if as_list else matches[0]
    )
    return build_snippet(written, text=text, pattern=matched)


def _join_format(node: exp.Expr) -> exp.Expr:
    """FORMAT with ``%s``.

    Raises:
        Problem: the pattern is no quoted string, has other parts or fewer values than parts.
    """
    from sqlglot import exp

    pattern = text_of(node.this)
    pieces = (pattern or "").replace("%%", "\0").split("%s")
    if pattern is None or any("%" in piece for piece in pieces):
        raise Problem("FORMAT takes a quoted string with %s and %% here")
    if len(pieces) - 1 > len(node.expressions):
        raise Problem(f"FORMAT has more placeholders than values: {pattern!r}")
    joined: list[exp.Expr] = []
    for piece, value in zip(pieces, [*node.expressions, None], strict=False):
        joined.append(exp.Literal.string(piece.replace("\0", "%")))
        if value is not None and len(joined) < 2 * len(pieces) - 1:
            joined.append(exp.Coalesce(this=cast_node(value.copy(), "VARCHAR"), expressions=[exp.Literal.string("")]))
    return annotate_type(exp.Concat(expressions=joined, safe=True), "VARCHAR")


def _add_up_interval(node: exp.Expr) -> exp.Expr:
    """MAKE_INTERVAL, whose arguments are mostly named."""
    from sqlglot import exp

    amounts: dict[str, exp.Expr] = {}
    for place, argument in enumerate(value for value in node.args.values() if isinstance(value, exp.Expr)):
        is_named = isinstance(argument, exp.Kwarg | exp.PropertyEQ)
        name = argument.this.name.lower() if is_named else _INTERVALS[place]
        if name not in _INTERVALS:
            raise Problem(f"MAKE_INTERVAL takes {', '.join(_INTERVALS)}, not {name!r}")
        amounts[name] = argument.expression if is_named else argument
    functions = {"mins": "to_minutes", "secs": "to_seconds"}
    parts = [build_call(functions.get(name, f"to_{name}"), amount.copy()) for name, amount in amounts.items()]
    total = parts[0] if parts else exp.Literal.string("0 days")
    for part in parts[1:]:
        total = exp.Add(this=total, expression=part)
    return cast_node(exp.Paren(this=total), "INTERVAL")
