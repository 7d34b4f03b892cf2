"""Whether a formula comes to a date, by its parts: a date plus days is one, a date less a date is a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yardkit.servers.sheets.engine.notation.formulas import COMPARING, to_computable, tokens_of
from yardkit.servers.sheets.engine.notation.values import DATE_FORMAT, DATETIME_FORMAT, TIME_FORMAT
from yardkit.world import Problem

Read = Callable[[str], str]
"""A reference to the number format of the dates in it; empty where it holds none."""
_OWN = {
    **dict.fromkeys(("TODAY", "DATE", "DATEVALUE", "EDATE", "EOMONTH", "WORKDAY", "WORKDAY.INTL"), DATE_FORMAT),
    **dict.fromkeys(("TIME", "TIMEVALUE"), TIME_FORMAT),
    "NOW": DATETIME_FORMAT,
}
_OF_ALL = {"MAX", "MIN", "MEDIAN", "AVERAGE", "IFERROR", "IFNA"}
_OF_FIRST = {"LARGE", "SMALL", "MAXIFS", "MINIFS", "AVERAGEIFS", "INT", "TRUNC", "MODE", "MODE.SNGL", "SINGLE"}
CALLS = frozenset(_OWN)


def date_code(formula: str, read: Read) -> str:
    """The number format of the date that a stored formula comes to; empty where it comes to none, or nobody can say."""
    try:
        tokens = [token for token in tokens_of(to_computable(formula)) if token.type != "WHITE-SPACE"]
        expression = _Expression(tokens, read)
        code = expression.read_expression()
    except (Problem, IndexError):
        return ""
    return code if expression.is_done() else ""


class _Expression:
    """A recursive descent over the tokens of a formula; each part gives its number format, empty for a number."""

    def __init__(self, tokens: list[Any], read: Read) -> None:
        self._tokens = tokens
        self._at = 0
        self._read = read
        self._variables: dict[str, str] = {}

    def is_done(self) -> bool:
        return self._at == len(self._tokens)

    def read_expression(self) -> str:
        code = self._read_sum()
        while self._take_token("OPERATOR-INFIX", "&", *COMPARING):
            self._read_sum()
            code = ""
        return code

    def _read_sum(self) -> str:
        parts = [(1, self._read_product())]
        while sign := self._take_token("OPERATOR-INFIX", "+", "-"):
            parts.append((1 if sign == "+" else -1, self._read_product()))
        days = [code for _, code in parts if code and code != TIME_FORMAT]
        if sum(sign for sign, code in parts if code and code != TIME_FORMAT) != 1:
            return "" if days or len(parts) > 1 else parts[0][1]
        timed = any(code == TIME_FORMAT for _, code in parts)
        return DATETIME_FORMAT if timed else days[0]

    def _read_product(self) -> str:
        code = self._read_signed()
        while self._take_token("OPERATOR-INFIX", "*", "/", "^"):
            self._read_signed()
            code = ""
        return code

    def _read_signed(self) -> str:
        if sign := self._take_token("OPERATOR-PREFIX", "-", "+", "@"):
            code = self._read_signed()
            return "" if sign == "-" else code
        code = self._read_part()
        while self._take_token("OPERATOR-POSTFIX", "%"):
            code = ""
        return code

    def _read_part(self) -> str:
        token = self._next_token()
        if token.type == "PAREN":
            code = self.read_expression()
            self._next_token()
            return code
        if token.type == "FUNC":
            return self._read_call(token.value.rstrip("(").upper())
        if token.type == "OPERAND":
            if token.subtype != "RANGE":
                return ""
            return self._variables.get(token.value.lower()) or self._read(token.value)
        raise Problem(f"{token.value!r} is not known")

    def _read_call(self, name: str) -> str:
        codes: list[str] = []
        variable = ""
        while self._peek_kind("FUNC") != "CLOSE":
            start = self._tokens[self._at].value.lower()
            codes.append("" if self._peek_kind("SEP") else self.read_expression())
            if name == "LET" and len(codes) % 2 == 0:
                self._variables[variable] = codes[-1]
            variable = start
            self._take_token("SEP", ",")
        self._next_token()
        return _get_result_kind(name, codes)

    def _next_token(self) -> Any:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek_kind(self, kind: str) -> str:
        """The subtype of the next token if it is of a kind."""
        token = self._tokens[self._at]
        return str(token.subtype) if token.type == kind else ""

    def _take_token(self, kind: str, *values: str) -> str:
        """Step over the next token if it is one of these; its text, or nothing."""
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.type == kind and token.value.strip() in values:
                self._at += 1
                return str(token.value.strip())
        return ""


def _get_result_kind(name: str, codes: list[str]) -> str:
    """What a function gives, by what its arguments are."""
    if name in _OWN:
        return _OWN[name]
    chosen: list[str] = []
    if name in _OF_ALL:
        chosen = codes
    elif name in _OF_FIRST:
        chosen = codes[:1]
    elif name in ("IF", "CHOOSE"):
        chosen = codes[1:]
    elif name == "IFS":
        chosen = codes[1::2]
    elif name == "SWITCH":
        chosen = codes[2::2] + codes[-1:]
    elif name in ("LET", "LOOKUP"):
        chosen = codes[-1:]
    elif name == "XLOOKUP":
        chosen = codes[2:3]
    return next((code for code in chosen if code), "")
