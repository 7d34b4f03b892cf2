"""Where formulas compute with texts: what Excel reads there and the calculation engine does not is put in as a number.

A text in a cell is looked at after each calculation, and so is one that functions make, in a cell of a sheet that the
model alone has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, get_args

from toolyard.servers.sheets.engine.notation.array_formulas import array_work, takes_whole
from toolyard.servers.sheets.engine.notation.formulas import STRING, functions, tokens_of
from toolyard.servers.sheets.engine.notation.numeric_texts import FAILS, UNCLEAR, Reading, Way, read_apart

_READING_FUNCTIONS = frozenset({"VALUE", "DATEVALUE", "TIMEVALUE"})
_NUMERIC_NAMES = (
    "ABS CEILING DATE DATEDIF DAY DAYS DAYS360 EDATE EOMONTH EXP FIXED FLOOR HOUR INT ISOWEEKNUM LN LOG LOG10 MINUTE "
    "MOD MONTH MROUND NETWORKDAYS POWER ROUND ROUNDDOWN ROUNDUP SECOND SIGN SQRT TIME TRUNC WEEKDAY WEEKNUM WORKDAY "
    "YEAR YEARFRAC"
)
_NUMERIC_FUNCTIONS = frozenset(_NUMERIC_NAMES.split())
_MAKING_TEXT = (
    "CLEAN CONCAT CONCATENATE FIXED LEFT LOWER MID PROPER REPLACE REPT RIGHT SUBSTITUTE T TEXT TEXTAFTER TEXTBEFORE "
    "TEXTJOIN TRIM UPPER"
)
TEXTUAL = frozenset(_MAKING_TEXT.split())
GIVING = frozenset(
    ["CHOOSE", "HLOOKUP", "IF", "IFERROR", "IFNA", "IFS", "INDEX", "LOOKUP", "SWITCH", "VLOOKUP", "XLOOKUP"]
)
"""These give what is in cells, which may be a text."""
_DAY = 86_400_000
_ARITHMETIC = frozenset("+-*/^")
_COMPUTES = re.compile(rf"[-+*/^%]|(?<![\w.])(?:{'|'.join(_NUMERIC_NAMES.split())})\(", re.IGNORECASE)
_SHOWS_NUMBERS = re.compile(r'"[^"]*[ymdhs0#][^"]*"', re.IGNORECASE)


class Texts(Protocol):
    """What a formula is told of the texts that it computes with."""

    doubt: str
    apart: bool

    def read(self, reference: str, way: Way) -> Reading:
        """What Excel reads in the cells of a reference; None for what is none."""

    def asked(self, expression: str, way: Way) -> Reading:
        """What Excel reads in the text that an expression is, after the calculation."""


@dataclass(frozen=True)
class _Operand:
    """The tokens from `first` to before `last` that are computed with; `name` is the function whose value that is.

    What TEXT is to show is within the call that opens at `shown`; where it is no number, it stays the text it is.
    """

    first: int
    last: int
    name: str
    way: Way = "+0"
    shown: int | None = None


def computes_with_texts(formula: str) -> bool:
    """Whether a formula computes with texts, whatever its cells hold."""
    if not _READING_FUNCTIONS.isdisjoint(functions(formula)):
        return True
    literal = any(read_apart(string[1:-1], "+0") is not None for string in STRING.findall(formula))
    return (literal or makes_text(formula)) and _COMPUTES.search(STRING.sub('""', formula)) is not None


def makes_text(formula: str) -> bool:
    """Whether what a formula gives may be a text that is in no cell."""
    return "&" in STRING.sub('""', formula) or not TEXTUAL.isdisjoint(functions(formula)) or formula.startswith('"')


def with_numbers(formula: str, texts: Texts) -> str:
    """The formula with numbers in place of texts that Excel reads and the engine does not.

    Where `texts` says that there are such `apart`, they are looked for in all cells that it reads.
    """
    if "LAMBDA(" in formula.upper():
        texts.doubt = UNCLEAR if texts.apart and _COMPUTES.search(STRING.sub('""', formula)) else texts.doubt
        return formula
    tokens = tokens_of(formula)
    said = [token.value for token in tokens]
    done = 0
    for operand in sorted(_operands(tokens), key=lambda candidate: (candidate.first, -candidate.last)):
        if operand.first < done:
            continue  # within one that is a number now
        number = _read("".join(said[operand.first : operand.last]), operand, tokens, texts)
        if number == FAILS and operand.shown is not None:
            done = _closing(tokens, operand.shown)
            said[operand.shown] = "("
            said[operand.last : done] = [""] * (done - operand.last)
        elif number is not None:
            said[operand.first : operand.last] = [number, *[""] * (operand.last - operand.first - 1)]
            done = operand.last
    return "=" + "".join(said)


def _read(text: str, operand: _Operand, tokens: list[Any], texts: Texts) -> str | None:
    """What stands in place of an operand; None where the engine reads what Excel reads."""
    within = text[text.index("(") + 1 : -1] if operand.name in _READING_FUNCTIONS else text
    found = _reading(within, operand, tokens, texts)
    if isinstance(found, float):
        return f"({_written(found)})"
    if found not in (None, FAILS):
        texts.doubt = found
        return None
    return found


def _written(number: float) -> str:
    """A number for a formula, of which the engine keeps 15 digits: a time as a part of a day."""
    days, milliseconds = int(number), round(number % 1 * _DAY)
    if float(f"{number:.15g}") != number and number > 0 and abs(days + milliseconds / _DAY - number) < 1e-12:
        return f"{days}+{milliseconds}/{_DAY}"
    return f"{number:.15g}"


def _reading(text: str, operand: _Operand, tokens: list[Any], texts: Texts) -> Reading:
    first = tokens[operand.first + (operand.name in _READING_FUNCTIONS)]
    one = operand.last - operand.first == (3 if operand.name in _READING_FUNCTIONS else 1)
    if one and first.subtype == "TEXT":
        return read_apart(text.strip()[1:-1].replace('""', '"'), operand.way)
    looked = texts.apart or operand.name in _READING_FUNCTIONS
    if (one and first.subtype == "RANGE") or (not one and array_work(text, {}) is not None):
        return texts.read(text, operand.way) if looked else None
    making = operand.name in TEXTUAL or operand.name in _READING_FUNCTIONS or "&" in text
    if one or not text.strip() or not (making or (texts.apart and operand.name in GIVING)):
        return None
    return texts.asked(text, operand.way)


def _operands(tokens: list[Any]) -> Iterator[_Operand]:
    """What is computed with, or read by VALUE and the like."""
    opened: list[tuple[int, str, int]] = []  # where a bracket is, of which function, and its arguments so far
    for at, token in enumerate(tokens):
        if token.subtype == "OPEN":
            opened.append((at, token.value.rstrip("(").upper() if token.type == "FUNC" else "", 0))
        elif token.subtype == "CLOSE" and opened:
            first, name, count = opened.pop()
            if name in _READING_FUNCTIONS and not count:
                yield _Operand(first, at + 1, name, _way(name))
            elif token.type in ("FUNC", "PAREN") and _is_computed(tokens, first, at + 1, opened):
                yield _Operand(first, at + 1, name, shown=_text_around(opened))
        elif token.type == "SEP" and opened:
            opened[-1] = (*opened[-1][:2], opened[-1][2] + 1)
        elif token.subtype in ("TEXT", "RANGE") and _is_computed(tokens, at, at + 1, opened):
            yield _Operand(at, at + 1, "", shown=_text_around(opened))


def _text_around(opened: list[tuple[int, str, int]]) -> int | None:
    return opened[-1][0] if opened and opened[-1][1:] == ("TEXT", 0) else None


def _closing(tokens: list[Any], at: int) -> int:
    """Where the bracket closes that opens at a token."""
    depth = 0
    while depth := depth + {"OPEN": 1, "CLOSE": -1}.get(tokens[at].subtype, 0):
        at += 1
    return at


def _way(name: str) -> Way:
    return next(way for way in get_args(Way) if way == name)


def _is_computed(tokens: list[Any], first: int, last: int, opened: list[tuple[int, str, int]]) -> bool:
    """Whether a number is wanted where an operand stands."""
    before, after = _beside(tokens, first - 1, -1), _beside(tokens, last, 1)
    if before is not None and before.type.startswith("OPERATOR") and before.value.strip() in _ARITHMETIC:
        return True
    if after is not None and after.type.startswith("OPERATOR") and after.value.strip() in {*_ARITHMETIC, "%"}:
        return True
    alone = before is not None and (before.subtype == "OPEN" or before.type == "SEP")
    alone = alone and after is not None and (after.subtype == "CLOSE" or after.type == "SEP")
    if not opened or not alone:
        return False
    start, name, place = opened[-1]
    if name == "TEXT":
        return (
            place == 0 and _SHOWS_NUMBERS.search("".join(token.value for token in tokens[last : last + 3])) is not None
        )
    return name in _NUMERIC_FUNCTIONS and not takes_whole(name, place) and start < first


def _beside(tokens: list[Any], at: int, step: int) -> Any:
    while 0 <= at < len(tokens) and tokens[at].type == "WHITE-SPACE":
        at += step
    return tokens[at] if 0 <= at < len(tokens) else None
