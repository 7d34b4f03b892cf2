"""TEXT in the form in which the calculation engine gives what Excel gives, for formats that stand in the formula.

- TEXT reads texts that are dates or numbers; truth values stay words.
- Numbers are rounded with halves away from zero, as people see them: TEXT(2.675, "0.00") is 2.68, the engine's 2.67.
- The value as it is decides which part of a format shows it, not the rounded one; the engine loses the sign of -1.
- What is 0 or empty is day 0 of January 1900; for the engine it is an error, and days before March 1900 lie one day
  earlier.
- Times are rounded to seconds: the engine shows 14:30 as 14:29, and its mm:ss are months.
"""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.sheets.engine.formula_forms.dates import DAYS_TO_1904
from yardkit.servers.sheets.engine.notation.formulas import STRING, as_formula, tokens_of

UNKNOWN = "the engine does not compute this format of TEXT"
NOT_KNOWN = "how Excel shows this format of TEXT is not known here; use another, or join the parts with &"
_ENGLISH = re.compile(r"\[\$-(?:0*409|0*809|0*C09|0*1009|en-[A-Z]{2})(?:,[^\]]*)?\]", re.IGNORECASE)
_UNSPOKEN = re.compile(r'"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.')
_PART = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*)(;|$)')
_DATED = re.compile(r"[ymdhs/]", re.IGNORECASE)
_OF_DAYS = re.compile("[yd]|^[m /.-]+$", re.IGNORECASE)
_OF_TIMES = re.compile(r"[hs]|\[m", re.IGNORECASE)
_MINUTES = re.compile(r"(?<![hm])(m{1,2})(?=:s)", re.IGNORECASE)
_DAYS = re.compile(r'""(?:[^"])*""|\\.|d+', re.IGNORECASE)
# Day 0 of January 1900, a Saturday, is for Excel what is 0 or empty.
_DAY_0 = {"d": r"\0", "dd": r"\0\0", "ddd": r"\S\a\t", "dddd": r"\S\a\t\u\r\d\a\y"}
_DIGITS = re.compile(r"[0#?]")
_UNSURE = re.compile(
    r"\[[<>=]|\[s{1,2}\]|[0#?]\s*\[\$|\[\$-|\[\$[^$€\]-]|[£¥₹‰]|s\.0|[0#?]E[-+]|[0#?]/|\*.|#,##,|0,0|\.[0#]*\?|General[^;]|[^;]General",
    re.IGNORECASE,
)
# Where LibreOffice shows something else than Excel: letters that are codes of one of them alone, fractions of other
# forms than these, the languages of the system and other numerals.
_CODES = re.compile(r"AM/PM|General|E[-+]|[ymdhs]+", re.IGNORECASE)
_OTHER_CODE = re.compile("[abegnqrw]", re.IGNORECASE)
_OTHER_LANGUAGE = re.compile(r"\[\$[^]-]*-(?!0*1?[0-9A-E][0-9A-F]{2,3}(?:,[^]]*)?\]|[a-z]{2}-[A-Z]{2}\])[^]]*\]", re.I)
_CONDITION = re.compile(r"\[[<>=]")
_FRACTION = re.compile(r"[0#?]/")
_KNOWN_FRACTION = re.compile(r"(?:#+ )?(?:\?+/\?+|#+/#+)|[0#?]+/[1-9]\d*")
_MIXED_FRACTION = re.compile(r"# (\?+)/([1-9]\d*)")
NEGATIVE_MOMENT = "\ue000 negative date or time"
"""What stands for the error that Excel gives for days before 1900 and for negative times; LibreOffice shows them."""
_EMPTY = "(({0}<1)*({0}>=0))"
_NUMBER, _MOMENT = "IFERROR(told+0,told)", "IFERROR(INT((told+0)*86400+0.5)/86400+5E-9,told)"


