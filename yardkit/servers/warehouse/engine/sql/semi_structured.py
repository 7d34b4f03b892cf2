"""Arrays, objects and JSON: Snowflake's VARIANT and FLATTEN, BigQuery's UNNEST."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_call, build_snippet, cast_node, text_of
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_KINDS = (
    "CASE json_type({value}) WHEN 'OBJECT' THEN 'OBJECT' WHEN 'ARRAY' THEN 'ARRAY' WHEN 'VARCHAR' THEN 'VARCHAR' "
    "WHEN 'BOOLEAN' THEN 'BOOLEAN' WHEN 'NULL' THEN 'NULL_VALUE' WHEN 'DOUBLE' THEN 'DECIMAL' "
    "WHEN 'UBIGINT' THEN 'INTEGER' WHEN 'BIGINT' THEN 'INTEGER' END"
)
_JSON_TYPES = (
    "CASE json_type({value}) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' "
    "WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN NULL THEN NULL ELSE 'number' END"
)
_PLACE = "ltrim({prefix} || regexp_replace(substr(fullkey, 2), '\\.\"([^\"]*)\"', '[''\\1'']', 'g'), '.')"
"""A path as Snowflake writes it: without ``$.``, and keys that are no names in brackets."""
_FLATTENED = (
    "(SELECT 1 AS seq, CASE WHEN json_type({this}) = 'OBJECT' THEN key END AS key, "
    + _PLACE
    + " AS path, CASE WHEN json_type({this}) = 'ARRAY' THEN CAST(key AS BIGINT) END AS index, value, {this} AS this "
    "FROM {rows} WHERE key IS NOT NULL AND ({kind} = 'BOTH' OR json_type({this}) = {kind}))"
)
_FIELDS = {"value", "this"}


def mark_flattened(tree: exp.Expr) -> None:
    """Give the values that FLATTEN makes their type, JSON."""
    from sqlglot import exp

    aliases = {place.alias.casefold() for place in _find_flattenings(tree)}
    if not aliases:
        return
    from_rows = any(isinstance(place.parent, exp.Join | exp.Lateral) for place in _find_flattenings(tree))
    for column in tree.find_all(exp.Column):
        named = column.table.casefold()
        if column.name.casefold() == "seq" and from_rows and named in aliases:
            raise Problem("SEQ of FLATTEN is not supported here; use a column that identifies the row")
        if column.name.casefold() in _FIELDS and (named in aliases or (not named and column.type is None)):
            annotate_type(column, "JSON")


def rewrite_semi_structured(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """What a node of arrays or JSON becomes; None if it stays."""
    from sqlglot import exp

    if dialect == "bigquery":
        return _rewrite_of_bigquery(node)
    if dialect != "snowflake":
        return None
    if isinstance(node, exp.Struct):
        return _drop_nulls(node)
    if isinstance(node, exp.Lateral | exp.Table | exp.TableFromRows) and (call_ := _table_function(node)) is not None:
        return _rewrite_flatten(node, call_)
    if isinstance(node, exp.Values) and isinstance(node.parent, exp.From | exp.Join | exp.Subquery):
        return name_columns(node)
    if isinstance(node, exp.Parameter) and node.this.is_int:
        return exp.column(f"column{node.this.name}")
    if isinstance(node, exp.JSONExtract | exp.Bracket) and is_json(node):
        return annotate_type(node, "JSON")
    return _of_json(node)


def _rewrite_of_bigquery(node: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.Unnest) and node.args.get("offset"):
        return _rewrite_offset(node)
    if isinstance(node, exp.JSONType):
        return build_snippet(_JSON_TYPES, value=node.this)
    if isinstance(node, exp.String) and is_json(node.this):
        return _extract_text(node.this)
    return _place_in_json(node) if isinstance(node, exp.Bracket) else None


def _place_in_json(node: exp.Bracket) -> exp.Expr | None:
    """An element of a JSON array, counted from 0; None for another place.

    Raises:
        Problem: what it is a place in may be JSON or an array, which DuckDB counts differently.
    """
    from sqlglot import exp

    index = node.expressions[0]
    if not index.is_int or node.args.get("offset") is not None:
        return None
    if is_json(node.this):
        path = exp.Literal.string(f"$[{index.name}]")
        return annotate_type(build_call("json_extract", node.this.copy(), path), "JSON")
    root = node.this
    while isinstance(root, exp.Dot | exp.Bracket):
        root = root.this
    sources = node.root().find_all(exp.Table, exp.Unnest, exp.DerivedTable, exp.CTE)
    named = {source.alias_or_name.casefold() for source in sources}
    if isinstance(root, exp.Column) and root.table and root.table.casefold() not in named:
        raise Problem(
            f"{node.sql('bigquery')[:80]} may be a place in JSON or in an array; use JSON_QUERY(value, "
            f"'$.path[{index}]') for JSON and [OFFSET({index})] for an array"
        )
    return None


def is_json(node: exp.Expr | None) -> bool:
    """Whether a node gives JSON."""
    from sqlglot import exp

    if isinstance(node, exp.Paren | exp.Bracket):
        return is_json(node.this)
    return node is not None and (isinstance(node, exp.JSONExtract | exp.ParseJSON) or _typed_json(node))


def _typed_json(node: exp.Expr) -> bool:
    return node.is_type("json", "variant", "object") or (node.is_type("array") and not node.type.expressions)


def _drop_nulls(node: exp.Expr) -> exp.Expr | None:
    """OBJECT_CONSTRUCT leaves out the keys whose value is NULL."""
    from sqlglot import exp

    pairs = node.expressions
    literals = all(isinstance(pair, exp.PropertyEQ) and isinstance(pair.expression, exp.Literal) for pair in pairs)
    if literals or not all(isinstance(pair, exp.PropertyEQ) for pair in pairs):
        return None
    written = ", ".join(f"{{{{'k': {{k{place}}}, 'v': to_json({{v{place}}})}}}}" for place in range(len(pairs)))
    keys = {f"k{place}": pair.this for place, pair in enumerate(pairs)}
    values = {f"v{place}": pair.expression for place, pair in enumerate(pairs)}
    pairs_with_values = f"to_json(map_from_entries(list_filter([{written}], lambda pair: pair.v IS NOT NULL)))"
    return annotate_type(build_snippet(pairs_with_values, **keys, **values), "JSON")


def _of_json(node: exp.Expr) -> exp.Expr | None:
    """What takes JSON for a text or a number in Snowflake."""
    from sqlglot import exp

    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.TEXT_TYPES) and is_json(node.this):
        return _extract_text(node.this)
    if isinstance(node, exp.ArraySize) and is_json(node.this):
        return build_call("json_array_length", node.this.copy())
    if isinstance(node, exp.Typeof) and is_json(node.this):
        return build_snippet(_KINDS, value=node.this)
    if isinstance(node, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        _compare_as_values(node)
    taking = exp.Upper | exp.Lower | exp.Concat | exp.DPipe | exp.Like | exp.ILike | exp.Trim | exp.Substring
    taking = taking | exp.Replace | exp.StartsWith | exp.Contains | exp.RegexpLike | exp.Length | exp.In | exp.ToChar
    if isinstance(node, taking):
        for child in list(node.iter_expressions()):
            if is_json(child):
                child.replace(_extract_text(child))
    return None


def _extract_text(node: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return annotate_type(build_call("json_extract_string", node.copy(), exp.Literal.string("$")), "VARCHAR")


def _compare_as_values(node: exp.Expr) -> None:
    """Let JSON be compared as the number or the text that the other side is."""
    from sqlglot import exp

    for side, other in ((node.this, node.expression), (node.expression, node.this)):
        if is_json(side) and not is_json(other):
            number = other.is_number or other.is_type(*exp.DataType.NUMERIC_TYPES)
            side.replace(cast_node(side.copy(), "DOUBLE") if number else _extract_text(side))


def _find_flattenings(tree: exp.Expr) -> list[exp.Expr]:
    from sqlglot import exp

    places = tree.find_all(exp.Lateral, exp.Table, exp.TableFromRows)
    return [place for place in places if _table_function(place) is not None]


def _table_function(node: exp.Expr) -> exp.Expr | None:
    """The call of FLATTEN or SPLIT_TO_TABLE in a place after FROM."""
    from sqlglot import exp

    inner = node.this
    return inner if isinstance(inner, exp.Explode | exp.SplitToTable) else None


def _map_arguments(function: exp.Expr) -> dict[str, exp.Expr]:
    """Named arguments by name; the first one without a name is the input."""
    from sqlglot import exp

    given = [function.this, *function.expressions]
    named = {arg.this.name.lower(): arg.expression for arg in given if isinstance(arg, exp.Kwarg | exp.PropertyEQ)}
    positional_arguments = [arg for arg in given if not isinstance(arg, exp.Kwarg | exp.PropertyEQ)]
    return {**{("input", "separator")[at]: arg for at, arg in enumerate(positional_arguments[:2])}, **named}


def _rewrite_flatten(node: exp.Expr, function: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    arguments = _map_arguments(function)
    if isinstance(function, exp.SplitToTable):
        rows = build_snippet(
            "(SELECT 1 AS seq, generate_subscripts(p, 1) AS index, unnest(p) AS value "
            "FROM (SELECT str_split({input}, {separator}) AS p))",
            input=function.this,
            separator=function.expression,
        )
    else:
        rows = _list_elements(arguments)
    alias = exp.TableAlias(this=exp.to_identifier(node.alias or "_flattened"))
    lateral = exp.Lateral(this=rows, alias=alias)
    is_outer = _is_set(arguments, "outer")
    join = exp.Join(this=lateral, side="LEFT" if is_outer else None, on=exp.true() if is_outer else None)
    join = join if is_outer else exp.Join(this=lateral, kind="CROSS")
    select = node.find_ancestor(exp.Select)
    if select is None or isinstance(node.parent, exp.From):
        return exp.Subquery(this=rows.this if isinstance(rows, exp.Subquery) else rows, alias=alias)
    if isinstance(node.parent, exp.Join):
        node.parent.replace(join)
    else:
        node.pop()
        select.append("joins", join)
    return None


def _list_elements(arguments: dict[str, exp.Expr]) -> exp.Expr:
    """The rows that FLATTEN makes of one value.

    Raises:
        Problem: an argument is not a constant, or a combination of them is not supported.
    """
    from sqlglot import exp

    source = build_call("to_json", arguments["input"].copy())
    path = text_of(arguments.get("path")) or ""
    if path:
        source = build_call("json_extract", source, exp.Literal.string(f"$.{path}"))
    kind = (text_of(arguments.get("mode")) or "BOTH").upper()
    is_recursive = _is_set(arguments, "recursive")
    if kind not in ("BOTH", "ARRAY", "OBJECT") or (is_recursive and kind != "BOTH"):
        raise Problem("FLATTEN takes mode => 'BOTH', 'ARRAY' or 'OBJECT', and with recursive only 'BOTH' here")
    this = build_call("json_extract", source.copy(), exp.column("path")) if is_recursive else source
    return build_snippet(
        _FLATTENED,
        this=this,
        prefix=exp.Literal.string(path),
        rows=build_call("json_tree" if is_recursive else "json_each", source.copy()),
        kind=exp.Literal.string(kind),
    )


def _is_set(arguments: dict[str, exp.Expr], name: str) -> bool:
    value = arguments.get(name)
    words = value.sql().upper() if value is not None else "FALSE"
    if words not in ("TRUE", "FALSE"):
        raise Problem(f"FLATTEN takes TRUE or FALSE for {name}, not {words[:40]}")
    return words == "TRUE"


def name_columns(node: exp.Expr) -> exp.Expr | None:
    """Columns of VALUES are called column1, column2 ..."""
    from sqlglot import exp

    alias = node.args.get("alias")
    if alias is not None and alias.columns:
        return None
    width = len(node.expressions[0].expressions) if node.expressions else 0
    columns = [exp.to_identifier(f"column{place}") for place in range(1, width + 1)]
    name = alias.this.copy() if alias is not None and alias.this else exp.to_identifier("_values")
    node.set("alias", exp.TableAlias(this=name, columns=columns))
    return node


def _rewrite_offset(node: exp.Unnest) -> exp.Expr:
    """UNNEST WITH OFFSET, which counts from 0."""
    from sqlglot import exp

    alias = node.args.get("alias")
    columns = alias.columns if alias is not None else []
    value = columns[0] if columns else alias.this if alias is not None and alias.this else exp.to_identifier("_value")
    offset = node.args["offset"]
    offset = offset if isinstance(offset, exp.Identifier) else exp.to_identifier("offset", quoted=True)
    rows = build_snippet(
        "(SELECT unnest({array}) AS {value}, generate_subscripts({array}, 1) - 1 AS {offset})",
        array=node.expressions[0],
        value=value,
        offset=offset,
    )
    return exp.Lateral(this=rows, alias=exp.TableAlias(this=exp.to_identifier("_counted")))
