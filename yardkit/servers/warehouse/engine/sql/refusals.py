"""What a warehouse refuses and DuckDB does not: changes of all rows by mistake, ambiguous matches, texts too long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_snippet
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_UNENFORCED = {
    "primarykey": "PRIMARY KEY",
    "primarykeycolumnconstraint": "PRIMARY KEY",
    "uniquecolumnconstraint": "UNIQUE",
    "checkcolumnconstraint": "CHECK",
    "foreignkey": "FOREIGN KEY",
    "reference": "REFERENCES",
}

_ASSIGNABLE = {
    **{kind: (kind,) for kind in ("int", "text", "bool", "date")},
    "decimal": ("int", "decimal"),
    "float": ("int", "decimal", "float"),
    "moment": ("moment", "date"),
}
"""Kinds of values that become a column's kind by themselves in BigQuery."""
_LITERALS = {("decimal", "float"), ("date", "text"), ("moment", "text")}
_NAMES = {
    "int": "INT64",
    "decimal": "NUMERIC",
    "float": "FLOAT64",
    "text": "STRING",
    "bool": "BOOL",
    "date": "DATE",
    "moment": "a date and time",
}


def require_where(tree: exp.Expr, dialect: Dialect) -> None:
    """Refuse, as BigQuery does, to change all rows of a table by a statement that may have lost its condition.

    Raises:
        Problem: it has no WHERE.
    """
    from sqlglot import exp

    if dialect == "bigquery" and isinstance(tree, exp.Update | exp.Delete) and tree.args.get("where") is None:
        raise Problem(f"{tree.key.upper()} must have a WHERE clause in BigQuery; use WHERE TRUE for all rows")


def refuse_returning(tree: exp.Expr) -> None:
    """Refuse a change that gives rows, too.

    Raises:
        Problem: it has RETURNING or OUTPUT.
    """
    if tree.args.get("returning") is not None:
        raise Problem("RETURNING is not supported here; change the rows without it, then query them")


def require_assignable(tree: exp.Expr, target: Mapping[str, str]) -> None:
    """Refuse to store what BigQuery would not make a value of the column's type: 2.5 as INT64, 7 as STRING.

    Raises:
        Problem: a value is of another kind.
    """
    from sqlglot import exp

    columns = {name.casefold(): exp.DataType.build(type_, dialect="duckdb") for name, type_ in target.items()}
    for name, value in _list_assignments(tree, list(columns)):
        kind, target_kind = _find_kind(value), _find_kind(columns.get(name.casefold()))
        is_literal = isinstance(value.unnest(), exp.Literal | exp.Neg)
        fits = kind in _ASSIGNABLE.get(target_kind, (kind,)) or (is_literal and (target_kind, kind) in _LITERALS)
        if kind and target_kind and not fits:
            raise Problem(
                f"{value.sql('bigquery')[:80]} cannot be stored in the column {name!r} in BigQuery, which does not "
                f"convert {_NAMES[kind]} to {_NAMES[target_kind]}; use CAST"
            )


def _list_assignments(tree: exp.Expr, columns: list[str]) -> Iterator[tuple[str, exp.Expr]]:
    """The columns of a change with the values that they get, as far as these are listed."""
    from sqlglot import exp

    if isinstance(tree, exp.Merge):
        for when in tree.args["whens"].expressions:
            if isinstance(then := when.args.get("then"), exp.Update | exp.Insert):
                yield from _list_assignments(then, columns)
    elif isinstance(tree, exp.Update):
        pairs = [pair for pair in tree.expressions if isinstance(pair, exp.EQ)]
        yield from ((pair.this.name, pair.expression) for pair in pairs)
    elif isinstance(tree, exp.Insert):
        listed = tree.this.expressions if isinstance(tree.this, exp.Schema | exp.Tuple) else []
        names = [column.name for column in listed] or columns
        for row in _list_rows(tree.expression):
            if len(row) == len(names):
                yield from zip(names, (value.unalias() for value in row), strict=True)


def _list_rows(values: exp.Expr | None) -> list[list[exp.Expr]]:
    """The values of the rows that an INSERT takes; of a query, those of its columns."""
    from sqlglot import exp

    if isinstance(values, exp.Tuple):
        return [values.expressions]
    if isinstance(values, exp.Values):
        return [row.expressions for row in values.expressions]
    return [values.selects] if isinstance(values, exp.Query) else []


