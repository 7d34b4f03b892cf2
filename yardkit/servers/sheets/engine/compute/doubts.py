"""Which formulas the calculation engine is trusted with: functions on lists, of which it was found to be right.

`tests/servers/sheets/test_sheets_formula_drill.py` compares it with LibreOffice. All other functions of Excel are
LibreOffice's; what neither has, has no value.
"""

from __future__ import annotations

import re
from functools import cache

from yardkit.servers.sheets.engine.compute.lookups import depends_on_workbook
from yardkit.servers.sheets.engine.formula_forms import dates, text_function
from yardkit.servers.sheets.engine.formula_forms.criteria import NOT_ADDED, may_be_unequal
from yardkit.servers.sheets.engine.formula_forms.expanded_formulas import UNCLEAR, expand_formula
from yardkit.servers.sheets.engine.formula_forms.omitted_arguments import find_unknown
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.array_formulas import ArrayWork, array_work, same_size
from yardkit.servers.sheets.engine.notation.formulas import is_simple_reference
from yardkit.servers.sheets.engine.notation.values import MAX_TEXT, Scalar

NOT_COMPUTED = "the engine does not compute "
"""How a reason begins that LibreOffice may know an answer to."""
MALFORMED = f"{NOT_COMPUTED}it, for it cannot parse it"
SMALL = "how Excel writes so small a number with so many digits is not known here; round it"
LARGE = "how Excel writes so large a number in a text is not known here; write it with TEXT"
CIRCLE = "it refers to itself in a circle"
_TRUSTED_NAMES = (
    # logic, information
    "AND CHOOSE ERROR.TYPE FALSE IF IFERROR IFNA IFS ISBLANK ISERR ISERROR ISEVEN ISFORMULA ISLOGICAL ISNA ISNONTEXT "
    "ISNUMBER ISODD ISREF ISTEXT N NA NOT OR SWITCH T TRUE TYPE XOR "
    # mathematics
    "ABS ACOS ACOSH ASIN ASINH ATAN ATAN2 ATANH CEILING CEILING.MATH COS COSH DEGREES EVEN EXP FLOOR "
    "FLOOR.MATH GCD INT LCM LN LOG LOG10 MOD MROUND ODD PI POWER PRODUCT QUOTIENT RADIANS ROMAN ROUND "
    "ROUNDDOWN ROUNDUP SIGN SIN SINH SQRT SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SUMSQ TAN TANH TRUNC "
    # statistics
    "AVEDEV AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS CORREL COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DEVSQ FORECAST "
    "FORECAST.LINEAR FREQUENCY GEOMEAN HARMEAN INTERCEPT KURT LARGE MAX MAXA MAXIFS MEDIAN MIN MINA MINIFS MODE "
    "MODE.SNGL PEARSON PERCENTILE PERCENTILE.EXC PERCENTILE.INC PERCENTRANK PERCENTRANK.EXC PERCENTRANK.INC QUARTILE "
    "QUARTILE.EXC QUARTILE.INC RANK RANK.AVG RANK.EQ RSQ SKEW SLOPE SMALL STANDARDIZE STDEV STDEV.P STDEV.S STDEVA "
    "STDEVP STDEVPA STEYX TRIMMEAN VAR VAR.P VAR.S VARA VARP VARPA NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NORMDIST "
    "NORMINV NORMSDIST NORMSINV "
    # texts
    "CHAR CLEAN CODE CONCAT CONCATENATE EXACT FIND FIXED LEFT LEN LOWER MID NUMBERVALUE PROPER REPLACE REPT RIGHT "
    "SEARCH SUBSTITUTE TEXT TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TRIM UNICHAR UNICODE UPPER VALUE DOLLAR "
    # days and times
    "DATE DATEDIF DATEVALUE DAY DAYS DAYS360 EDATE EOMONTH HOUR ISOWEEKNUM MINUTE MONTH NETWORKDAYS NETWORKDAYS.INTL "
    "NOW SECOND TIME TIMEVALUE TODAY WEEKDAY WEEKNUM WORKDAY WORKDAY.INTL YEAR YEARFRAC "
    # places and lookups
    "ADDRESS AREAS COLUMN COLUMNS HLOOKUP HYPERLINK INDEX INDIRECT LOOKUP MATCH OFFSET ROW ROWS SHEET VLOOKUP XLOOKUP "
    "XMATCH FORMULATEXT "
    # money
    "CUMIPMT CUMPRINC DDB EFFECT FV IPMT IRR MIRR NOMINAL NPER NPV PDURATION PMT PPMT PV RATE RRI SLN SYD XIRR XNPV "
    # arrays
    "ANCHORARRAY BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER HSTACK LAMBDA LET MAKEARRAY MAP MDETERM MINVERSE "
    "MMULT REDUCE SCAN SEQUENCE SORT SORTBY TAKE TOCOL TOROW TRANSPOSE UNIQUE VSTACK WRAPCOLS WRAPROWS"
)
_TRUSTED = frozenset(_TRUSTED_NAMES.split())
# What the engine was found to be right about over arrays, where a formula is stored as an array formula, and where not;
# test_sheets_arrays.py has examples.
_RIGHT_NAMES = (
    "ABS ANCHORARRAY AND ATAN AVERAGE BYCOL BYROW CHOOSECOLS CHOOSEROWS CLEAN COLUMN COLUMNS CONCAT COS COUNT COUNTA "
    "DATE DAY DEGREES DROP EVEN EXACT EXP EXPAND FILTER FIND FREQUENCY HSTACK IF IFERROR INDEX INT LAMBDA "
    "LARGE LEFT LEN LET LN LOG10 LOOKUP LOWER MAKEARRAY MAP MATCH MAX MEDIAN MID MIN MINVERSE MMULT MONTH ODD OR "
    "PERCENTILE POWER PRODUCT PROPER QUARTILE RADIANS REDUCE REPLACE REPT RIGHT ROW ROWS SCAN SEARCH SEQUENCE "
    "SIGN SIN SMALL SORT SORTBY SQRT STDEV SUBSTITUTE SUM SUMPRODUCT SUMSQ TAKE TAN TEXT TEXTJOIN TEXTSPLIT TOCOL "
    "TOROW TRANSPOSE TRIM UNIQUE UPPER VAR VSTACK WEEKDAY WRAPCOLS WRAPROWS XMATCH YEAR"
)
_RIGHT_OVER_ARRAYS = frozenset(_RIGHT_NAMES.split())
_RIGHT_UNMARKED = frozenset({"SUMPRODUCT"})
# These take the FALSE of an IF without its third argument for a nought, or for a value.
_COUNT_FALSE = frozenset({"AVERAGE", "MEDIAN"})
_CRITERIA_FUNCTIONS = frozenset(
    ["AVERAGEIF", "AVERAGEIFS", "COUNTIF", "COUNTIFS", "MAXIFS", "MINIFS", "SUMIF", "SUMIFS"]
)
# In the order of texts, empty alone, of a constant, of days, more than are added up (criteria.py).
_HARD_CRITERION = re.compile(
    r'"[<>]=?[^\W\d]|,\s*"="\s*[,)]|\{[^}]*"<>|"[<>=]*\d+(?:[-/:]\d|\.\d+\.)|(?:"<>.*){5}', re.DOTALL
)
_READING = frozenset({"DATEVALUE", "TIMEVALUE", "VALUE"})
"""These read fewer texts here than in Excel, and fail at the others."""
_HIDING = frozenset({"COUNT", "ERROR.TYPE", "IFERROR", "ISERR", "ISERROR", "ISNUMBER"})
_NEW = frozenset({"FILTER", "LAMBDA", "LET", "SORT", "SORTBY", "UNIQUE", "XLOOKUP", "XMATCH"})
_SUMMED = frozenset({"SUMIF", "AVERAGEIF"})
_SUMMING = re.compile(r'(?:SUMIF|AVERAGEIF)\(([^,()"]+),(?:"[^"]*"|[^,()"]|\([^()]*\))*,([^,()"]+)\)', re.IGNORECASE)
_UNION = re.compile(r"(?<![A-Za-z0-9_.)])\([^(){}]*,")
_MATCHED_CELL = re.compile(
    r"(?:\bROW|\bCOLUMN|\bOFFSET)\(\s*(?:INDEX|XLOOKUP)\(|:\s*(?:INDEX|XLOOKUP)\(|(?:INDEX|XLOOKUP)\(.*\)\s*:",
    re.IGNORECASE,
)
_SEVERAL_BETWEEN = re.compile(r"TEXTJOIN\(\s*(?:\{|[^,\"]*:)", re.IGNORECASE)
_COUNTED_CONSTANTS = re.compile(r"(?<![\w.])COUNT\([^()]*\{", re.IGNORECASE)
_INTERSECTION = re.compile(r"[\w)\]] +[$\w(]")  # a space between operands
_OPAQUE_PART = re.compile(rf"{formulas.STRING.pattern}|'(?:[^']|'')+'!|\[(?:[^\[\]]|\[[^\[\]]*\])*\]")
_COMPUTED_DIGITS = re.compile(
    r"(?<![\w.])(?:LEFT|RIGHT|MID|LEN|REPLACE|SUBSTITUTE)\(\s*\(*"
    r"(?:(?:[^,\"()']|\([^()]*\))*[-+*/^]|(?:[^,\"()']*&)?(?:AVERAGE|EXP|LN|LOG|LOG10|PI|SQRT|STDEV|SUM\w*)\()",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"(?<![\d.])(?=[\d.]{17})\d+\.\d+")
