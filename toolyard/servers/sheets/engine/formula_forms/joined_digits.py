"""Numbers in the texts that formulas join: Excel writes them in 15 digits, the calculation engine in up to 17."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from toolyard.servers.sheets.engine.notation.formulas import computable, functions, tokens_of

_DIGITS = 15
_VAST = re.compile(r"\d{15}0{6,}(?!\d)")  # written with an exponent
_RUN = re.compile(r"[\d.]*\.[\d.]*")
_ONE_AFTER_THE_OTHER = frozenset({"CONCAT", "CONCATENATE"})
JOINING = _ONE_AFTER_THE_OTHER | {"TEXTJOIN"}
_CELL = re.compile(r"\$?[A-Za-z]{1,3}\$?\d+")
_SMALLEST = 1e-4  # of smaller ones with many digits Excel writes the exponent
UNCLEAR = "the engine does not implement numbers of more than 15 digits joined to others"
LARGE = "how Excel writes so large a number in a text is not known here; write it with TEXT"
SMALL = "how Excel writes so small a number with so many digits is not known here; round it"


def as_shown(text: str, value: str) -> tuple[str, str]:
    """What a formula gives, with the numbers that it joined as Excel writes them; or why that cannot be told."""
    long = _VAST.findall(value) + [run for run in _RUN.findall(value) if _significant(run) > _DIGITS]
    if not long or ("&" not in text and JOINING.isdisjoint(functions(text))):
        return value, ""
    if _VAST.search(value):
        return value, LARGE
    if not _parts_numbers(text):
        return value, UNCLEAR
    if any(_is_number(run) and abs(float(run)) < _SMALLEST for run in long):
        return value, SMALL
    return _RUN.sub(lambda run: _in_15_digits(run[0]), value), ""


def _in_15_digits(run: str) -> str:
    if _significant(run) <= _DIGITS or not _is_number(run):
        return run
    return f"{Decimal(f'{float(run):.{_DIGITS}g}'):f}"


def _significant(run: str) -> int:
    return len(run.replace(".", "").lstrip("0"))


def _is_number(run: str) -> bool:
    """Whether digits are a number as the engine writes it, and not a text that looks like one."""
    return run.count(".") == 1 and f"{Decimal(repr(float(run))):f}" == run


def _parts_numbers(formula: str) -> bool:
    """Whether between any two values that a formula joins there is a literal text that belongs to no number."""
    tokens = [
        candidate for candidate in tokens_of(computable(formula)) if candidate.type not in ("WHITE-SPACE", "PAREN")
    ]
    calls = [""]
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.subtype == "OPEN":
            calls.append(token.value.rstrip("(").upper())
            parted = calls[-1] != "TEXTJOIN" or _is_apart(after, 0, -1)
        elif token.subtype == "CLOSE":
            calls.pop()
            continue
        elif token.value == "&" or (token.type == "SEP" and calls[-1] in _ONE_AFTER_THE_OTHER):
            parted = _is_apart(before, -1) or _is_apart(after, 0)
        else:
            parted = calls[-1] != "CONCAT" or token.subtype != "RANGE" or _CELL.fullmatch(token.value) is not None
        if not parted:
            return False
    return True


def _is_apart(token: Any, *ends: int) -> bool:
    """Whether an operand is a literal text of which the characters at these ends belong to no number."""
    said = token.value[1:-1] if token is not None and token.subtype == "TEXT" else ""
    return bool(said) and not any(said[end].isdigit() or said[end] == "." for end in ends)
