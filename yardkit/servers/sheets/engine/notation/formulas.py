"""Formula texts: checked, in the form that files store, and the cells that they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from yardkit.servers.sheets.engine.notation.references import Area, area_of, cell_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import bracket_columns, fill_formula
from yardkit.world import Problem

MAX_FORMULA = 8192
# Functions newer than the first standard carry a prefix in files.
_FUTURE_NAMES = (
    "ACOT ACOTH AGGREGATE ANCHORARRAY ARABIC ARRAYTOTEXT BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE "
    "BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST "
    "CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT CONFIDENCE.NORM "
    "CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC CSCH DAYS DECIMAL DETECTLANGUAGE DROP ENCODEURL "
    "ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST F.DIST F.DIST.RT F.INV F.INV.RT F.TEST FILTER FILTERXML "
    "FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT "
    "FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS GROUPBY HSTACK HYPGEOM.DIST "
    "IFNA IFS IMAGE IMCOSH IMCOT IMCSC IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA "
    "LET LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT MODE.SNGL MUNIT NEGBINOM.DIST NORM.DIST "
    "NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC PERCENTOF "
    "PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI PIVOTBY POISSON.DIST PY QUARTILE.EXC QUARTILE.INC "
    "QUERYSTRING RANDARRAY RANK.AVG RANK.EQ REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST RRI SCAN SEC SECH "
    "SEQUENCE SHEET SHEETS SINGLE SKEW.P SORT SORTBY STDEV.P STDEV.S STOCKHISTORY SWITCH T.DIST T.DIST.2T "
    "T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW TRANSLATE "
    "TRIMRANGE UNICHAR UNICODE UNIQUE VALUETOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST WRAPCOLS WRAPROWS "
    "XLOOKUP XMATCH XOR Z.TEST "
)
FUTURE_FUNCTIONS = frozenset(_FUTURE_NAMES.split())
_WORKSHEET_ONLY = frozenset({"SORT", "FILTER"})
_CALLS_OUT_NAMES = (
    "WEBSERVICE RTD CALL REGISTER REGISTER.ID EXEC IMAGE STOCKHISTORY SQL.REQUEST IMPORTDATA IMPORTXML IMPORTHTML "
    "IMPORTFEED IMPORTRANGE PY TRANSLATE DETECTLANGUAGE COPILOT CUBEVALUE CUBEMEMBER CUBESET CUBERANKEDMEMBER "
    "CUBEKPIMEMBER CUBEMEMBERPROPERTY CUBESETCOUNT DDE EVALUATE"
)
_CALLS_OUT = frozenset(_CALLS_OUT_NAMES.split())
CHANCE = frozenset({"RAND", "RANDBETWEEN", "RANDARRAY"})
CLOCK = frozenset({"TODAY", "NOW"})
SURROUNDINGS = frozenset({"CELL", "INFO"})
MOVING = frozenset({"OFFSET", "INDIRECT"})
COMPARING = frozenset({"=", "<", ">", "<=", ">=", "<>"})
STRING = re.compile(r'"(?:[^"]|"")*"')
_SPILL = re.compile(
    STRING.pattern + r"|\[[^\[\]]*\]|(?<![A-Za-z0-9_.$])"
    r"((?:(?:'(?:[^']|'')+'|[\w.]+)!)?\$?[A-Za-z]{1,3}\$?[0-9]{1,7})#(?![\w/])"
)
_SPILL_STORED = re.compile(r"(?:_xlfn\.)?\bANCHORARRAY\(((?:'(?:[^']|'')+'|[^'()])*)\)", re.IGNORECASE)
PREFIX = re.compile(r"_xlfn\.(?:_xlws\.)?|_xlpm\.")
_FUNCTION = re.compile(r"(?<![A-Za-z0-9_.])([A-Za-z][A-Za-z0-9_.]*)\(")
_IN_ROW = re.compile(r"\[(?:#This Row|\[#This Row\],(\[[^\[\]]+\](?::\[[^\[\]]+\])?))\]")
_SIMPLE_COLUMN = re.compile(r"\[\w+\]")
_REFERENCE = re.compile(
    r"(?:('(?:[^']|'')+'|[A-Za-z0-9_.\u0080-\uffff]+(?::[A-Za-z0-9_.]+)?)!)?"
    r"(\$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?::\$?[A-Za-z]{1,3}\$?[0-9]{1,7})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|"
    r"\$?[0-9]{1,7}:\$?[0-9]{1,7})(?![A-Za-z0-9_.(!])"
)
_SIMPLE_REFERENCE = re.compile(r"=?('(?:[^']|'')+'|[\w.]+)!\$?[A-Z]{1,3}\$?\d+(:\$?[A-Z]{1,3}\$?\d+)?")
_SHEET = re.compile(rf"{STRING.pattern}|('(?:[^']|'')+'|[A-Za-z0-9_.\u0080-\uffff]+(?::[A-Za-z0-9_.]+)?)!")
_WORD = re.compile(
    r"(?<![A-Za-z0-9_.!'\]\\?])[A-Za-z_\\\u0080-\uffff][A-Za-z0-9_.\\?\u0080-\uffff]*(?![A-Za-z0-9_.(!'\\?])"
)
_LET_OR_LAMBDA = re.compile(r"\b(LET|LAMBDA)\(", re.IGNORECASE)
_EXTERNAL = re.compile(r"(?:^|[^A-Za-z0-9_\]])'?\[[^\]]+\][^'!\]]*'?!|'[^']*\[[^\]]+\][^']*'!|\|\s*'")


@dataclass(frozen=True)
class Reference:
    """An area that a formula reads; `sheet` is empty for the formula's own."""

    sheet: str
    area: Area


