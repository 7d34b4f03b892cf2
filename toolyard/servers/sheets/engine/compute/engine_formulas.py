"""Formulas in the form in which the calculation engine gives what Excel gives; files keep them as they were written.

- A date that is an empty cell counts as 0: in Excel the year 1900, January, day 0, a Saturday; for the engine an error.
  So a later day is counted from: of the same month for months, of the same weekday for workdays. Days before March
  1900 lie one day earlier for the engine; and 7 o'clock is at times a moment before.
- A cell is a range of one, for COUNTIF(A2, "*x*") as for all that look in ranges; the engine takes it for its value.
- A number as text, a truth value and an argument left out count in lists of numbers; the engine passes them by.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from toolyard.servers.sheets.engine.compute.lookups import SHEETS, Lookup, depends_on_workbook
from toolyard.servers.sheets.engine.formula_forms import (
    and_or,
    criteria,
    limits,
    overflow,
    text_digits,
    text_function,
    textjoin_function,
)
from toolyard.servers.sheets.engine.formula_forms.brackets import grouped
from toolyard.servers.sheets.engine.formula_forms.criteria import TEXT_ORDER, may_be_unequal
from toolyard.servers.sheets.engine.formula_forms.expanded_formulas import expanded, needs_expansion
from toolyard.servers.sheets.engine.formula_forms.limits import NO_VALUE
from toolyard.servers.sheets.engine.formula_forms.texts_as_numbers import computes_with_texts, with_numbers
from toolyard.servers.sheets.engine.notation.array_formulas import takes_whole
from toolyard.servers.sheets.engine.notation.formulas import (
    STRING,
    anchored,
    as_formula,
    functions,
    tokens_of,
    with_signs,
)
from toolyard.servers.sheets.engine.notation.numeric_texts import is_apart, read_apart
from toolyard.world import Problem

_EMPTY, _SECOND_EMPTY = "((({0})<1)*(({0})>=0))", "((({1})<1)*(({1})>=0))"  # 1 for an empty cell, and its times
_EARLY = "((({0})<60)*(({0})>=0))"
_LEAP_DAY = "((({0})>=60)*(({0})<61))"  # 29 February 1900, for the engine the 28th
_DATE_PART_FORMS = {
    "YEAR": f"YEAR(({{0}})+10*{_EARLY})",
    "MONTH": f"MONTH(({{0}})+{_EARLY}+{_EMPTY})",
    "DAY": f"(DAY(({{0}})+{_EARLY})*(({{0}})>=1)+{_LEAP_DAY})",
    "WEEKDAY": f"WEEKDAY(({{0}})+7*{_EMPTY}{{1}})",
    "HOUR": "HOUR(({0})+5E-9)",
    "DATE": "({0}-({0}<61))",
    "YEARFRAC": "YEARFRAC(MIN(({0})+0,{1}),MAX(({0})+0,{1}){2})",
}
_YEAR_OF_NOW = re.compile(r"\s*(?:19[1-9]\d|2\d{3})\s*")
_DATE_BEFORE = re.compile(rf"(?<![\w.])DATE\((?!{_YEAR_OF_NOW.pattern},)", re.IGNORECASE)
_MONTHS_ON = "IF(({1})<0,EOMONTH(-1,0),EOMONTH(10,{1})-(({1})<1))"
_DAY_BEFORE = "IF(({1})<1,IF(({1})<0,EOMONTH(-1,0)),EOMONTH(10,({1})-1)-(({1})<2))+0"
_MONTH_STEP_FORMS = {
    "EOMONTH": f"IF({_EMPTY},{_MONTHS_ON},EOMONTH({{0}},{{1}}))",
    "EDATE": f"IF({_EMPTY},{_DAY_BEFORE},EDATE({{0}},{{1}}))",
    "NETWORKDAYS": f"(NETWORKDAYS(({{0}})+7*{_EMPTY},({{1}})+7*{_SECOND_EMPTY}{{2}})+5*({_EMPTY}-{_SECOND_EMPTY}))",
    "WORKDAY": f"IF({_EMPTY}*(({{1}})<0),EOMONTH(-1,0),WORKDAY(({{0}})+7*{_EMPTY},{{1}}{{2}})-7*{_EMPTY})",
    "DATEDIF": f"(DATEDIF(({{0}})+2*{_EMPTY},({{1}})+2*{_SECOND_EMPTY}{{2}})+{{3}}*({_EMPTY}-{_SECOND_EMPTY}))",
}
_DAYS_OF_UNIT = {'"y"': 0, '"m"': 0, '"ym"': 0, '"d"': 2}
_NOT_IMPLEMENTED = "SUBTOTAL(9,{1})"
"""What gives #N/IMPL!; that itself the engine does not read again where it writes a formula down."""
_TEXT = "TEXT"
_TEXTS_COUNT = frozenset(["MAXA", "MINA", "STDEVA", "STDEVPA", "VARA", "VARPA"])
_FORMED_FUNCTIONS = frozenset(
    {"SUBTOTAL", *_DATE_PART_FORMS.keys() - {"DATE"}, *_MONTH_STEP_FORMS, *_TEXTS_COUNT, _TEXT, "TEXTJOIN"}
)
_FORMED_OVER_ARRAYS = frozenset({"CONCAT", "COUNT"})
_COUNT_EACH = "REDUCE(0,{0},LAMBDA(all_counted,each_counted,all_counted+ISNUMBER(each_counted)))"
_LISTS_NAMES = (
    "AVEDEV AVERAGE AVERAGEA COUNT COUNTA DEVSQ GEOMEAN HARMEAN KURT LARGE MEDIAN MINA MODE PRODUCT SKEW SMALL STDEV "
    "STDEV.P STDEV.S STDEVA STDEVP STDEVPA SUMSQ VAR VAR.P VAR.S VARA VARP VARPA"
)
_LIST_FUNCTIONS = frozenset(_LISTS_NAMES.split())
_VISIBLE_ROW_CODES = {str(code): str(100 + code) for code in range(1, 12)}
"""SUBTOTAL leaves out what a filter hides, with either code; the engine with the second ones alone."""
_PLAIN_PRODUCT = {"6": "2", "106": "102"}  # SUBTOTAL's product, and its count of the same numbers
_LITERAL = r'(?:"[^"]*"|TRUE|FALSE|)\s*'
_IN_LIST = re.compile(
    rf"(?:{'|'.join(map(re.escape, _LISTS_NAMES.split()))})\((?:(?:[^()]|\([^()]*\))*,)?\s*{_LITERAL}[,)]"
    r"|SUBTOTAL\(\s*(?:10)?6\s*,",
    re.IGNORECASE,
)
_NUMBER_AS_TEXT = re.compile(r'"(-?\d+(?:\.\d+)?)"')
_CELL = re.compile(r"\s*(?:(?:'(?:[^']|'')+'|[\w.]+)!)?(\$?[A-Za-z]{1,3}\$?\d+)\s*")
_OF_RANGES_NAMES = (
    "AVERAGEIF AVERAGEIFS COUNTIF COUNTIFS HLOOKUP INDEX LARGE LOOKUP MATCH MAXIFS MINIFS RANK RANK.AVG RANK.EQ SMALL "
    "SUMIF SUMIFS VLOOKUP XLOOKUP XMATCH"
)
_CRITERIA_FUNCTIONS = frozenset(
    ["AVERAGEIF", "AVERAGEIFS", "COUNTIF", "COUNTIFS", "MAXIFS", "MINIFS", "SUMIF", "SUMIFS"]
)
_OF_TEXT_ORDER = re.compile(r"[<>]=?[^\W\d]")
_DATED = re.compile(r'\s*"([<>]?=?|<>)([^"<>=]+)"\s*')
_OF_RANGES = frozenset(_OF_RANGES_NAMES.split())
_OF_A_CELL = re.compile(  # or of a name, which may be one's
    rf"(?:{'|'.join(map(re.escape, _OF_RANGES_NAMES.split()))})\((?:[^,()]*,)?"
    rf"(?:{_CELL.pattern}|\s*[A-Za-z_\\\u0080-\uffff][\w.]*\s*|[^()]*\[#This Row\][^()]*)[,)]",
    re.IGNORECASE,
)
_NEVER_EMPTY = re.compile(r"\s*(?:[1-9]\d\d|(?:TODAY|NOW|DATE|EDATE|EOMONTH)\()", re.IGNORECASE)


