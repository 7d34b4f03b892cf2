"""Values as DuckDB gives them, for results; and pages of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from yardkit.servers.warehouse.engine.results import Row, Rows, Value

MAX_CHARACTERS = 40_000
"""Of one page of rows."""
MAX_CELL_CHARACTERS = 4_000
MAX_TOTAL_CHARACTERS = 10_000_000
_COST = 3


def to_result_value(value: Any) -> Value:
    """A value for a result: numbers as numbers where JSON can hold them, times as ISO 8601, bytes as hex digits."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        return _convert_number(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): to_result_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_result_value(inner) for inner in value]
    return str(value)


def _convert_number(value: Decimal) -> Value:
    """A number that stays the same as text, an integer where it has no fraction by its type."""
    if not value.is_finite():
        return str(value)
    if value.as_tuple().exponent == 0:
        return int(value)
    near = float(value)
    return near if Decimal(repr(near)) == value else str(value)


class Page:
    """Collects rows until `limit` or the characters of one result are reached."""

    def __init__(self, limit: int, *, is_unlimited: bool = False) -> None:
        self._limit, self._left = limit, MAX_TOTAL_CHARACTERS if is_unlimited else MAX_CHARACTERS
        self.rows: list[Row] = []
        self._cut = False

    def add_row(self, row: Sequence[Any]) -> bool:
        """Add a row; false if it has no room, which ends the page."""
        cells = [self._shorten_cell(to_result_value(value)) for value in row]
        cost = sum(_COST + len(str(cell)) for cell in cells)
        if len(self.rows) == self._limit or (self.rows and cost > self._left):
            return False
        self._left -= cost
        self.rows.append(cells)
        return True

    def build_result(self, columns: list[str], types: list[str], offset: int, total: int) -> Rows:
        """The page as a result."""
        end = offset + len(self.rows)
        notes = [f"texts are cut at {MAX_CELL_CHARACTERS:,} characters; SUBSTR gives parts"] if self._cut else []
        return Rows(columns, types, self.rows, total, end if end < total else None, notes)

    def _shorten_cell(self, cell: Value) -> Value:
        if not isinstance(cell, str) or len(cell) <= MAX_CELL_CHARACTERS:
            return cell
        self._cut = True
        return cell[:MAX_CELL_CHARACTERS]
