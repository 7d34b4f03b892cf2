"""Which formulas the calculation engine can be trusted with."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from toolyard.servers.sheets.engine.compute.lookups import depends_on_workbook
from toolyard.servers.sheets.engine.formula_forms import overflow, text_digits
from toolyard.servers.sheets.engine.formula_forms.criteria import NOT_ADDED, TEXT_ORDER, may_be_unequal
from toolyard.servers.sheets.engine.formula_forms.expanded_formulas import UNCLEAR, expanded
from toolyard.servers.sheets.engine.formula_forms.joined_digits import SMALL
from toolyard.servers.sheets.engine.formula_forms.text_function import is_unsure
from toolyard.servers.sheets.engine.notation import formulas
from toolyard.servers.sheets.engine.notation.array_formulas import ArrayWork, array_work, same_size
from toolyard.servers.sheets.engine.notation.formulas import is_plain_reference
from toolyard.servers.sheets.engine.notation.values import MAX_TEXT, Scalar

MALFORMED = "the engine cannot parse it"
OWN_ERRORS = {
    "#ERROR!": MALFORMED,
    "#N/IMPL!": "the engine does not implement this use of ",
    "#CIRC!": "it refers to itself in a circle",
}
# What the engine was found to be right about over arrays, where a formula is stored as an array formula, and where not;
# test_sheets_arrays.py has examples.
_RIGHT_NAMES = (
    "ABS ANCHORARRAY AND ATAN AVERAGE BYCOL BYROW CHOOSECOLS CHOOSEROWS CLEAN COLUMN COLUMNS CONCAT COS COUNT COUNTA "
    "DATE DAY DEGREES DROP EVEN EXACT EXP EXPAND FACT FILTER FIND FREQUENCY HSTACK IF IFERROR INDEX INT LAMBDA "
    "LARGE LEFT LEN LET LN LOG10 LOOKUP LOWER MAKEARRAY MAP MATCH MAX MEDIAN MID MIN MINVERSE MMULT MONTH ODD OR "
    "PERCENTILE POWER PRODUCT PROPER QUARTILE RADIANS REDUCE REPLACE REPT RIGHT ROW ROWS SCAN SEARCH SEQUENCE "
    "SIGN SIN SMALL SORT SORTBY SQRT STDEV SUBSTITUTE SUM SUMPRODUCT SUMSQ TAKE TAN TEXT TEXTJOIN TEXTSPLIT TOCOL "
    "TOROW TRANSPOSE TRIM UNIQUE UPPER VAR VSTACK WEEKDAY WRAPCOLS WRAPROWS XMATCH YEAR"
)
_RIGHT_OVER_ARRAYS = frozenset(_RIGHT_NAMES.split())
_RIGHT_UNMARKED = frozenset({"SUMPRODUCT"})
# These take the FALSE of an IF without its third argument for a nought, or for a value.
_COUNT_FALSE = frozenset({"AVERAGE", "MEDIAN"})

_UNION = re.compile(r"(?<![A-Za-z0-9_.)])\([^(){}]*,")
_FOUND_CELL = re.compile(
    r"(?:\bROW|\bCOLUMN|\bOFFSET)\(\s*(?:INDEX|XLOOKUP)\(|:\s*(?:INDEX|XLOOKUP)\(|(?:INDEX|XLOOKUP)\(.*\)\s*:",
    re.IGNORECASE,
)
_SUMMED = frozenset({"SUMIF", "AVERAGEIF"})
_SUMMING = re.compile(r'(?:SUMIF|AVERAGEIF)\(([^,()"]+),(?:"[^"]*"|[^,()"]|\([^()]*\))*,([^,()"]+)\)', re.IGNORECASE)
_CRITERIA_FUNCTIONS = frozenset(
    ["AVERAGEIF", "AVERAGEIFS", "COUNTIF", "COUNTIFS", "MAXIFS", "MINIFS", "SUMIF", "SUMIFS"]
)
_TEXT_ORDER = re.compile(r'"[<>]=?[^\W\d]')
# Of empty cells alone; one of an array constant; more than are added up (criteria.py).
_HARD_CRITERIA = re.compile(r',\s*"="\s*[,)]|\{[^}]*"<>|(?:"<>.*){5}', re.DOTALL)
_SEVERAL_BETWEEN = re.compile(r"TEXTJOIN\(\s*(?:\{|[^,\"]*:)", re.IGNORECASE)
_COUNTED_CONSTANTS = re.compile(r"(?<![\w.])COUNT\([^()]*\{", re.IGNORECASE)
_OF_NO_EMPTY_DATE = frozenset(
    ["DATEDIF", "DAYS360", "ISOWEEKNUM", "NETWORKDAYS.INTL", "WEEKNUM", "WORKDAY.INTL", "YEARFRAC"]
)
_LEAP_DAY = re.compile(r"\bDATE\(\s*1900\s*,\s*2\s*,\s*29\s*\)", re.IGNORECASE)
_LARGEST, _FIXING = str(2**64 - 1), frozenset({"FIXED", "DOLLAR"})
_INFINITE = re.compile("inf|NaN")
_INTERSECTION = re.compile(r"[\w)\]] +[$\w(]")  # a space between operands
_APART = re.compile(rf"{formulas.STRING.pattern}|'(?:[^']|'')+'!|\[(?:[^\[\]]|\[[^\[\]]*\])*\]")
_TESTED_COMPUTED = re.compile(
    rf"(?:{'|'.join(sorted(_CRITERIA_FUNCTIONS))})\(\s*(?!INDEX\([^()]*,\s*0?\s*[,)])(?:INDEX|XLOOKUP|CHOOSE|IF)?\(",
    re.IGNORECASE,
)


def doubt(text: str, names: dict[str, str], *, marked: bool) -> str:
    """Why no value of a formula is to be trusted, whatever the engine says; empty when there is no reason.

    `marked` is one that is stored as an array formula.
    """
    plain = expanded(f"={formulas.PREFIX.sub('', text)}", names, arrays=marked, handed=True)
    if plain is None:
        return UNCLEAR
    text = plain[1:]
    used = {text, *(names[word] for word in formulas.words(text) & names.keys())} if names else {text}
    called = {name for part in used for name in formulas.functions(part)}
    return (
        _doubt_of_functions(called, names)
        or _doubt_of_operators(text)
        or _doubt_of_names(text, names)
        or _doubt_of_texts(used, called)
        or _doubt_of_arguments(text, used, called, marked=marked)
        or _doubt_of_sizes(text, used, called)
        or _doubt_of_lookups(text, names)
        or _doubt_of_arrays(array_work(text, names), marked=marked)
    )


def _doubt_of_functions(called: set[str], names: dict[str, str]) -> str:
    chance = sorted(called & formulas.CHANCE)
    if chance:
        return f"{chance[0]} gives another value at each calculation"
    if called & formulas.SURROUNDINGS:
        return "its value depends on the program that opens the file"
    absent = sorted(name for name in called if not _implemented(name))
    named = next((name for name in absent if name.lower() in names), "")
    if named:
        return f"the engine does not implement the name {named!r}, which stands for a function"
    return f"the engine has no {absent[0]}" if absent else ""


def _doubt_of_operators(text: str) -> str:
    if "[" in re.sub(r"\w+\[[^\]]*\]+|\[@?[^\]]*\]", "", text) or re.search(r"\[\d+\]", text):
        return "it refers to another workbook"
    bare = _APART.sub(_marked, text)
    if _UNION.search(bare):
        return "the engine does not implement unions of ranges"
    return "the engine does not implement intersections of ranges" if _INTERSECTION.search(bare) else ""


def _doubt_of_names(text: str, names: dict[str, str]) -> str:
    several = next((name for name in sorted(formulas.words(text) & names.keys()) if _is_moving(names[name])), "")
    if several:
        return f"the engine does not implement the name {several!r}, which stands for more than a plain range"
    return ""


def _doubt_of_texts(used: set[str], called: set[str]) -> str:
    if "TEXT" in called and any(map(is_unsure, used)):
        return "the engine does not implement this format of TEXT"
    if any(_SEVERAL_BETWEEN.search(part) for part in used):
        return "the engine does not implement several separators in TEXTJOIN"
    return ""


def _doubt_of_sizes(text: str, used: set[str], called: set[str]) -> str:
    """Why numbers or days of a formula may be beyond what the engine is right about."""
    if _LEAP_DAY.search(text):
        return "29 February 1900 is a day for Excel alone"
    if any(map(overflow.has_vast, used)) and overflow.hides(text):
        return overflow.HIDDEN
    return overflow.UNTOLD if "ERROR.TYPE" in called and any(map(overflow.may_overflow, used)) else ""


def _marked(apart: re.Match[str]) -> str:
    """What stands for a text, a sheet or the columns of a table where only their place matters."""
    return "" if apart[0].endswith("!") else "_"


def _doubt_of_arguments(text: str, used: set[str], called: set[str], *, marked: bool) -> str:
    """Why the engine takes the arguments of a function for something else; `used` are the formula and its names."""
    if not called.isdisjoint(_SUMMED) and _is_uneven(text):
        return "the engine does not implement a range to add up of another size than the one that is tested"
    if not called.isdisjoint(_CRITERIA_FUNCTIONS) and any(_TEXT_ORDER.search(part) for part in used):
        return TEXT_ORDER
    if not called.isdisjoint(_CRITERIA_FUNCTIONS) and any(_TESTED_COMPUTED.search(part) for part in used):
        return "the engine does not implement criteria for a cell that is computed"
    if not called.isdisjoint(NOT_ADDED) and any(map(may_be_unequal, used)):
        return "the engine does not implement criteria that are unequal to a text in MAXIFS and MINIFS"
    if not called.isdisjoint(_CRITERIA_FUNCTIONS) and any(_HARD_CRITERIA.search(part) for part in used):
        return "the engine does not implement this criterion"
    if not marked and "XLOOKUP" in called and any("{" in part for part in used):
        return "the engine does not implement XLOOKUP in array constants"
    if any(_COUNTED_CONSTANTS.search(part) for part in used):
        return "the engine does not implement COUNT of array constants"
    if "RATE" in called and any(_is_guessed(part) for part in used):
        return "the engine does not implement the guess of RATE"
    return ""


def _is_guessed(text: str) -> bool:
    """Whether a RATE has its sixth argument."""
    opened: list[tuple[bool, int]] = []
    for token in formulas.tokens_of(f"={text}"):
        if token.subtype == "OPEN":
            opened.append((token.value.upper() == "RATE(", 1))
        elif token.subtype == "CLOSE" and opened:
            opened.pop()
        elif token.type == "SEP" and opened:
            rate, count = opened.pop()
            if rate and count == 5:
                return True
            opened.append((rate, count + 1))
    return False


def _doubt_of_lookups(text: str, names: dict[str, str]) -> str:
    looking = sorted(word for word in formulas.words(text) & names.keys() if depends_on_workbook(names[word]))
    if looking:
        return f"the engine does not implement the lookup in the name {looking[0]!r}"
    if _FOUND_CELL.search(formulas.STRING.sub('""', text)):
        return "the engine does not implement the place of a cell that INDEX or XLOOKUP finds"
    return ""


def _is_uneven(text: str) -> bool:
    return any(not same_size([found[1], found[2]]) for found in _SUMMING.finditer(text))


def _is_moving(stands_for: str) -> bool:
    """Whether a name stands for more than one value and not simply for a range of cells."""
    if is_plain_reference(stands_for):
        return False
    first = (formulas.functions(stands_for) or [""])[0]
    work = array_work(stands_for.lstrip("="), {})
    return (work is not None and work.fills) or first in formulas.MOVING | {"INDEX"}


def _doubt_of_arrays(work: ArrayWork | None, *, marked: bool) -> str:
    """Why the engine is not right about a formula that works on each cell of ranges."""
    if work is None:
        return ""
    unsure = work.functions - (_RIGHT_OVER_ARRAYS if marked else _RIGHT_UNMARKED)
    if marked and "IF" in work.functions:
        unsure |= work.functions & _COUNT_FALSE
    if unsure or (work.fills and not marked):
        over = f"{', '.join(sorted(unsure))} over" if unsure else "operators with"
        return f"the engine does not implement {over} arrays here; use a helper column"
    return ""


def doubt_of_value(value: Scalar, text: str) -> str:
    """Why a value that the engine gives for a formula is none."""
    called = dict.fromkeys(formulas.functions(text))
    if value == "#N/IMPL!":
        return SMALL if text_digits.computes_texts(text) else OWN_ERRORS[value] + (", ".join(called) or "its operators")
    if isinstance(value, str) and value in OWN_ERRORS:
        return OWN_ERRORS[value]
    if value == "#NUM!" and "RATE" in called:
        return "the engine does not implement RATE where the first guess is far off"
    if value == "#NUM!" and "GAMMA" in called:
        return "the engine does not implement GAMMA of large numbers"
    if value == "#VALUE!" and {"DATEVALUE", "LAMBDA"} <= called.keys():
        return "the engine does not implement the way in which DATEVALUE's text writes a date"
    if value == "#NUM!" and not _OF_NO_EMPTY_DATE.isdisjoint(called):
        return "the engine takes no empty cell for a date, as Excel does; if none is empty here, it is #NUM!"
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"a text of {len(value):,} characters, of which a cell takes {MAX_TEXT:,}; Excel has #VALUE! here"
    if isinstance(value, str) and _is_too_large(value, called):
        return overflow.HIDDEN
    return "the engine gives no value" if value is None else ""


def _is_too_large(text: str, called: Collection[str]) -> bool:
    """Whether a text that functions make stands for a number that the engine does not hold."""
    if _LARGEST in text.replace(",", "") and not _FIXING.isdisjoint(called):
        return True
    return _INFINITE.search(text) is not None and any(name.startswith("IM") for name in called)


@cache
def _implemented(function: str) -> bool:
    """Whether the engine knows a function: without arguments it complains about them, not about the name."""
    import ironcalc

    if function in ("TRUE", "FALSE", "ANCHORARRAY"):  # the last is written C1# for the engine
        return True
    model = ironcalc.create("probe", "en", "UTC", "en")
    model.set_user_input(0, 1, 1, f"={function}()")
    model.evaluate()
    return model.get_cell_value(0, 1, 1) not in ("#NAME?", "#N/IMPL!")
