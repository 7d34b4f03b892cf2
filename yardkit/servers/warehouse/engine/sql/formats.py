"""Formats of numbers and of PostgreSQL's dates and times: a value as text, part by part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine.sql.exact_numbers import round_exactly
from yardkit.servers.warehouse.engine.sql.snippets import annotate_type, build_call, build_snippet, text_of
from yardkit.world import Problem

if TYPE_CHECKING:
    from sqlglot import exp

_NUMBER = re.compile(r"(FM)?(\$?)([09,]+)(?:\.([09]*))?", re.IGNORECASE)
_PART = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<fill>FM)?(?P<part>MONTH|MON|DAY|DY|HH24|HH12|HH|MI|SS|MS|US|YYYY|YY|IYYY|IW|ID|IDDD|WW|MM|DDD|DD|D|Q|W|CC'
    r"|AM|PM|A\.M\.|P\.M\.|Y,YYY|YYY|Y|IYY|IY|I|J|RM|TZH|TZM|TZ|OF|SSSSS?|FF[1-6]|BC|AD|FX|TM)"
    r"(?P<ordinal>TH)?|(?P<other>[^\"])",
    re.IGNORECASE,
)
_NUMBERS = {
    "YYYY": "%Y",
    "YY": "%y",
    "IYYY": "%G",
    "IW": "%V",
    "MM": "%m",
    "DD": "%d",
    "DDD": "%j",
    "HH24": "%H",
    "HH12": "%I",
    "HH": "%I",
    "MI": "%M",
    "SS": "%S",
    "MS": "%g",
    "US": "%f",
}
_NAMES = {"MONTH": "%B", "MON": "%b", "DAY": "%A", "DY": "%a", "AM": "%p", "PM": "%p"}
_COUNTED = {
    "D": "dayofweek({moment}) + 1",
    "ID": "isodow({moment})",
    "Q": "quarter({moment})",
    "W": "(day({moment}) - 1) // 7 + 1",
    "WW": "(dayofyear({moment}) - 1) // 7 + 1",
}
_LONGEST_NAME = 9
"""Letters that the names of months and days are filled up to."""


def is_number_format(pattern: str) -> bool:
    """Whether it is one of numbers, not of dates."""
    return bool(_NUMBER.fullmatch(pattern)) or not re.search("[A-Za-z]", pattern)


def format_number(number: exp.Expr, pattern: str) -> exp.Expr:
    """A number in a format such as 999,990.00, rounded; ``#`` where it is too large, blanks for places it lacks.

    Raises:
        Problem: the format has other parts.
    """
    match = _NUMBER.fullmatch(pattern)
    if match is None:
        raise Problem(f"the number format {pattern!r} is not supported; use FM, 9, 0, ',', '.' and '$'")
    integers, decimals = match[3], match[4] or ""
    places = len(integers.replace(",", ""))
    least = len(integers[integers.index("0") :].replace(",", "")) if "0" in integers else 0
    form = f"{{{{:{',' if ',' in integers else ''}.{len(decimals)}f}}}}"
    written = f"format('{form}', CAST({{size}} AS DOUBLE))"
    if least > 1:
        filled = f"ltrim(substr(format('{form}', CAST({{size}} + 1{'0' * least} AS DOUBLE)), 2), ',')"
        written = f"CASE WHEN {{size}} < 1{'0' * (least - 1)} THEN {filled} ELSE {written} END"
    elif not least and decimals:
        written = f"CASE WHEN {{size}} < 1 THEN substr({written}, 2) ELSE {written} END"
    if match[4] is not None and not decimals:
        written = f"({written}) || '.'"
    if match[1] and decimals.rstrip("9") != decimals:
        least_decimals = len(decimals.rstrip("9"))
        written = f"regexp_replace({written}, '(\\.[0-9]{{{{{least_decimals}}}}}[0-9]*?)0*$', '\\1')"
    too_large = re.sub("[09]", "#", match[0][len(match[1] or "") :])
    written = f"CASE WHEN {{size}} >= 1{'0' * places} THEN '{too_large.lstrip('$')}' ELSE {written} END"
    written = f"CASE WHEN {{value}} < 0 THEN '-' ELSE '' END || '{match[2]}' || {written}"
    if not match[1]:
        written = f"lpad({written}, {len(pattern) + 1}, ' ')"  # one more place for the sign
    rounded = round_exactly(number, len(decimals))
    size = build_call("abs", rounded)
    return annotate_type(build_snippet(f"({written})", size=size, value=rounded), "VARCHAR")


def format_moment(moment: exp.Expr, pattern: str) -> exp.Expr:
    """A date or time in a format of PostgreSQL's TO_CHAR.

    Raises:
        Problem: a part of the format is not supported.
    """
    pieces = []
    for match in _PART.finditer(pattern):
        if match["part"] is None:
            pieces.append(_quote_text(match["quoted"] if match["quoted"] is not None else match["other"]))
        else:
            pieces.append(_format_part(match, pattern))
    return annotate_type(build_snippet(f"({' || '.join(pieces) or _quote_text('')})", moment=moment), "VARCHAR")


def parse_pattern(pattern: str) -> str:
    """The pattern of strptime for a format of PostgreSQL's TO_DATE and TO_TIMESTAMP.

    Raises:
        Problem: a part of the format is not supported.
    """
    parts = ""
    for match in _PART.finditer(pattern):
        part = (match["part"] or "").upper()
        known = _NUMBERS.get(part) or _NAMES.get(part)
        if match["part"] is None:
            parts += (match["quoted"] if match["quoted"] is not None else match["other"]).replace("%", "%%")
        elif known is None or match["ordinal"]:
            raise _refuse_part(match[0], pattern)
        else:
            parts += known
    return parts


def _format_part(match: re.Match[str], pattern: str) -> str:
    """A part of a format as SQL for ``{moment}``."""
    written, part = match["part"], match["part"].upper()
    if match["ordinal"]:
        raise _refuse_part(match[0], pattern)
    if part in _COUNTED:
        filled = part == "WW" and not match["fill"]
        return f"lpad(CAST({_COUNTED[part]} AS VARCHAR), 2, '0')" if filled else f"CAST({_COUNTED[part]} AS VARCHAR)"
    if part in _NUMBERS:
        number = f"strftime({{moment}}, '{_NUMBERS[part]}')"
        return f"regexp_replace({number}, '^0+([0-9])', '\\1')" if match["fill"] else number
    if part not in _NAMES:
        raise _refuse_part(match[0], pattern)
    name = f"strftime({{moment}}, '{_NAMES[part]}')"
    if written.isupper():
        name = f"upper({name})"
    elif written.islower():
        name = f"lower({name})"
    is_filled = part in ("MONTH", "DAY") and not match["fill"]
    return f"rpad({name}, {_LONGEST_NAME}, ' ')" if is_filled else name


def _refuse_part(part: str, pattern: str) -> Problem:
    return Problem(f"{part!r} in the format {pattern!r} is not supported; put literal letters in double quotes")


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "''").replace("{", "{{").replace("}", "}}") + "'"


def rewrite_format(node: exp.Expr) -> exp.Expr | None:
    """TO_CHAR, TO_DATE and TO_TIMESTAMP of PostgreSQL; None for other nodes."""
    from sqlglot import exp

    if not isinstance(node, exp.TimeToStr | exp.ToChar | exp.StrToDate | exp.StrToTime):
        return None
    format_ = node.args.get("format")
    pattern = text_of(format_)
    if format_ is None:
        return None
    if pattern is None:
        raise Problem(f"the format of {node.sql('postgres').partition('(')[0]} must be a quoted string here")
    if isinstance(node, exp.StrToDate | exp.StrToTime):
        type_ = "DATE" if isinstance(node, exp.StrToDate) else "TIMESTAMPTZ"
        parsed = build_call("strptime", node.this.copy(), exp.Literal.string(parse_pattern(pattern)))
        return annotate_type(exp.Cast(this=parsed, to=exp.DataType.build(type_, dialect="duckdb")), type_)
    if is_number_format(pattern):
        return format_number(node.this, pattern)
    if node.this.is_type(*exp.DataType.NUMERIC_TYPES):
        raise Problem(f"the number format {pattern!r} is not supported; use FM, 9, 0, ',', '.' and '$'")
    return format_moment(node.this, pattern)
