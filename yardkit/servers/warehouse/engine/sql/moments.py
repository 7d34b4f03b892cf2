"""Dates and times: the world's clock, parts, truncations, differences, formats."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.formats import format_number, is_number_format
from yardkit.servers.warehouse.engine.sql.snippets import (
    annotate_type,
    build_call,
    build_snippet,
    cast_node,
    text_of,
    unit_of,
)
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_DATE_UNITS = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "ISOWEEK", "ISOYEAR")
_NOW = {"now", "get_current_timestamp", "transaction_timestamp", "current_localtimestamp", "getdate", "systimestamp"}
_TODAY = {"today"}
_SNOWFLAKE_FORMAT = re.compile(
    r'"([^"]*)"|YYYY|YY|MMMM|MON|MM|DD|DY|HH24|HH12|HH|MI|SS|FF[0-9]?|AM|PM|TZH|TZM|[^A-Za-z"]+|.', re.IGNORECASE
)
_PARTS = {
    "YYYY": "%Y",
    "YY": "%y",
    "MMMM": "%B",
    "MON": "%b",
    "MM": "%m",
    "DD": "%d",
    "DY": "%a",
    "HH24": "%H",
    "HH12": "%I",
    "HH": "%H",
    "MI": "%M",
    "SS": "%S",
    "AM": "%p",
    "PM": "%p",
    "FF3": "%g",
    "FF6": "%f",
    "FF": "%f",
}

_FRACTIONS = {"MILLISECOND": "1000", "MICROSECOND": "1000000"}
"""Parts of a second, which DuckDB counts with the seconds."""
_SPECIAL = re.compile("(%Q|%-d|%Ez|%z|%Z)")
"""Parts of BigQuery's formats that strftime does not know, or writes otherwise."""
_OFFSET = "date_diff('minute', timezone('UTC', CAST({moment} AS TIMESTAMPTZ)), {local})"
_SIGN = "CASE WHEN {offset} < 0 THEN '-' ELSE '+' END"
_HOURS = "lpad(CAST(abs({offset}) // 60 AS VARCHAR), 2, '0')"
_MINUTES = "lpad(CAST(abs({offset}) % 60 AS VARCHAR), 2, '0')"
_MINUTES_AFTER_COLON = f"CASE WHEN {{offset}} % 60 = 0 THEN '' ELSE ':' || {_MINUTES} END"


def of_the_clock(node: exp.Expr, now: datetime) -> exp.Expr | None:
    """The world's time in the place of a function that tells the time; None for what is none."""
    from sqlglot import exp

    name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, exp.CurrentDate) or name in _TODAY:
        return cast_node(_make_text(f"{_get_local_time(node, now):%Y-%m-%d}"), "DATE")
    if isinstance(node, exp.CurrentTime | exp.Localtime) or name == "current_localtime":
        return cast_node(_make_text(f"{_get_local_time(node, now):%H:%M:%S}"), "TIME")
    if isinstance(node, exp.CurrentDatetime | exp.Localtimestamp) or name in ("current_datetime", "localtimestamp"):
        return cast_node(_make_text(f"{_get_local_time(node, now):%Y-%m-%d %H:%M:%S}"), "TIMESTAMP")
    if isinstance(node, exp.CurrentTimestamp | exp.CurrentTimestampLTZ) or name in _NOW:
        moment = _make_text(f"{now.astimezone(UTC):%Y-%m-%d %H:%M:%S}")
        return cast_node(moment, "TIMESTAMP" if node.args.get("sysdate") else "TIMESTAMPTZ")
    if name == "age" and len(node.expressions) == 1:
        return build_call("age", cast_node(_make_text(f"{now:%Y-%m-%d}"), "TIMESTAMP"), node.expressions[0])
    return None