def find_doubt(formula: str) -> str:
    """Why the engine is not asked for a format of TEXT that stands in the formula; empty if it knows all of them."""
    opened: list[list[Any]] = []  # the tokens since the last comma in each bracket that is open
    for token in tokens_of(as_formula(formula)):
        if token.subtype == "OPEN":
            opened.append([token])
        elif token.subtype == "CLOSE" and opened:
            name, *last = [argument.value for argument in opened.pop() if argument.type != "WHITE-SPACE"]
            if name.upper() == "TEXT(" and len(last) == 1 and STRING.fullmatch(last[0]) and doubt_of(last[0]):
                return doubt_of(last[0])
            if opened:
                opened[-1].append(token)
        elif token.type == "SEP" and opened:
            del opened[-1][1:]
        elif opened:
            opened[-1].append(token)
    return ""


def form_of(value: str, literal: str, *, over_arrays: bool, date1904: bool = False) -> str:
    """TEXT(value, literal) for the engine."""
    code = _strip_language(literal.strip())
    if code == "@":
        exact = "ROUND(told,14-INT(LOG10(ABS(told)+1E-300)))"
        return f'LET(told,{value},IF(ISNUMBER(told),{exact},told)&"")'
    bare_code = _UNSPOKEN.sub("", code)
    mixed_match = _MIXED_FRACTION.fullmatch(code)
    if mixed_match:
        general_form = _format_fraction(value, mixed_match[1], mixed_match[2])
    elif code.lower() == "general":
        general_form = _format_general(value, over_arrays=over_arrays)
    elif _DATED.search(bare_code):
        general_form = _format_moment(
            _from_1904(value) if date1904 and _OF_DAYS.search(bare_code) else value, code, bare_code, date1904=date1904
        )
    else:
        general_form = _format_number(value, code, over_arrays=over_arrays)
    return general_form


def _format_fraction(value: str, numerator: str, denominator: str) -> str:
    """Wholes and a fraction of a fixed denominator, as in ``# ??/16``; blanks stand where the fraction is 0."""
    width, number = len(numerator), f"ROUND(ABS(shown)*{denominator},0)"
    wholes, rest = f"INT({number}/{denominator})", f"MOD({number},{denominator})"
    fraction = f'REPT(" ",MAX(0,{width}-LEN({rest})))&{rest}&"/{denominator}"'
    text = (
        f'IF((shown<0)*({number}>0),"-","")&IF({number}=0,"0",IF({wholes}=0,"",{wholes}))&" "'
        f'&IF({rest}=0,REPT(" ",{width + 1 + len(denominator)}),{fraction})'
    )
    return f'LET(told,{value},shown,{_NUMBER},IF(ISLOGICAL(told),told&"",IF(shown<"",{text},shown)))'


def _strip_language(literal: str) -> str:
    """What a literal says, without English as the language."""
    return _ENGLISH.sub("", literal[1:-1].replace('""', '"'))


def doubt_of(literal: str) -> str:
    """Why the engine is not asked for the format that a literal says; empty if it knows it."""
    code = _strip_language(literal.strip())
    parts, unquoted = _split_parts(code), re.sub(r'"[^"]*"|\\.', "x", code)
    bare = _UNSPOKEN.sub("", code)
    fractions = [part for part in parts if _FRACTION.search(_UNSPOKEN.sub("", part))]
    if _MIXED_FRACTION.fullmatch(code):
        return ""
    if (
        _OTHER_LANGUAGE.search(unquoted)
        or _OTHER_CODE.search(_CODES.sub("", bare))
        or not all(map(_KNOWN_FRACTION.fullmatch, fractions))
        or (len(parts) == 1 and _CONDITION.search(unquoted))
    ):
        return NOT_KNOWN
    if _UNSURE.search(unquoted) or len(parts) > 4 or ("@" in code and code != "@" and parts[3:] != ["@"]):
        return UNKNOWN
    return ""