_SMALL_NUMBER = re.compile(r"(?<![\d.])0\.0000\d{12,}")
_LARGE_NUMBER = re.compile(r"\d{15}0{6,}(?!\d)")
_NEVER_FINAL = frozenset({"#VALUE!", "#NUM!"})
"""Errors by which the engine also says that it does not know how to take an argument."""
_OF_NO_EMPTY_DATE = frozenset(
    ["DATEDIF", "DAYS360", "ISOWEEKNUM", "NETWORKDAYS.INTL", "WEEKNUM", "WORKDAY", "WORKDAY.INTL"]
)


def find_doubt(text: str, names: dict[str, str], *, marked: bool, date1904: bool = False) -> str:
    """Why the engine is not asked for the value of a stored formula; empty when there is no reason.

    `marked` is one that is stored as an array formula, `names` are the workbook's, in small letters.
    """
    unknown = find_unknown(text)
    if unknown:
        return f"what Excel takes for the argument that is left out in {unknown} is not known here; write it"
    expanded_text = expand_formula(f"={formulas.PREFIX.sub('', text)}", names, arrays=marked, handed=True)
    if expanded_text is None:
        return UNCLEAR
    text = expanded_text[1:]
    used = {text, *(names[word] for word in formulas.list_words(text) & names.keys())} if names else {text}
    called = {name for part in used for name in formulas.list_functions(part)}
    return (
        _doubt_of_functions(called, names)
        or _doubt_of_operators(text)
        or _doubt_of_names(text, names)
        or (f"{NOT_COMPUTED}VALUE in the 1904 date system" if date1904 and "VALUE" in called else "")
        or _doubt_of_criteria(text, used, called)
        or _doubt_of_texts(used, called)
        or _doubt_of_arguments(text, used, called, marked=marked)
        or _doubt_of_arrays(array_work(text, names), marked=marked)
    )