def has_form(formula: str, *, marked: bool) -> bool:
    """Whether the engine needs a form of its own for a formula; `marked` is one that is stored as an array formula."""
    if (
        not _FORMED_FUNCTIONS.isdisjoint(functions(formula))
        or depends_on_workbook(formula)
        or and_or.may_pass_errors(formula)
    ):
        return True
    if marked and not _FORMED_OVER_ARRAYS.isdisjoint(functions(formula)):
        return True
    if grouped(as_formula(formula)) != as_formula(formula):
        return True
    if any(read_apart(string[1:-1].lstrip("<>="), "+0") for string in STRING.findall(formula)):
        return True
    if "!" in formula and any(found[1] for found in SHEETS.finditer(formula)):
        return True
    if overflow.is_unseen(formula) or text_digits.computes_texts(formula) or limits.repeats(formula):
        return True
    if _DATE_BEFORE.search(formula) is not None:
        return True
    if _IN_LIST.search(formula) is not None or _OF_A_CELL.search(formula) is not None:
        return True
    return may_be_unequal(formula) or needs_expansion(formula, arrays=marked) or computes_with_texts(formula)


class FormOptions(NamedTuple):
    """What a form takes into account, as it came up in a calculation.

    Errors are there, which AND and OR must not pass by (`heeds_errors`); numbers in cells are rounded before they come
    into texts (`rounds_texts`); powers that are too large are told from divisions by 0 (`tells_overflow`); texts end
    where a cell's do (`cuts_texts`), and the engine has failed at large numbers (`limits_numbers`).
    """

    heeds_errors: bool = False
    rounds_texts: bool = False
    tells_overflow: bool = False
    cuts_texts: bool = False
    limits_numbers: bool = False