def check_formula(text: str, table: str = "") -> str:
    """The formula ``=...`` in the form in which files store it.

    That is without "=", new functions with their prefix, cells of a table's row as ``Plan[[#This Row],[Due]]``, what a
    cell fills (``C1#``) as ``ANCHORARRAY(C1)``. `table` is the one around the cell, which ``[@Due]`` is about.

    Raises:
        Problem: unbalanced, too long, with the signs of another language, or it calls out of the workbook; a column of
            no table.
    """
    text = anchor_formula(text)
    formula = text[1:].strip()
    if not formula:
        raise Problem("the formula is empty; write it like =SUM(A1:A9), or '= for the text")
    if len(formula) > MAX_FORMULA:
        raise Problem(f"the formula has {len(formula):,} characters; the limit in Excel is {MAX_FORMULA:,}")
    tokens = tokens_of(text)
    _check_balance(text, tokens)
    _check_separators(text, tokens)
    outside = sorted(set(list_functions(formula)) & _CALLS_OUT)
    if outside:
        raise Problem(f"{text[:80]!r} calls outside the workbook ({outside[0]}); use only functions over its cells")
    stored = _stored_form(tokens, table)
    if _EXTERNAL.search(STRING.sub('""', stored)):
        raise Problem(f"{text[:80]!r} refers to another file or program; copy the data into this workbook instead")
    return stored


def format_formula(stored: str) -> str:
    """The formula as a person writes it."""
    return _IN_ROW.sub(_row_as_written, to_computable(stored))


def to_computable(stored: str) -> str:
    """The formula as the calculation engine takes it."""
    return "=" + PREFIX.sub("", with_signs(bracket_columns(stored)))


def anchor_formula(formula: str) -> str:
    """The formula with ``ANCHORARRAY(C1)`` in place of ``C1#``, which is no token."""
    return _SPILL.sub(lambda match: f"ANCHORARRAY({match[1]})" if match[1] else match[0], formula)


def with_signs(formula: str) -> str:
    """The formula with ``C1#`` in place of ``ANCHORARRAY(C1)``, which the engine does not know."""
    return _SPILL_STORED.sub(r"\1#", formula)


def _row_as_written(match: re.Match[str]) -> str:
    columns = match[1] or ""
    return f"[@{columns[1:-1] if _SIMPLE_COLUMN.fullmatch(columns) else columns}]"


def list_functions(formula: str) -> list[str]:
    """Names of the functions that a formula calls, in capitals, without prefixes."""
    return [name.upper() for name in _FUNCTION.findall(STRING.sub('""', PREFIX.sub("", formula)))]


def is_simple_reference(formula: str) -> bool:
    """Whether a formula, as that of a name, is one cell or range of a sheet and nothing else."""
    return bool(_SIMPLE_REFERENCE.fullmatch(formula.strip()))


def iter_references(formula: str) -> Iterator[Reference]:
    """The areas that a formula names."""
    for match in _REFERENCE.finditer(STRING.sub('""', formula)):
        sheet = (match[1] or "").strip("'").replace("''", "'")
        try:
            yield Reference(sheet, area_of(match[2]))
        except Problem:
            continue


def list_words(formula: str) -> set[str]:
    """What may be defined names or tables in a formula, in lower case."""
    return {word.lower() for word in _WORD.findall(STRING.sub('""', formula))} | {
        word.lower() for word in re.findall(r"([A-Za-z_][A-Za-z0-9_.]*)\[", formula)
    }


def move_formula(formula: str, origin: str, target: str) -> str:
    """The stored formula of cell `origin` as it reads when it is filled to `target`."""
    first, last = cell_of(origin), cell_of(target)
    return fill_formula(formula, last.row - first.row, last.column - first.column)


def with_table(formula: str, table: str) -> str:
    """The formula with the name of a table as it is written; alone it stands for its data, ``T[#Data]`` in files."""
    named = re.compile(rf"{STRING.pattern}|(?<![\w.\\!'\[]){re.escape(table)}(\[|(?![\w.\\(!']))", re.IGNORECASE)
    return named.sub(lambda match: match[0] if match[1] is None else table + (match[1] or "[#Data]"), formula)