def _doubt_of_functions(called: set[str], names: dict[str, str]) -> str:
    chance = sorted(called & formulas.CHANCE)
    if chance:
        return f"{chance[0]} gives another value at each calculation"
    if called & formulas.SURROUNDINGS:
        return "its value depends on the program that opens the file"
    absent = sorted(called - _TRUSTED)
    own = next((name for name in absent if not _is_of_excel(name)), "")
    if own.lower() in names:
        return f"{NOT_COMPUTED}the name {own!r}, which is a function"
    if own:
        return f"{own} is not an Excel function; if the workbook defines it, only Excel can run it"
    return f"{NOT_COMPUTED}{absent[0]}" if absent else ""


@cache
def _is_of_excel(function: str) -> bool:
    from openpyxl.utils import FORMULAE

    return function in FORMULAE or function in formulas.FUTURE_FUNCTIONS or function in _TRUSTED


def _doubt_of_operators(text: str) -> str:
    if "[" in re.sub(r"\w+\[[^\]]*\]+|\[@?[^\]]*\]", "", text) or re.search(r"\[\d+\]", text):
        return "it refers to another workbook"
    bare = _OPAQUE_PART.sub(_mark_part, text)
    if _UNION.search(bare):
        return f"{NOT_COMPUTED}unions of ranges"
    return f"{NOT_COMPUTED}intersections of ranges" if _INTERSECTION.search(bare) else ""


def _mark_part(part_match: re.Match[str]) -> str:
    """What stands for a text, a sheet or the columns of a table where only their place matters."""
    return "" if part_match[0].endswith("!") else "_"


def _doubt_of_names(text: str, names: dict[str, str]) -> str:
    used_names = sorted(formulas.list_words(text) & names.keys())
    several = next((name for name in used_names if _is_moving(names[name]) or depends_on_workbook(names[name])), "")
    return f"{NOT_COMPUTED}the name {several!r}, which is more than a simple range" if several else ""


