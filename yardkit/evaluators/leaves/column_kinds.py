"""The kinds of columns: how their cells are compared with the truth, and how they identify a row."""

import datetime
from dataclasses import dataclass
from typing import Any, Protocol

from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.tables import is_near, to_date, to_decimal

_NO_VALUE = ("", "-", "\u2013", "\u2014")


class Kind(Protocol):
    """The kind of a column's content."""

    def normalize_value(self, value: Any) -> str:
        """Normalize a cell, or its truth, as text for comparison; empty for an empty cell."""

    def same(self, cell: Any, truth: Any) -> bool:
        """Whether a cell has the true value."""

    def rank(self, value: Any) -> Any:
        """The sort key of a cell."""

    def is_typed(self, cell: Any) -> bool:
        """Whether a non-empty cell has the right type: a real date, a number."""


@dataclass(frozen=True)
class Text:
    """Text; letter case, white space and punctuation at the ends do not matter."""

    def normalize_value(self, value: Any) -> str:
        return "" if value is None else simplify_text(str(value))

    def same(self, cell: Any, truth: Any) -> bool:
        return self.normalize_value(cell) == self.normalize_value(truth)

    def rank(self, value: Any) -> str:
        return self.normalize_value(value)

    def is_typed(self, cell: Any) -> bool:  # noqa: ARG002 - whatever it is, it is read as text
        return True


class Exact(Text):
    """Exact text; only blanks around it do not matter."""

    def normalize_value(self, value: Any) -> str:
        return "" if value is None else str(value).strip()


class Code(Text):
    """A number used as a name: 4711, 004711, "4711" and 4711.0 are the same."""

    def normalize_value(self, value: Any) -> str:
        text = super().normalize_value(value).removesuffix(".0")
        return text.lstrip("0") if text.isdigit() else text


class FileName(Text):
    """The name of a file, with or without its folder."""

    def normalize_value(self, value: Any) -> str:
        return "" if value is None else str(value).strip().rpartition("/")[2]


class Names(Text):
    """Names separated by commas, in any order."""

    def normalize_value(self, value: Any) -> str:
        return ", ".join(sorted(filter(None, map(simplify_text, str(value or "").split(",")))))


@dataclass(frozen=True)
class Number:
    """A number within `tolerance`; if `typed`, text is wrong. `places` are the decimals used to identify a row."""

    tolerance: float = 0.005
    typed: bool = False
    places: int = 2

    def normalize_value(self, value: Any) -> str:
        number = to_decimal(value)
        return "" if number is None else f"{number:z.{self.places}f}"

    def same(self, cell: Any, truth: Any) -> bool:
        if truth is None:
            return not Text().normalize_value(cell)
        return is_near(cell, float(truth), self.tolerance) and (not self.typed or self.is_typed(cell))

    def rank(self, value: Any) -> float:
        return float(to_decimal(value) or 0)

    def is_typed(self, cell: Any) -> bool:
        return isinstance(cell, int | float) and not isinstance(cell, bool)


@dataclass(frozen=True)
class Date:
    """A day. It must be a real date unless `typed` is false; a dash means that there is none."""

    typed: bool = True

    def normalize_value(self, value: Any) -> str:
        text = "" if value is None else str(value).strip()
        day = to_date(value)
        return day.isoformat() if day else "" if text in _NO_VALUE else text

    def same(self, cell: Any, truth: Any) -> bool:
        return self.normalize_value(cell) == self.normalize_value(truth) and (
            not self.typed or not truth or self.is_typed(cell)
        )

    def rank(self, value: Any) -> str:
        return self.normalize_value(value)

    def is_typed(self, cell: Any) -> bool:
        return isinstance(cell, datetime.date)
