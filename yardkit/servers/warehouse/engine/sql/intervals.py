"""Intervals: what their texts mean, and how they are written."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_snippet, cast_node, text_of

if TYPE_CHECKING:
    from sqlglot import exp

_UNITS = (
    (r"y(ears?|rs?)?", "months", 12),
    (r"mon(s|ths?)?", "months", 1),
    (r"decades?|decs?", "months", 120),
    (r"centur(y|ies)|cent|c", "months", 1200),
    (r"w(eeks?)?", "days", 7),
    (r"d(ays?)?", "days", 1),
    (r"h(ours?|rs?)?", "micros", 3_600_000_000),
    (r"m(in(s|utes?)?)?", "micros", 60_000_000),
    (r"s(ec(s|onds?)?)?", "micros", 1_000_000),
    (r"milliseconds?|msecs?|ms", "micros", 1_000),
    (r"microseconds?|usecs?|us", "micros", 1),
)
_PART = re.compile(r"\s*(?:([-+]?)(\d+):(\d\d)(?::(\d\d(?:\.\d*)?))?|([-+]?\d*\.?\d+)\s*([a-zA-Z]+))\s*(,?)")
_DAYS_OF_MONTH, _MICROS_OF_DAY = 30, 86_400_000_000
_BIGQUERY = (
    "CASE WHEN date_part('year', {i}) < 0 OR date_part('month', {i}) < 0 THEN '-' ELSE '' END || "
    "abs(date_part('year', {i})) || '-' || abs(date_part('month', {i})) || ' ' || date_part('day', {i}) || ' ' || "
    "CASE WHEN date_part('hour', {i}) < 0 OR date_part('minute', {i}) < 0 OR date_part('microsecond', {i}) < 0 "
    "THEN '-' ELSE '' END || abs(date_part('hour', {i})) || ':' || abs(date_part('minute', {i})) || ':' || "
    "regexp_replace(CAST(abs(date_part('microsecond', {i})) / 1000000.0 AS VARCHAR), '\\.0$', '')"
)
_POSTGRES = (
    "regexp_replace(regexp_replace(replace(CAST({i} AS VARCHAR), 'month', 'mon'), "
    "'(^| )-1 (year|mon|day)( |$)', '\\1-1 \\2s\\3', 'g'), '(-\\d+ [a-z]+) (\\d)', '\\1 +\\2', 'g')"
)


def rewrite_interval(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """An interval as its months, days and time; None for other nodes and where its text means something else.

    DuckDB drops fractions and the word "ago".
    """
    from sqlglot import exp

    if dialect not in ("postgres", "snowflake"):
        return None
    if dialect == "snowflake" and isinstance(node, exp.Add | exp.Sub):
        is_date = node.this.is_type("date") and node.expression.meta.get("whole_days")
        return cast_node(exp.Paren(this=node.copy()), "DATE") if is_date else None
    text = None
    if isinstance(node, exp.Interval):
        unit = node.args.get("unit")
        text = text_of(node.this)
        text = f"{text} {unit.name}" if text is not None and isinstance(unit, exp.Var) else text if not unit else None
    elif isinstance(node, exp.Cast) and node.to.is_type("interval"):
        text = text_of(node.this)
    amounts = parse_interval(text, allow_commas=dialect == "snowflake") if text is not None else None
    if amounts is None:
        return None
    calls = [f"to_{name}({amount})" for name, amount in amounts.items() if amount]
    written = build_snippet(f"({' + '.join(calls).replace('to_micros', 'to_microseconds') or 'to_days(0)'})")
    written.meta["whole_days"] = not amounts["micros"]
    return annotate_type(written, "INTERVAL")


def parse_interval(text: str, *, allow_commas: bool = False) -> dict[str, int] | None:
    """The months, days and microseconds of a text such as ``1.5 days 02:00 ago``; None where it is no such."""
    sign = 1
    if text.lower().rstrip().endswith(" ago"):
        text, sign = text.rstrip()[:-4], -1
    sums = {"months": Fraction(), "days": Fraction(), "micros": Fraction()}
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None or (match[7] and not allow_commas):
            return None
        place = match.end()
        if match[2]:
            time = (int(match[2]) * 60 + int(match[3])) * 60 + Fraction(match[4] or 0)
            sums["micros"] += time * (-1_000_000 if match[1] == "-" else 1_000_000)
            continue
        unit = next((unit for unit in _UNITS if re.fullmatch(unit[0], match[6], re.IGNORECASE)), None)
        if unit is None:
            return None
        sums[unit[1]] += Fraction(match[5]) * unit[2]
    return _carry_fractions(sums, sign) if place else None


def _carry_fractions(sums: dict[str, Fraction], sign: int) -> dict[str, int]:
    """Whole months and days; what is left of them goes to the days, and to the time."""
    months = int(sums["months"])
    days = sums["days"] + (sums["months"] - months) * _DAYS_OF_MONTH
    micros = round(sums["micros"] + (days - int(days)) * _MICROS_OF_DAY)
    return {"months": sign * months, "days": sign * int(days), "micros": sign * micros}


def write_interval(interval: exp.Expr, dialect: Dialect) -> exp.Expr:
    """An interval as its warehouse writes it."""
    if dialect not in ("postgres", "bigquery"):
        return cast_node(interval.copy(), "VARCHAR")
    written = _POSTGRES if dialect == "postgres" else _BIGQUERY
    return annotate_type(build_snippet(f"({written})", i=interval), "VARCHAR")