_PLAIN_FORM = FormOptions()


def engine_form(formula: str, lookup: Lookup, *, over_arrays: bool = False, options: FormOptions = _PLAIN_FORM) -> str:
    """The formula ``=...`` as the engine is to compute it; `lookup` knows what it looks in."""
    asked = lookup.apart or any(options[1:]) or (options.heeds_errors and and_or.decides(formula))
    if not (asked or has_form(formula, marked=over_arrays)):
        return formula
    try:
        tokens = tokens_of(_prepared(formula, lookup, over_arrays=over_arrays, options=options))
    except Problem:
        return formula  # the engine says what is wrong with it
    calls: list[tuple[str, list[str]]] = [("", [""])]
    for token in tokens:
        if token.type == "FUNC" and token.subtype == "OPEN":
            calls.append((token.value, [""]))
        elif token.type == "FUNC" and token.subtype == "CLOSE":
            opening, arguments = calls.pop()
            if limits.is_step(opening, calls[-1][0]):
                arguments[-1] = limits.as_long_as_a_step(arguments[-1])
            calls[-1][1][-1] += _call(opening, arguments, lookup, over_arrays=over_arrays, options=options)
        elif token.type == "ARRAY" and token.subtype == "OPEN":
            calls.append(("{", [""]))
        elif token.type == "ARRAY" and token.subtype == "CLOSE":
            constants = calls.pop()[1]
            calls[-1][1][-1] += f"{{{','.join(constants)}}}"
        elif token.type == "SEP" and len(calls) > 1 and token.subtype == "ARG":
            calls[-1][1].append("")
        else:
            calls[-1][1][-1] += token.value
    whole = grouped("=" + ",".join(calls[0][1]))
    return with_signs(limits.as_long_as_a_cell(whole) if options.cuts_texts else whole).replace(
        NO_VALUE, _NOT_IMPLEMENTED
    )


def _prepared(formula: str, lookup: Lookup, *, over_arrays: bool, options: FormOptions) -> str:
    """The formula with what concerns more than one call of a function."""
    plain = lookup.over_sheets(anchored(formula))
    written = expanded(plain, lookup.sheets.names, arrays=over_arrays)
    if written is None:
        return f"={NO_VALUE}"  # A LAMBDA that calls itself would never end, or fail the engine.
    plain = written
    if lookup.apart or computes_with_texts(plain):
        plain = with_numbers(plain, lookup)
    plain = text_digits.with_rounded_texts(plain, cells=options.rounds_texts)
    return overflow.with_calls(plain) if options.tells_overflow else plain


