"""Formulas in the form in which the calculation engine gives what Excel gives; files keep them as they were written.

What one function needs stands in the files of `formula_forms`; here calls are put in their forms from within.

- A cell is a range of one, for COUNTIF(A2, "*x*") as for all that look in ranges; the engine takes it for its value.
- A number as text and a truth value count in lists of numbers; the engine passes them by.
- SUBTOTAL leaves out what a filter hides, with either code; the engine with the second ones alone.
"""

from __future__ import annotations

import re
from typing import Any

from yardkit.servers.sheets.engine.compute.lookups import NO_VALUE, SHEETS, Lookup, depends_on_workbook
from yardkit.servers.sheets.engine.formula_forms import (
    and_or,
    criteria,
    dates,
    omitted_arguments,
    text_function,
    textjoin_function,
)
from yardkit.servers.sheets.engine.formula_forms.brackets import group_brackets
from yardkit.servers.sheets.engine.formula_forms.expanded_formulas import expand_formula, needs_expansion
from yardkit.servers.sheets.engine.notation.array_formulas import takes_range
from yardkit.servers.sheets.engine.notation.formulas import (
    STRING,
    anchor_formula,
    as_formula,
    list_functions,
    tokens_of,
    with_signs,
)
from yardkit.world import Problem

_NOT_IMPLEMENTED = "SUBTOTAL(9,{1})"
"""What gives #N/IMPL!; that itself the engine does not read again where it writes a formula down."""
_TEXT, _SUBTOTAL = "TEXT", "SUBTOTAL"
_TEXTS_COUNT = frozenset(["MAXA", "MINA", "STDEVA", "STDEVPA", "VARA", "VARPA"])
_FORMED_FUNCTIONS = frozenset({_SUBTOTAL, _TEXT, "TEXTJOIN", "AND", "OR", *dates.DATED, *_TEXTS_COUNT})
_FORMED_OVER_ARRAYS = frozenset({"CONCAT", "COUNT"})
_COUNT_EACH = "REDUCE(0,{0},LAMBDA(all_counted,each_counted,all_counted+ISNUMBER(each_counted)))"
_LISTS_NAMES = (
    "AVEDEV AVERAGE AVERAGEA COUNT COUNTA DEVSQ GEOMEAN HARMEAN KURT LARGE MEDIAN MINA MODE PRODUCT SKEW SMALL STDEV "
    "STDEV.P STDEV.S STDEVA STDEVP STDEVPA SUMSQ VAR VAR.P VAR.S VARA VARP VARPA"
)
_LIST_FUNCTIONS = frozenset(_LISTS_NAMES.split())
_LITERAL = r'\s*(?:"[^"]*"|TRUE|FALSE)\s*'
_IN_LIST = re.compile(
    rf"(?:{'|'.join(map(re.escape, _LISTS_NAMES.split()))})\((?:(?:[^()]|\([^()]*\))*,)?{_LITERAL}[,)]", re.IGNORECASE
)
_VISIBLE_ROW_CODES = {str(code): str(100 + code) for code in range(1, 12)}
_NUMBER_AS_TEXT = re.compile(r'"(-?\d+(?:\.\d+)?)"')
_CELL = re.compile(r"\s*(?:(?:'(?:[^']|'')+'|[\w.]+)!)?(\$?[A-Za-z]{1,3}\$?\d+)\s*")
_OF_RANGES_NAMES = (
    "AVERAGEIF AVERAGEIFS COUNTIF COUNTIFS HLOOKUP INDEX LARGE LOOKUP MATCH MAXIFS MINIFS RANK RANK.AVG RANK.EQ SMALL "
    "SUMIF SUMIFS VLOOKUP XLOOKUP XMATCH"
)
_OF_RANGES = frozenset(_OF_RANGES_NAMES.split())
_OF_A_CELL = re.compile(  # or of a name, which may be one's
    rf"(?:{'|'.join(map(re.escape, _OF_RANGES_NAMES.split()))})\((?:[^,()]*,)?"
    rf"(?:{_CELL.pattern}|\s*[A-Za-z_\\\u0080-\uffff][\w.]*\s*|[^()]*\[#This Row\][^()]*)[,)]",
    re.IGNORECASE,
)
_SHEET_TWICE = re.compile(r"((?:'(?:[^']|'')+'|[\w.]+)!)(\$?[A-Za-z]{1,3}\$?\d+):\1(?=\$?[A-Za-z])", re.IGNORECASE)
_UNUSUAL_NAME = re.compile(rf"[\\?\u0080-\uffff]|'[#@]|\[\]|{_SHEET_TWICE.pattern}", re.IGNORECASE)
_ESCAPED = re.compile(r"'([#@])")
_EMPTY_BRACKETS = re.compile(r"(?<=[\w.])\[\]")


def has_form(formula: str, *, marked: bool) -> bool:
    """Whether the engine needs a form of its own for a formula; `marked` is one that is stored as an array formula."""
    called = set(list_functions(formula))
    if not _FORMED_FUNCTIONS.isdisjoint(called) or (marked and not _FORMED_OVER_ARRAYS.isdisjoint(called)):
        return True
    if _UNUSUAL_NAME.search(formula) or omitted_arguments.omits_arguments(formula) or depends_on_workbook(formula):
        return True
    if group_brackets(as_formula(formula)) != as_formula(formula):
        return True
    if "!" in formula and any(sheet_match[1] for sheet_match in SHEETS.finditer(formula)):
        return True
    if _IN_LIST.search(formula) is not None or _OF_A_CELL.search(formula) is not None:
        return True
    return criteria.may_be_unequal(formula) or needs_expansion(formula, arrays=marked)


