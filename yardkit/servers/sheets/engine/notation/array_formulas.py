"""Which formulas work on each cell of a range, by which functions, and whether they fill more than one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from yardkit.servers.sheets.engine.notation.formulas import PREFIX, list_functions, tokens_of
from yardkit.servers.sheets.engine.notation.references import area_of
from yardkit.world import Problem

# Functions that take a range, or an array, as a whole, by the places of their arguments that do; all others are
# computed for each cell of it.
_FUNCTIONS_BY_PLACES: dict[Iterable[int], str] = {
    range(256): (
        "AGGREGATE AND AREAS ARRAYTOTEXT AVEDEV AVERAGE AVERAGEA CELL CHISQ.TEST CHITEST COLUMNS CONCAT CORREL "
        "COUNT COUNTA COUNTBLANK COVAR COVARIANCE.P COVARIANCE.S DAVERAGE DCOUNT DCOUNTA DEVSQ DGET DMAX DMIN "
        "DPRODUCT DSTDEV DSTDEVP DSUM DVAR DVARP F.TEST FORMULATEXT FTEST GCD GEOMEAN GROWTH HARMEAN IMPRODUCT "
        "IMSUM INTERCEPT IRR ISFORMULA ISREF KURT LCM LINEST LOGEST MAX MAXA MDETERM MEDIAN MIN MINA MINVERSE "
        "MIRR MMULT MODE MODE.MULT MODE.SNGL MULTINOMIAL NPV OFFSET OR PEARSON PROB PRODUCT REDUCE ROWS RSQ "
        "SHEET SHEETS SKEW SKEW.P SLOPE STDEV STDEV.P STDEV.S STDEVA STDEVP STDEVPA STEYX SUBTOTAL SUM "
        "SUMPRODUCT SUMSQ SUMX2MY2 SUMX2PY2 SUMXMY2 T.TEST TREND TTEST VAR VAR.P VAR.S VARA VARP VARPA XIRR "
        "XNPV XOR Z.TEST ZTEST"
    ),
    (0,): (
        "COUNTIF FREQUENCY INDEX LARGE PERCENTILE PERCENTILE.EXC PERCENTILE.INC PERCENTRANK PERCENTRANK.EXC "
        "PERCENTRANK.INC QUARTILE QUARTILE.EXC QUARTILE.INC SMALL TRIMMEAN"
    ),
    (1,): "FVSCHEDULE HLOOKUP MATCH RANK RANK.AVG RANK.EQ VLOOKUP XMATCH",
    (2,): "NETWORKDAYS WORKDAY",
    (3,): "NETWORKDAYS.INTL SERIESSUM WORKDAY.INTL",
    (0, 2): "AVERAGEIF SUMIF",
    (1, 2): "FORECAST FORECAST.ETS FORECAST.LINEAR LOOKUP XLOOKUP",
    (0, *range(1, 256, 2)): "AVERAGEIFS MAXIFS MINIFS SUMIFS",
    range(0, 256, 2): "COUNTIFS",
    range(2, 256): "TEXTJOIN",
}
_ARRAY_PLACES = {name: frozenset(places) for places, names in _FUNCTIONS_BY_PLACES.items() for name in names.split()}
# Functions whose result is an array, whatever they are given.
_FILLING_NAMES = (
    "ANCHORARRAY BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER FREQUENCY GROUPBY GROWTH HSTACK LINEST "
    "LOGEST MAKEARRAY MAP MINVERSE MMULT MODE.MULT PIVOTBY RANDARRAY SCAN SEQUENCE SORT SORTBY TAKE TEXTSPLIT "
    "TOCOL TOROW TRANSPOSE TREND TRIMRANGE UNIQUE VSTACK WRAPCOLS WRAPROWS"
)
FILLING = frozenset(_FILLING_NAMES.split())
# These compute on each cell by themselves, in every program and also in formulas that are not marked as arrays.
NATIVE = frozenset({"SUMPRODUCT", "MMULT", "LOOKUP"})
_OPERATOR_TYPES = ("OPERATOR-PREFIX", "OPERATOR-INFIX", "OPERATOR-POSTFIX")
_SINGLE_ROW = re.compile(r"\[\[#(?:This Row|Totals|Headers)\],\[[^:]*$")
_SEVERAL = re.compile(r"[:\[{]|(?:OFFSET|INDIRECT)\(", re.IGNORECASE)
_MOVING_FUNCTIONS = frozenset({"OFFSET", "INDIRECT"})
_COUNTING_FUNCTIONS = frozenset({"ROW", "COLUMN"})
_WORD = re.compile(r"[A-Za-z_\\\u0080-\uffff][\w.]*")


@dataclass(frozen=True)
class ArrayWork:
    """The functions that are computed for each cell of a range or take what comes of it; whether cells are filled."""

    functions: frozenset[str]
    fills: bool


def array_work(formula: str, names: Mapping[str, str]) -> ArrayWork | None:
    """What a stored formula does with each cell of ranges; None where it takes ranges only as a whole.

    `names` are the workbook's defined names in lower case, and what they stand for.
    """
    formula_words = {word.lower() for word in _WORD.findall(formula)} if names else set()
    if _SEVERAL.search(formula) or formula_words & names.keys() or FILLING.intersection(list_functions(formula)):
        return _Walk(names).analyze(formula)
    return None


def can_spill(formula: str, names: Mapping[str, str]) -> bool:
    """Whether a formula may fill more than its own cell, or works on each cell of a range to find its one value.

    Such formulas are stored as dynamic arrays; as plain ones Excel would give them one cell of each range.
    """
    work = array_work(formula, names)
    return (work is not None and (work.fills or bool(work.functions - NATIVE))) or "XLOOKUP" in list_functions(formula)


@dataclass
class _Call:
    """A function that is open (or brackets of an array constant, without a name), and which argument is read."""

    name: str
    beside: bool
    place: int = 0
    areas: list[str] = field(default_factory=list)
    argument: str = ""
    lines: set[int] = field(default_factory=set)

    def end_argument(self) -> None:
        """An argument ends here: INDEX gives a whole column (or row) where its row (or column) is 0 or left out."""
        if self.name == "INDEX" and self.place in (1, 2) and self.argument in ("0", ""):
            self.lines.add(self.place)
        self.argument = ""

    @property
    def gives_lines(self) -> bool:
        """Whether an INDEX gives more than one cell, as far as its area shows."""
        try:
            area = area_of(self.areas[0].rpartition("!")[2].strip())
        except (Problem, IndexError):
            return bool(self.lines)
        if self.place == 1:  # of a single row or column the place in it
            return bool(self.lines) and area.size > 1
        return (1 in self.lines and area.rows > 1) or (2 in self.lines and area.columns > 1)

    @property
    def takes_range(self) -> bool:
        return takes_range(self.name, self.place) or self.name in FILLING


class _Walk:
    """One pass over the tokens of a formula, with the calls that are open."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._calls: list[_Call] = []
        self._functions: set[str] = set()
        self._found = self._fills = False

    def analyze(self, formula: str) -> ArrayWork | None:
        tokens = [
            candidate
            for candidate in tokens_of("=" + PREFIX.sub("", formula))
            if candidate.type not in ("WHITE-SPACE", "PAREN")
        ]
        for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
            self._take_token(token, _is_operator(before), _is_operator(after) or len(tokens) == 1)
        return ArrayWork(frozenset(self._functions), self._fills) if self._found else None

    def _take_token(self, token: Any, before: bool, after: bool) -> None:
        if self._calls and token.subtype != "CLOSE" and token.type != "SEP":
            self._calls[-1].argument += token.value
        if token.subtype == "OPEN":
            self._calls.append(_Call(token.value.rstrip("(").upper() if token.type == "FUNC" else "", before))
        elif token.subtype == "CLOSE" and self._calls:
            call = self._calls.pop()
            call.end_argument()
            self._add_result(call, computed=call.beside or after or not self._calls)
        elif token.type == "SEP" and self._calls:
            self._calls[-1].end_argument()
            self._calls[-1].place += 1
        elif token.subtype == "RANGE" and self._is_range(token.value):
            if self._calls:
                self._calls[-1].areas.append(token.value)
            self._add_array(computed=before or after)

    def _add_result(self, call: _Call, *, computed: bool) -> None:
        """An array constant or a call ends here, and its value is an operand or an argument."""
        around = self._calls[-1].name if self._calls else ""
        if not call.name or call.name == "ANCHORARRAY" or call.gives_lines:
            self._add_array(computed=computed)
        elif call.name in _MOVING_FUNCTIONS:
            if around in _COUNTING_FUNCTIONS:
                self._add_array(computed=True)
        elif call.name in FILLING or (call.name == "XLOOKUP" and not same_size(call.areas)):
            self._functions.add(call.name)
            self._add_array(computed=True)

    def _add_array(self, *, computed: bool) -> None:
        """An array is here: what is open around it works on each of its cells, up to what takes it as a whole."""
        if not computed and self._calls and self._calls[-1].takes_range:
            return
        self._found = True
        for call in reversed(self._calls):
            self._functions |= {call.name} - {""}
            if call.takes_range:
                return
        self._fills = True

    def _is_range(self, text: str) -> bool:
        """Whether an operand is more than one cell: A1:B9, a whole column, a column of a table but not of its row."""
        if "[" in text:
            return not _SINGLE_ROW.search(text)
        stands_for = self._names.get(text.lower())
        if stands_for is not None:
            return bool(_SEVERAL.search(stands_for))
        return ":" in text.rpartition("!")[2]


def takes_range(name: str, place: int) -> bool:
    """Whether a function takes a range at this place among its arguments, counted from 0, as a whole."""
    return place in _ARRAY_PLACES.get(name, ())


def same_size(areas: list[str]) -> bool:
    """Whether ranges, as those in which XLOOKUP looks and of which it gives, are of one size, as far as is seen."""
    try:
        sizes = {
            (area.rows, area.columns) for area in map(area_of, (text.rpartition("!")[2].strip() for text in areas))
        }
    except Problem:
        return True
    return len(sizes) <= 1


def _is_operator(token: Any | None) -> bool:
    return token is not None and token.type in _OPERATOR_TYPES
