"""Small parts of syntax trees, written as SQL of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


def build_snippet(template: str, **parts: exp.Expr) -> exp.Expr:
    """The tree of a template in which each ``{name}`` stands for a part."""
    from sqlglot import ErrorLevel, parse_one

    written = {name: part.sql("duckdb", unsupported_level=ErrorLevel.RAISE) for name, part in parts.items()}
    return parse_one(template.format(**written), read="duckdb")


def annotate_type(node: exp.Expr, type_: str) -> exp.Expr:
    """The node, of a type that DuckDB calls so."""
    from sqlglot import exp

    node.type = exp.DataType.build(type_, dialect="duckdb")
    return node


def cast_node(node: exp.Expr, type_: str) -> exp.Expr:
    """The node as another type."""
    from sqlglot import exp

    to = exp.DataType.build(type_, dialect="duckdb")
    return annotate_type(exp.Cast(this=node, to=to), type_)


def build_call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of a function of DuckDB."""
    from sqlglot import exp

    return exp.Anonymous(this=name, expressions=list(arguments))


def write_trimmed(number: exp.Expr) -> exp.Expr:
    """A number as text without zeros at the end of its decimals."""
    trimmed = r"regexp_replace({text}, '\.0*$|(\.[0-9]*[1-9])0+$', '\1')"
    return annotate_type(build_snippet(trimmed, text=cast_node(number.copy(), "VARCHAR")), "VARCHAR")


def text_of(node: exp.Expr | None) -> str | None:
    """What a literal text says; None for what is no such."""
    from sqlglot import exp

    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def is_float(node: exp.Expr) -> bool:
    """Whether it gives a floating-point number; sqlglot takes literals such as 2.5, which are exact, for such, too."""
    from sqlglot import exp

    if not node.is_type("double", "float"):
        return False
    literals = [] if isinstance(node, exp.Cast) else list(node.find_all(exp.Literal))
    return all(literal.is_string or literal.is_int or "e" in literal.name.lower() for literal in literals)


def unit_of(node: exp.Expr) -> str:
    """The unit of a function of dates, in upper case, such as MONTH or WEEK(MONDAY)."""
    unit = node.args.get("unit")
    return unit.sql().strip("'\"").upper() if unit is not None else "DAY"