def _call(opening: str, arguments: list[str], lookup: Lookup, *, over_arrays: bool, options: FormOptions) -> str:
    name = opening.rstrip("(").upper()
    arguments = _given(name, arguments, lookup)
    first = arguments[0]
    found = lookup.form(name, arguments) or and_or.form_of(name, arguments, careful=options.heeds_errors)
    found = (
        found or criteria.form_of(name, arguments) or limits.form_of(name, arguments, limited=options.limits_numbers)
    )
    found = found or textjoin_function.form_of(
        name, [*map(_as_range, arguments)], lookup.bounded, over_arrays=over_arrays
    )
    if found:
        return found
    if "{" in "".join(arguments):  # an array constant is no empty cell
        return overflow.form_of(name, arguments, exact=options.tells_overflow) or f"{opening}{','.join(arguments)})"
    if name == "SUBTOTAL" and first.strip() in _PLAIN_PRODUCT:
        rest = ",".join(arguments[1:])
        return f"IF(SUBTOTAL({_PLAIN_PRODUCT[first.strip()]},{rest})=0,0,{opening}{first},{rest}))"
    if name in _LIST_FUNCTIONS and len(arguments) > 1:
        arguments = [_as_number(argument) for argument in arguments if argument.strip() or name != "PRODUCT"]
    if name == "COUNT" and over_arrays:
        return f"({'+'.join(map(_COUNT_EACH.format, arguments))})"
    if (
        name in _DATE_PART_FORMS
        and first.strip()
        and not (_NEVER_EMPTY.match(first) and name not in ("DATE", "HOUR", "YEARFRAC"))
    ):
        return _of_day(name, arguments)
    if name in _MONTH_STEP_FORMS and _may_be_empty(name, arguments):
        rest = "".join(f",{argument}" for argument in arguments[2:])
        return _MONTH_STEP_FORMS[name].format(*arguments[:2], rest, _DAYS_OF_UNIT.get(arguments[-1].strip().lower(), 0))
    formed = ""
    if name == _TEXT and len(arguments) > 1:
        formed = text_function.form_of(first, arguments[1], over_arrays=over_arrays)
    formed = formed or overflow.form_of(name, arguments, exact=options.tells_overflow)
    return formed or f"{opening}{','.join(arguments)})"


def _as_number(argument: str) -> str:
    """A literal in a list of numbers as the number that it counts as."""
    said = argument.strip().upper()
    found = _NUMBER_AS_TEXT.fullmatch(said)
    return found[1] if found else {"": "0", "TRUE": "1", "FALSE": "0"}.get(said, argument)


def _of_day(name: str, arguments: list[str]) -> str:
    if name == "YEARFRAC":  # whichever date comes first
        return _DATE_PART_FORMS[name].format(
            arguments[0], f"({arguments[1]})+0", "".join(f",{argument}" for argument in arguments[2:])
        )
    if name != "DATE":
        return _DATE_PART_FORMS[name].format(arguments[0], "".join(f",{argument}" for argument in arguments[1:]))
    plain = f"DATE({','.join(arguments)})"
    return plain if _YEAR_OF_NOW.fullmatch(arguments[0]) else _DATE_PART_FORMS[name].format(plain)


def _given(name: str, arguments: list[str], lookup: Lookup) -> list[str]:
    """Arguments as the engine takes them: cells as ranges of one, criteria as it reads them, what is seen alone."""
    if name in _OF_RANGES or name in _TEXTS_COUNT:
        arguments = [
            _as_range(lookup.plain(argument)) if takes_whole(name, at) else argument
            for at, argument in enumerate(arguments)
        ]
    if name == "SUBTOTAL" and any(map(lookup.is_filtered, arguments[1:])):
        arguments = [_VISIBLE_ROW_CODES.get(arguments[0].strip(), arguments[0]), *arguments[1:]]
    if name in _CRITERIA_FUNCTIONS:
        arguments = [
            argument if takes_whole(name, at) else _criterion(argument, lookup) for at, argument in enumerate(arguments)
        ]
    return arguments


def _criterion(argument: str, lookup: Lookup) -> str:
    """A criterion as the engine reads it: dates as numbers, and what a cell holds as a text where it matters."""
    held = lookup.text_in(argument) if lookup.apart else None
    if isinstance(held, str) and is_apart(held):
        argument = '"' + held.replace('"', '""') + '"'
        if _OF_TEXT_ORDER.match(held):
            lookup.doubt = TEXT_ORDER
    told = _DATED.fullmatch(argument)
    number = read_apart(told[2], "+0") if told else None
    return argument if told is None or not isinstance(number, float) else f'"{told[1]}{number!r}"'


def _as_range(argument: str) -> str:
    """A cell alone as a range of one."""
    found = _CELL.fullmatch(argument)
    return f"{argument}:{found[1]}" if found else argument


def _may_be_empty(name: str, arguments: list[str]) -> bool:
    """Whether a date among the arguments may be an empty cell, and the form of the function knows what then comes."""
    dates = arguments[:2] if name in ("NETWORKDAYS", "DATEDIF") else arguments[:1]
    if len(arguments) < 2 or not all(argument.strip() for argument in arguments[:2]):
        return False
    if name == "DATEDIF" and arguments[-1].strip().lower() not in _DAYS_OF_UNIT:
        return False
    return not all(_NEVER_EMPTY.match(date) for date in dates)