def _find_kind(value: exp.Expr | None) -> str:
    from sqlglot import exp

    type_ = value if isinstance(value, exp.DataType) else value.type if value is not None else None
    kinds = {
        "int": exp.DataType.INTEGER_TYPES,
        "decimal": {exp.DataType.Type.DECIMAL},
        "float": exp.DataType.FLOAT_TYPES,
        "text": exp.DataType.TEXT_TYPES,
        "bool": {exp.DataType.Type.BOOLEAN},
        "date": {exp.DataType.Type.DATE},
        "moment": exp.DataType.TEMPORAL_TYPES - {exp.DataType.Type.DATE},
    }
    return next((kind for kind, types in kinds.items() if type_ is not None and type_.is_type(*types)), "")


def build_match_check(sql: str, dialect: Dialect) -> str | None:
    """A query of DuckDB that gives a row if a statement, as DuckDB runs it, would change a row more than once.

    MERGE is refused then by all warehouses, UPDATE with FROM by BigQuery; the others take any of the matches.
    """
    from sqlglot import exp, parse_one

    tree = parse_one(sql, read="duckdb")
    if isinstance(tree, exp.Merge):
        source, condition = tree.args["using"], tree.args["on"]
        changing = [when for when in tree.args["whens"].expressions if when.args.get("matched")]
        guards = [when.args.get("condition") or exp.true() for when in changing]
        if not guards:
            return None
        condition = exp.and_(condition, exp.or_(*guards))
    elif isinstance(tree, exp.Update) and tree.args.get("from_") is not None and dialect == "bigquery":
        source, condition = tree.args["from_"].this, tree.args["where"].this
    else:
        return None
    target = tree.this
    row = exp.column("rowid", table=target.alias_or_name)
    check = exp.select("1").from_(target.copy()).join(source.copy(), join_type="CROSS").where(condition.copy())
    return str(check.group_by(row).having("count(*) > 1").limit(1).sql("duckdb"))


def declared_length(type_: exp.Expr, dialect: Dialect) -> int:
    """How many characters a type of texts takes; 0 for any number, or a type of something else."""
    from sqlglot import exp

    if dialect == "duckdb" or not isinstance(type_, exp.DataType) or not type_.is_type(*exp.DataType.TEXT_TYPES):
        return 0
    if type_.expressions:
        size = type_.expressions[0].this
        return int(size.name) if size.is_int else 0
    return 1 if type_.is_type("char", "nchar") else 0


def rewrite_text_cast(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """A cast to a text of limited length: PostgreSQL cuts, the others fail; None for other nodes."""
    from sqlglot import exp

    if not isinstance(node, exp.Cast) or not (length := declared_length(node.to, dialect)):
        return None
    node.set("to", exp.DataType.build("VARCHAR", dialect="duckdb"))
    if dialect == "postgres":
        cut = f"left({{text}}, {length})"
    else:
        otherwise = "NULL" if isinstance(node, exp.TryCast) else f"error('a text is longer than {length} characters')"
        cut = f"CASE WHEN length({{text}}) > {length} THEN {otherwise} ELSE {{text}} END"
    return annotate_type(build_snippet(cut, text=node), "VARCHAR")


def rewrite_array_place(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """An element of an array of BigQuery, which fails beyond the end unless it is asked for safely."""
    from sqlglot import exp

    if dialect != "bigquery" or not isinstance(node, exp.Bracket) or len(node.expressions) != 1:
        return None
    index, first = node.expressions[0], node.args.get("offset") or 0
    if node.args.get("safe") or not (index.is_int or index.is_type(*exp.DataType.INTEGER_TYPES)):
        return None
    if node.this.is_type("json", "struct") or isinstance(node.this, exp.JSONExtract | exp.ParseJSON):
        return None
    checked = "CASE WHEN {place} >= len({array}) + %d THEN error('an array index is out of bounds') ELSE {value} END"
    return build_snippet(checked % first, place=index, array=node.this, value=node)


def list_unenforced(tree: exp.Expr, dialect: Dialect) -> list[str]:
    """Rules of a new table that its own warehouse would enforce, and that are not enforced here."""
    if dialect not in ("postgres", "duckdb"):
        return []
    return list(dict.fromkeys(_UNENFORCED[node.key] for node in tree.walk() if node.key in _UNENFORCED))