def engine_form(formula: str, lookup: Lookup, *, over_arrays: bool = False) -> str:
    """The formula ``=...`` as the engine is to compute it; `lookup` knows what it looks in."""
    if not has_form(formula, marked=over_arrays):
        return formula
    try:
        tokens = tokens_of(_prepare_formula(formula, lookup, over_arrays=over_arrays))
    except Problem:
        return formula  # the engine says what is wrong with it
    calls: list[tuple[str, list[str]]] = [("", [""])]
    for token in tokens:
        if token.type == "FUNC" and token.subtype == "OPEN":
            calls.append((token.value, [""]))
        elif token.type == "FUNC" and token.subtype == "CLOSE":
            opening, arguments = calls.pop()
            calls[-1][1][-1] += _translate_call(opening, arguments, lookup, over_arrays=over_arrays)
        elif token.type == "ARRAY" and token.subtype == "OPEN":
            calls.append(("{", [""]))
        elif token.type == "ARRAY" and token.subtype == "CLOSE":
            constants = calls.pop()[1]
            calls[-1][1][-1] += f"{{{','.join(constants)}}}"
        elif token.type == "SEP" and len(calls) > 1 and token.subtype == "ARG":
            calls[-1][1].append("")
        else:
            calls[-1][1][-1] += _translate_operand(token, lookup)
    return with_signs(group_brackets("=" + ",".join(calls[0][1]))).replace(NO_VALUE, _NOT_IMPLEMENTED)


def _prepare_formula(formula: str, lookup: Lookup, *, over_arrays: bool) -> str:
    """The formula with what concerns more than one call of a function."""
    prepared_formula = lookup.over_sheets(_SHEET_TWICE.sub(r"\1\2:", anchor_formula(formula)))
    written = expand_formula(prepared_formula, lookup.sheets.names, arrays=over_arrays)
    # A LAMBDA that calls itself would never end, or fail the engine.
    return f"={NO_VALUE}" if written is None else written


def _translate_operand(token: Any, lookup: Lookup) -> str:
    """A token with names that the engine takes."""
    value = str(token.value)
    if token.subtype != "RANGE":
        return value
    sheet, mark, name = value.rpartition("!")
    if name.lower() in lookup.sheets.stand_ins:
        return f"{sheet}{mark}{lookup.sheets.stand_ins[name.lower()]}"
    return _EMPTY_BRACKETS.sub("[#Data]", _ESCAPED.sub(r"\1", value)) if "[" in value else value


def _translate_call(opening: str, arguments: list[str], lookup: Lookup, *, over_arrays: bool) -> str:
    name = opening.rstrip("(").upper()
    arguments = _adapt_arguments(name, omitted_arguments.with_defaults(name, arguments), lookup)
    call_form = (
        lookup.build_form(name, arguments) or and_or.form_of(name, arguments) or criteria.form_of(name, arguments)
    )
    call_form = call_form or textjoin_function.form_of(
        name, [*map(_as_range, arguments)], lookup.bound_range, over_arrays=over_arrays
    )
    if call_form:
        return call_form
    if "{" not in "".join(arguments):  # an array constant is no empty cell
        call_form = dates.form_of(name, arguments, date1904=lookup.sheets.date1904)
        if name == "COUNT" and over_arrays:
            call_form = f"({'+'.join(map(_COUNT_EACH.format, arguments))})"
        elif name == _TEXT and len(arguments) > 1:
            call_form = _translate_text(arguments, lookup, over_arrays=over_arrays)
    return call_form or f"{opening}{','.join(arguments)})"


def _translate_text(arguments: list[str], lookup: Lookup, *, over_arrays: bool) -> str:
    """TEXT with the format that its second argument comes to."""
    value, code = arguments[:2]
    if not STRING.fullmatch(code.strip()):
        stored_values = lookup.get_computed(code)
        if not isinstance(stored_values, str | int | float) or isinstance(stored_values, bool):
            return NO_VALUE
        code = '"' + f"{stored_values}".replace('"', '""') + '"'
        lookup.doubt = text_function.doubt_of(code) or lookup.doubt
    return text_function.form_of(value, code, over_arrays=over_arrays, date1904=lookup.sheets.date1904)


def _as_number(argument: str) -> str:
    """A literal in a list of numbers as the number that it counts as."""
    argument_text = argument.strip().upper()
    number_match = _NUMBER_AS_TEXT.fullmatch(argument_text)
    return number_match[1] if number_match else {"": "0", "TRUE": "1", "FALSE": "0"}.get(argument_text, argument)


def _adapt_arguments(name: str, arguments: list[str], lookup: Lookup) -> list[str]:
    """Arguments as the engine takes them: cells as ranges of one, numbers in lists, what is seen alone."""
    if name in _OF_RANGES or name in _TEXTS_COUNT:
        arguments = [
            _as_range(lookup.resolve_cell(argument)) if takes_range(name, at) else argument
            for at, argument in enumerate(arguments)
        ]
    if name in _LIST_FUNCTIONS and len(arguments) > 1:
        arguments = [_as_number(argument) for argument in arguments if argument.strip() or name != "PRODUCT"]
    if name == _SUBTOTAL and any(map(lookup.is_filtered, arguments[1:])):
        arguments = [_VISIBLE_ROW_CODES.get(arguments[0].strip(), arguments[0]), *arguments[1:]]
    return arguments


def _as_range(argument: str) -> str:
    """A cell alone as a range of one."""
    cell_match = _CELL.fullmatch(argument)
    return f"{argument}:{cell_match[1]}" if cell_match else argument