def _split_parts(code: str) -> list[str]:
    """The parts of a format, for positive and negative numbers, noughts and texts."""
    return [part_match[1] for part_match in _PART.finditer(code)][: code.count(";") + 1]


def _format_general(value: str, *, over_arrays: bool) -> str:
    """Numbers in up to 11 characters."""
    if over_arrays:
        return f'TEXT({value},"General")'
    rounded_formula = "IF((ABS(told)<1E11)*(ABS(told)>=1E-4),ROUND(told,MAX(0,10-LEN(INT(ABS(told))))),told)"
    return f'LET(told,{value},IF(ISNUMBER(told),TEXT({rounded_formula},"General"),told&""))'


def _format_number(value: str, code: str, *, over_arrays: bool) -> str:
    parts = _split_parts(code)[:3]
    round_, number_name = ("({0})" if over_arrays else "ROUND({0},{1})"), "shown"
    if len(parts) == 1:
        digits = _count_decimals(code)
        least = f"{0.5 * 10.0**-digits:.15g}"
        by_sign = f'IF(shown<=-{least},"-","")&TEXT({round_.format("ABS(shown)", digits)},{_quote_literal(code)})'
    else:
        above, below, nought = (*parts, parts[0])[:3] if len(parts) == 2 else parts
        texts = [
            _format_text(round_.format(number_name, _count_decimals(above)), above),
            _format_text(round_.format(f"-{number_name}", _count_decimals(below)), below),
            _format_text("0", nought),
        ]
        by_sign = f"IF(shown>0,{texts[0]},IF(shown<0,{texts[1]},{texts[2]}))"
    return f'LET(told,{value},shown,{_NUMBER},IF(ISLOGICAL(told),told&"",IF(shown<"",{by_sign},shown)))'


def _from_1904(value: str) -> str:
    """A day of the 1904 date system as the engine's; what is no number stays."""
    return f"IFERROR(({value})+{DAYS_TO_1904},{value})"


def _format_text(number: str, part: str) -> str:
    return f"TEXT({number},{_quote_literal(part)})" if part else '""'


def _quote_literal(code: str) -> str:
    return '"' + code.replace('"', '""') + '"'


def _format_moment(value: str, code: str, bare_code: str, *, date1904: bool) -> str:
    number = _MOMENT if _OF_TIMES.search(bare_code) else _NUMBER
    if _MINUTES.search(bare_code) and "h" not in bare_code.lower():
        code = _MINUTES.sub(r"[\1]", code)
        moment_formula = f'TEXT(IF(shown<"",shown-INT(shown*24)/24,shown),{_quote_literal(code)})'
    elif _OF_DAYS.search(bare_code) is None:
        moment_formula = f"TEXT(shown,{_quote_literal(code)})"
    else:
        day_0 = _DAYS.sub(lambda match: _DAY_0.get(match[0].lower(), match[0]), _quote_literal(code))
        early = "" if "ddd" in code.lower() else "+(shown<60)*(shown>=1)"
        later = f'TEXT(IF(shown<"",shown{early},shown),{_quote_literal(code)})'  # Numbers are less than any text.
        moment_formula = f"IF({_EMPTY.format('shown')},TEXT(shown+2,{day_0}),{later})"
    if not date1904:
        moment_formula = f'IF(IF(shown<"",shown<0,FALSE),"{NEGATIVE_MOMENT}",{moment_formula})'
    return f'LET(told,{value},shown,{number},IF(ISLOGICAL(told),told&"",{moment_formula}))'


def _count_decimals(part: str) -> int:
    """To how many digits a part of a format rounds."""
    code = _UNSPOKEN.sub("", part)
    places = [digit_match.end() for digit_match in _DIGITS.finditer(code)]
    if not places:
        return 0
    last = max(places)
    thousands = len(code[last:]) - len(code[last:].lstrip(","))
    after = code.partition(".")[2]
    return len(_DIGITS.findall(after)) + 2 * code.count("%") - 3 * thousands