def _doubt_of_criteria(text: str, used: set[str], called: set[str]) -> str:
    """Why the engine finds other cells than Excel; `used` are the formula and its names."""
    if not called.isdisjoint(_CRITERIA_FUNCTIONS) and any(map(_HARD_CRITERION.search, used)):
        return f"{NOT_COMPUTED}this criterion"
    if not called.isdisjoint(NOT_ADDED) and any(map(may_be_unequal, used)):
        return f"{NOT_COMPUTED}criteria that are unequal to a text in MAXIFS and MINIFS"
    if not called.isdisjoint(_SUMMED) and not all(
        same_size([sum_match[1], sum_match[2]]) for sum_match in _SUMMING.finditer(text)
    ):
        return f"{NOT_COMPUTED}a range to add up of another size than the one that is tested"
    return ""


def _doubt_of_texts(used: set[str], called: set[str]) -> str:
    """Why the engine reads or makes other texts than Excel."""
    doubt = next(filter(None, map(text_function.find_doubt, used)), "") if "TEXT" in called else ""
    if doubt:
        return doubt
    if any(map(_SEVERAL_BETWEEN.search, used)):
        return f"{NOT_COMPUTED}several separators in TEXTJOIN"
    if called & _NEW:
        return ""
    if called & _READING and called & _HIDING:
        return f"{NOT_COMPUTED}{min(called & _READING)} where its error is not seen"
    return f"{NOT_COMPUTED}the digits of a number in a text" if any(map(_COMPUTED_DIGITS.search, used)) else ""


def _doubt_of_arguments(text: str, used: set[str], called: set[str], *, marked: bool) -> str:
    """Why the engine takes the arguments of a function for something else."""
    if not marked and "XLOOKUP" in called and any("{" in part for part in used):
        return f"{NOT_COMPUTED}XLOOKUP in array constants"
    if any(map(_COUNTED_CONSTANTS.search, used)):
        return f"{NOT_COMPUTED}COUNT of array constants"
    if _MATCHED_CELL.search(formulas.STRING.sub('""', text)):
        return f"{NOT_COMPUTED}the place of a cell that INDEX or XLOOKUP finds"
    return ""


def _is_moving(stands_for: str) -> bool:
    """Whether a name stands for more than one value and not simply for a range of cells."""
    if is_simple_reference(stands_for):
        return False
    first = (formulas.list_functions(stands_for) or [""])[0]
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
        return f"{NOT_COMPUTED}{over} arrays here; use a helper column"
    return ""


def doubt_of_value(value: Scalar, text: str) -> str:
    """Why a value that the engine gives for a formula is none, whatever LibreOffice says; empty without a reason."""
    if value == "#ERROR!":
        return MALFORMED
    if value == "#CIRC!":
        return CIRCLE
    if value == "#N/IMPL!":
        return f"{NOT_COMPUTED}this use of {', '.join(dict.fromkeys(formulas.list_functions(text))) or 'its operators'}"
    if value == "#NUM!" and not _OF_NO_EMPTY_DATE.isdisjoint(formulas.list_functions(text)):
        return "the engine takes no empty cell for a date, as Excel does; if none is empty here, it is #NUM!"
    if isinstance(value, str) and text_function.NEGATIVE_MOMENT in value:
        return "TEXT gives #VALUE! in Excel for a negative date or time; use its absolute value, or another format"
    if isinstance(value, str) and _is_large(value, text):
        return LARGE
    if isinstance(value, str) and _SMALL_NUMBER.search(value):
        return SMALL
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"a text of {len(value):,} characters, of which a cell takes {MAX_TEXT:,}; Excel has #VALUE! here"
    return "the engine gives no value" if value is None else ""


def _is_large(value: str, text: str) -> bool:
    """Whether a text that a formula joins holds a number that the engine writes with all its noughts."""
    number_match = _LARGE_NUMBER.search(value)
    return number_match is not None and number_match[0] not in text and "TEXT" not in formulas.list_functions(text)


def wants_check(value: Scalar, text: str) -> bool:
    """Whether LibreOffice is to be asked, too: of an error that may be the engine's own, of a number of many digits.

    Of days before 1900, #NUM! for Excel, LibreOffice makes others.
    """
    if value == "#NUM!" and not dates.DATED.isdisjoint(formulas.list_functions(text)):
        return False
    return isinstance(value, str) and (value in _NEVER_FINAL or _LONG_NUMBER.search(value) is not None)