def with_sheets(formula: str, sheets: Iterable[str]) -> str:
    """The formula with the names of sheets as they are written, which the calculation engine tells apart by case."""
    if "!" not in formula:
        return formula
    names = {name.casefold(): name for name in sheets}

    def named(match: re.Match[str]) -> str:
        quoted_text = match[1] or ""
        ends = quoted_text.strip("'").split(":")
        known = [names.get(end.replace("''", "'").casefold(), "").replace("'", "''") for end in ends]
        if not quoted_text or not all(known):
            return match[0]
        return f"'{':'.join(known)}'!" if quoted_text.startswith("'") else f"{':'.join(known)}!"

    return _SHEET.sub(named, formula)


def as_formula(text: str) -> str:
    """A formula with the sign in front, which files leave out."""
    return text if text.startswith("=") else f"={text}"


def tokens_of(text: str) -> list[Any]:
    """The tokens of a formula ``=...``, as openpyxl tells them apart; they are shared and stay as they are.

    Raises:
        Problem: it is none.
    """
    from openpyxl.formula.tokenizer import TokenizerError

    try:
        return list(_split_tokens(text))
    except (TokenizerError, IndexError) as error:
        raise Problem(f"{text[:80]!r} is not a valid formula ({error}); check its quotes and brackets") from error


@lru_cache(64)  # One formula is looked at from several sides, one after the other.
def _split_tokens(text: str) -> tuple[Any, ...]:
    from openpyxl.formula import Tokenizer

    return tuple(Tokenizer(text).items)


def _check_balance(text: str, tokens: list[Any]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if depth < 0:
            break
    if depth:
        raise Problem(f"the brackets of {text[:80]!r} do not match; check that each '(' has its ')'")


def _check_separators(text: str, tokens: list[Any]) -> None:
    """Refuse what other languages' versions of Excel show: files have commas between arguments, points in numbers."""
    around: list[str] = []
    for before, token in pairwise([None, *tokens]):
        if token.subtype == "OPEN":
            around.append(token.type)
        elif token.subtype == "CLOSE":
            around.pop()
        elif token.type == "SEP" and token.subtype == "ROW" and around[-1:] != ["ARRAY"]:
            raise Problem(f"{text[:80]!r} has a semicolon; separate arguments with commas, as in =SUM(A1,A2)")
        elif (
            token.value == "," and token.type == "OPERATOR-INFIX" and before is not None and before.subtype == "NUMBER"
        ):
            raise Problem(
                f"{text[:80]!r} has a comma in a number or without a function; write numbers with a point, 1.5"
            )


def _stored_form(tokens: list[Any], table: str) -> str:
    local = _local_names(tokens)
    parts = []
    for token in tokens:
        value = token.value
        if token.type == "FUNC" and token.subtype == "OPEN":
            value = _add_prefix(value)
        elif token.type == "OPERAND" and token.subtype == "RANGE" and value.lower() in local:
            value = f"_xlpm.{value}"
        elif token.type == "OPERAND" and value.endswith("]") and "!" not in value:
            value = _column_stored(value, table)
        parts.append(value)
    return "".join(parts)


def _column_stored(reference: str, table: str) -> str:
    """``Plan[@Due]`` or, in the table Plan, ``[@Due]`` as files store it."""
    name, _, rest = reference.partition("[")
    if not name and not table:
        raise Problem(
            "the cell is not in a table; extend one to it (set_table), or write its name before "
            f"{reference}, as in Plan{reference}"
        )
    if not rest.startswith("@"):
        return f"{name or table}[{rest}"
    columns = rest[1:-1].strip()
    if not columns:
        return f"{name or table}[#This Row]"
    return f"{name or table}[[#This Row],{columns if columns.startswith('[') else f'[{columns}]'}]"


def _add_prefix(opening: str) -> str:
    name = opening.rstrip("(").upper()
    if name.startswith("_XLFN."):
        return opening
    if name not in FUTURE_FUNCTIONS:
        return opening.upper()
    return f"_xlfn._xlws.{name}(" if name in _WORKSHEET_ONLY else f"_xlfn.{name}("


def _local_names(tokens: list[Any]) -> set[str]:
    """Names that LET and LAMBDA define; files mark them with a prefix of their own."""
    calls: list[tuple[str, list[list[Any]]]] = []
    local_names: set[str] = set()
    for token in tokens:
        if token.subtype == "OPEN":
            if calls:
                calls[-1][1][-1].append(token)
            calls.append((token.value.rstrip("(").upper().removeprefix("_XLFN."), [[]]))
        elif token.subtype == "CLOSE" and calls:
            local_names |= _list_defined_names(*calls.pop())
        elif token.type == "SEP" and calls:
            calls[-1][1].append([])
        elif calls and token.type != "WHITE-SPACE":
            calls[-1][1][-1].append(token)
    return local_names


def _list_defined_names(function: str, arguments: list[list[Any]]) -> set[str]:
    named = arguments[:-1:2] if function == "LET" else arguments[:-1] if function == "LAMBDA" else []
    alone = [argument[0] for argument in named if len(argument) == 1]
    return {token.value.lower() for token in alone if token.type == "OPERAND" and token.subtype == "RANGE"}
