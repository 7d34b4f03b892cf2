"""What no cell can hold, and what the calculation engine would work on without an end, or fail at.

A text of more than 32,767 characters is #VALUE! in Excel; the engine joins on, and a few cells that each join the one
above twice would fill the memory. Some functions repeat as often as a number says, others fail at it, and all other
formulas with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.servers.sheets.engine.notation.formulas import COMPARING, STRING, as_formula, functions, tokens_of
from toolyard.servers.sheets.engine.notation.values import MAX_TEXT

NO_VALUE = "NOVALUE()"
"""Stands for what makes a formula be without a value."""
_GROWING_FUNCTIONS = frozenset({"CONCAT", "CONCATENATE", "REPLACE", "SUBSTITUTE", "TEXTJOIN"})
_STACKING_FUNCTIONS = frozenset({"HSTACK", "VSTACK"})
_MOST, _LONGEST, _SHORT = 1_000_000, 100_000_000, 100
_XNPV_NEEDS = 3
_REPEATING_NAMES = (
    "BESSELI BESSELJ BESSELK BESSELY BETA.INV BETAINV COMBIN COMBINA DB F.INV F.INV.RT FINV HYPGEOM.DIST HYPGEOMDIST "
    "MULTINOMIAL PERMUT T.INV T.INV.2T TINV VDB"
)
# These lose digits on the way, the more the larger their numbers are.
_INEXACT_FUNCTIONS = (
    "BINOM.DIST",
    "BINOM.DIST.RANGE",
    "BINOM.INV",
    "BINOMDIST",
    "CRITBINOM",
    "NEGBINOM.DIST",
    "NEGBINOMDIST",
)
_LIMITS = dict.fromkeys(_REPEATING_NAMES.split(), _MOST) | dict.fromkeys(_INEXACT_FUNCTIONS, 10_000)
_AMOUNTS = {"DB": 2, "VDB": 2}
"""How many arguments before those that count are amounts of money, which may be large."""
_FAILING_FUNCTIONS = frozenset({"BASE", "DATE", "DOLLAR", "EDATE", "EOMONTH", "F.DIST.RT", "FDIST", "FIXED"})
# Which arguments say how many cells are filled.
_SIZE_ARGUMENTS = {
    "EXPAND": (1, 2),
    "MAKEARRAY": (0, 1),
    "RANDARRAY": (0, 1),
    "SEQUENCE": (0, 1),
    "WRAPCOLS": (1,),
    "WRAPROWS": (1,),
}
_OTHERS = frozenset({"BASE", "SUBSTITUTE", "XNPV"})
_MOST_DIGITS = 255
TOO_LONG = f"it joins more than {MAX_TEXT:,} characters on the way; Excel has #VALUE! there"


def grows(formula: str) -> bool:
    """Whether a formula may give a longer text than it is given."""
    return "&" in STRING.sub('""', formula) or not _GROWING_FUNCTIONS.isdisjoint(functions(formula))


def joins_within(formula: str) -> bool:
    """Whether a text that a formula joins is given to a function, or compared, and not what the formula gives."""
    joined = compared = False
    depth = 0
    for token in tokens_of(as_formula(formula)):
        named = token.value.rstrip("(").upper() if token.type == "FUNC" and token.subtype == "OPEN" else ""
        joins = named in _GROWING_FUNCTIONS or (token.type == "OPERATOR-INFIX" and token.value.strip() == "&")
        if joins and depth:
            return True
        joined |= joins
        compared |= token.type == "OPERATOR-INFIX" and token.value.strip() in COMPARING
        if token.type == "FUNC":
            depth += 1 if token.subtype == "OPEN" else -1
    return joined and compared


def repeats(formula: str) -> bool:
    """Whether a number, or a text, says how long a formula takes."""
    return not (_LIMITS.keys() | _SIZE_ARGUMENTS.keys() | _OTHERS).isdisjoint(functions(formula))


def may_fail(formula: str) -> bool:
    """Whether the engine fails at large numbers in a formula."""
    return not _FAILING_FUNCTIONS.isdisjoint(functions(formula))


def as_long_as_a_cell(formula: str) -> str:
    """The formula ``=...`` with #VALUE! where its text is longer than a cell takes."""
    return f"=LET(told,{formula[1:]},IF(LEN(told)>{MAX_TEXT},#VALUE!,told))"


def is_step(opening: str, around: str) -> bool:
    """Whether a call is the LAMBDA whose results come into it again; `around` opens the call that it is within."""
    return opening.upper() == "LAMBDA(" and around.upper() in ("REDUCE(", "SCAN(")


def as_long_as_a_step(body: str) -> str:
    """What a LAMBDA gives for the next step, with #VALUE! for a longer text and no value for a longer array."""
    if not _STACKING_FUNCTIONS.isdisjoint(functions(body)):
        body = f"LET(told,{body},IF(ROWS(told)*COLUMNS(told)>{_MOST},{NO_VALUE},told))"
    return as_long_as_a_cell(f"={body}")[1:] if grows(body) else body


def form_of(name: str, arguments: Sequence[str], *, limited: bool) -> str:
    """The call of a function with no value where its numbers are too large for the engine; empty for other functions.

    `limited` says that one has failed at them.
    """
    call = f"{name}({','.join(arguments)})"
    if name in _LIMITS or (limited and name in _FAILING_FUNCTIONS):
        most = _LIMITS.get(name, _MOST)
        counting = [argument for argument in arguments[_AMOUNTS.get(name, 0) :] if _may_be_large(argument, most)]
        numbers = ",".join(text if ":" in text else f"({text})+0" for text in counting)
        return f"IF(MAX({numbers},-MIN({numbers}))>{most},{NO_VALUE},{call})" if numbers else ""
    if name in _SIZE_ARGUMENTS:
        return _of_size(name, arguments)
    if name == "BASE" and len(arguments) > 2:
        return f"IF(({arguments[2]})+0>{_MOST_DIGITS},SQRT(-1),{call})"
    if name == "XNPV" and len(arguments) < _XNPV_NEEDS:
        return NO_VALUE
    if name == "SUBSTITUTE" and len(arguments) > 2 and not _is_short(arguments[2]):
        return f"IF(LEN({arguments[0]})*LEN({arguments[2]})>{_LONGEST},{NO_VALUE},{call})"
    return ""


def _of_size(name: str, arguments: Sequence[str]) -> str:
    sizes = [at for at in _SIZE_ARGUMENTS[name] if at < len(arguments) and arguments[at].strip()]
    if not any(_may_be_large(arguments[at], _MOST ** (1 / len(sizes))) for at in sizes):
        return ""
    size = "*".join([*(f"({arguments[at]})" for at in sizes), "1"])  # a text is larger than any number
    first = f"IF({size}>{_MOST},{NO_VALUE},{arguments[sizes[0]]})"
    return f"{name}({','.join([*arguments[: sizes[0]], first, *arguments[sizes[0] + 1 :]])})"


def _may_be_large(argument: str, most: float = _MOST) -> bool:
    try:
        return abs(float(argument)) > most
    except ValueError:
        return bool(argument.strip())


def _is_short(argument: str) -> bool:
    return STRING.fullmatch(argument.strip()) is not None and len(argument) <= _SHORT