def rewrite_moment(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """What a node of dates and times becomes; None if it stays."""
    from sqlglot import exp

    if isinstance(node, exp.Extract):
        return _rewrite_part(node, dialect)
    if isinstance(node, exp.DateAdd | exp.DateSub | exp.TsOrDsAdd):
        return _still_a_date(node)
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        return _still_a_date(node)
    if isinstance(node, exp.ToChar | exp.TimeToStr):
        return _rewrite_format(node, dialect)
    return _rewrite_of_bigquery(node) if dialect == "bigquery" else None


def _rewrite_of_bigquery(node: exp.Expr) -> exp.Expr | None:
    from sqlglot import exp

    if isinstance(node, exp.GenerateDateArray):
        return _list_dates(node)
    if isinstance(node, exp.DateFromUnixDate):
        return cast_node(node.copy(), "DATE")
    if isinstance(node, exp.UnixToTime):
        return cast_node(node.copy(), "TIMESTAMPTZ")
    if isinstance(node, exp.TimestampDiff):
        return build_call("date_sub", _make_text(unit_of(node)), node.expression, node.this)
    if isinstance(node, exp.StrToTime):
        zone = node.args.get("zone")
        if zone is not None:
            return annotate_type(build_call("timezone", zone.copy(), node.copy()), "TIMESTAMPTZ")
        return cast_node(node.copy(), "TIMESTAMPTZ")
    if isinstance(node, exp.String) and node.args.get("zone") is not None:
        return _write_in_zone(node.this, node.args["zone"])
    return None


def _make_text(text: str) -> exp.Expr:
    from sqlglot import exp

    return exp.Literal.string(text)


def _get_local_time(node: exp.Expr, now: datetime) -> datetime:
    """The world's time in the zone that a function names, else in UTC."""
    argument = node.args.get("zone") or node.args.get("this")
    if not argument or not text_of(argument if not isinstance(argument, str) else None):
        arguments = node.expressions
        argument = arguments[0] if arguments else None
    zone = text_of(argument) if argument is not None else None
    try:
        return now.astimezone(ZoneInfo(zone) if zone else UTC)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise Problem(f"{zone!r} is not a time zone; use one such as 'Europe/Berlin'") from error


def _still_a_date(node: exp.Expr) -> exp.Expr | None:
    """A date whose days are counted is one afterwards; to DuckDB it is a time."""
    moved = node.this
    if not moved.is_type("date") or not unit_of(node).startswith(_DATE_UNITS):
        return None
    copy = node.copy()
    return cast_node(copy, "DATE")


def _list_dates(node: exp.Expr) -> exp.Expr | None:
    """Dates by months, each counted from the first one, so that the last day of a month is kept."""
    step = node.args.get("step")
    if step is None or unit_of(step) not in ("MONTH", "QUARTER", "YEAR"):
        return None
    dates = (
        "list_transform(generate_series(0, date_diff('month', {start}, {end})), "
        "lambda n: CAST({start} + n * {step} AS DATE))"
    )
    listed = f"list_filter({dates}, lambda day: day <= {{end}})"
    start, end = (cast_node(node.args[name].copy(), "DATE") for name in ("start", "end"))
    return annotate_type(build_snippet(listed, start=start, end=end, step=step), "DATE[]")


def _rewrite_part(node: exp.Extract, dialect: Dialect) -> exp.Expr | None:
    from sqlglot import exp

    part = f"WEEK({node.this.name})" if isinstance(node.this, exp.WeekStart) else node.this.sql().upper()
    moment = node.expression
    if moment.is_type("timestamptz", "timestampltz"):
        moment = cast_node(moment.copy(), "TIMESTAMP")  # the session's zone is UTC
    if part in ("DATE", "TIME"):
        return cast_node(moment.copy(), part)
    if dialect == "bigquery":
        weeks = {"WEEK": "%U", "WEEK(SUNDAY)": "%U", "WEEK(MONDAY)": "%W"}
        if part == "DAYOFWEEK":
            return build_snippet("(dayofweek({moment}) + 1)", moment=moment)
        if part in weeks:
            return build_snippet("CAST(strftime({moment}, '" + weeks[part] + "') AS BIGINT)", moment=moment)
        if part.startswith("WEEK("):
            raise Problem(f"EXTRACT({part} ...) is not supported here; use WEEK, WEEK(MONDAY) or ISOWEEK")
        if part in _FRACTIONS:
            return build_snippet("(date_part('" + part + "', {moment}) % " + _FRACTIONS[part] + ")", moment=moment)
        if part == "ISOWEEK":
            return build_snippet("week({moment})", moment=moment)
    if moment is not node.expression:
        node.set("expression", moment)
        return node
    return None


def _rewrite_format(node: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """Dates in Snowflake's formats; and parts of BigQuery's that strftime does not know."""
    from sqlglot import exp

    if isinstance(node, exp.ToChar):
        pattern = text_of(node.args.get("format"))
        if dialect != "snowflake" or node.args.get("format") is None:
            return None
        if pattern is None:
            raise Problem("the format of TO_CHAR and TO_VARCHAR must be a quoted string here")
        if is_number_format(pattern):
            return format_number(node.this, pattern)
        return annotate_type(build_call("strftime", node.this.copy(), _make_text(strftime_pattern(pattern))), "VARCHAR")
    pattern, zone = node.args.get("format"), node.args.get("zone")
    if dialect != "bigquery" or pattern is None:
        return None
    moment = node.this
    if zone is not None:
        moment = cast_node(moment.this.copy() if isinstance(moment, exp.TsOrDsToTimestamp) else moment, "TIMESTAMPTZ")
        moment = annotate_type(build_call("timezone", zone.copy(), moment), "TIMESTAMP")
    form = text_of(pattern)
    if form and _SPECIAL.search(form):
        return _join_format(moment, form, build_snippet(_OFFSET, local=moment, moment=node.this) if zone else None)
    return annotate_type(build_call("strftime", moment.copy(), pattern.copy()), "VARCHAR") if zone else None


def strftime_pattern(pattern: str) -> str:
    """Snowflake's format of a date or time as one of strftime.

    Raises:
        Problem: a part of it is not known.
    """
    strftime_text = ""
    for match in _SNOWFLAKE_FORMAT.finditer(pattern):
        part = match[0].upper()
        if match[1] is not None:
            strftime_text += match[1].replace("%", "%%")
        elif part in _PARTS:
            strftime_text += _PARTS[part]
        elif not part[0].isalpha() or part == "T":
            strftime_text += match[0].replace("%", "%%")
        else:
            raise Problem(
                f"{match[0]!r} in the format {pattern!r} is not supported; put literal letters in double quotes"
            )
    return strftime_text


def _write_in_zone(moment: exp.Expr, zone: exp.Expr) -> exp.Expr:
    """A moment as text with the clock and the offset of a zone."""
    local = build_call("timezone", zone.copy(), cast_node(moment.copy(), "TIMESTAMPTZ"))
    offset = build_snippet(_OFFSET, local=local, moment=moment)
    text = f"(CAST({{local}} AS VARCHAR) || {_SIGN} || {_HOURS} || {_MINUTES_AFTER_COLON})"
    return annotate_type(build_snippet(text, local=local, offset=offset), "VARCHAR")


def _join_format(moment: exp.Expr, pattern: str, offset: exp.Expr | None) -> exp.Expr:
    """A format with a quarter, with a day that is padded by a blank, or with the zone."""
    from sqlglot import exp

    written = {
        "%Q": "CAST(quarter({moment}) AS VARCHAR)",
        "%-d": "lpad(strftime({moment}, '%-d'), 2, ' ')",
        "%z": f"({_SIGN} || {_HOURS} || {_MINUTES})",
        "%Ez": f"({_SIGN} || {_HOURS} || ':' || {_MINUTES})",
        "%Z": f"('UTC' || CASE WHEN {{offset}} = 0 THEN '' ELSE {_SIGN} || CAST(abs({{offset}}) // 60 AS VARCHAR) || "
        f"CASE WHEN {{offset}} % 60 = 0 THEN '' ELSE ':' || {_MINUTES} END END)",
    }
    parts = [
        written.get(part) or "strftime({moment}, '" + part.replace("'", "''") + "')"
        for part in _SPECIAL.split(pattern)
        if part
    ]
    return annotate_type(
        build_snippet(f"({' || '.join(parts)})", moment=moment, offset=offset or exp.Literal.number(0)), "VARCHAR"
    )
