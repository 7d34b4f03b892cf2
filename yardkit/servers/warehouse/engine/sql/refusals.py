"""What a warehouse refuses and DuckDB does not: changes of all rows by mistake, ambiguous matches, texts too long."""

from __future__ import annotations

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
