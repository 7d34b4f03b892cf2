"""Values of cells as results show them, and of parameters as SQLite takes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from yardkit.servers.database.engine.results import Blob, LongText, Rows, Value
from yardkit.world import Problem

Raw = None | int | float | str | bytes
"""A value as SQLite gives it."""
Parameter = bool | int | float | str | None
Parameters = Sequence[Parameter] | Mapping[str, Parameter]

MAX_CELL_CHARACTERS = 4_000
MAX_BLOB_BYTES = 64
MAX_CHARACTERS = 40_000
"""Of one page of rows."""
MAX_NAME = 200
_CELL_COST = 3
_LARGEST = 2**63


def to_result_value(value: Raw, room: int = MAX_CELL_CHARACTERS) -> Value:
    """A value for a result: long texts cut to `room`, bytes told by their number."""
    if isinstance(value, bytes):
        return Blob(len(value), value.hex() if len(value) <= MAX_BLOB_BYTES else None)
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, str) and len(value) > room:
        return LongText(value[:room], len(value))
    return value


def shorten_text(text: str, most: int = 120) -> str:
    """`text` on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


class Page:
    """Collects rows until `limit` or the characters of one result are reached."""

    def __init__(self, names: Sequence[str], offset: int, limit: int) -> None:
        """`names` are those of the columns; `offset` rows were skipped before."""
        self._names = [name if len(name) <= MAX_NAME else name[:MAX_NAME] + "..." for name in names]
        self._room = max(20, min(MAX_CELL_CHARACTERS, MAX_CHARACTERS // max(1, len(names))))
        self._offset, self._limit = offset, limit
        self._left = MAX_CHARACTERS
        self._rows: list[list[Value]] = []

    def take_row(self, row: Sequence[Raw]) -> bool:
        """Add a row; false if it has no room, which ends the page."""
        cells = [to_result_value(value, self._room) for value in row]
        cost = sum(_CELL_COST + _measure_length(cell) for cell in cells)
        if len(self._rows) == self._limit or (self._rows and cost > self._left):
            return False
        self._left -= cost
        self._rows.append(cells)
        return True

    def rows(self, *, more: bool) -> Rows:
        """The page; `more` says whether rows follow it."""
        cells = [cell for row in self._rows for cell in row]
        notes = []
        if any(isinstance(cell, LongText) for cell in cells):
            notes.append(f"texts are cut at {self._room:,} characters; substr(column, start, length) gives parts")
        if any(isinstance(cell, Blob) and cell.hex is None for cell in cells):
            notes.append(f"bytes over {MAX_BLOB_BYTES} are not shown; hex(substr(column, start, length)) gives parts")
        return Rows(self._names, self._rows, self._offset + len(self._rows) if more else None, notes)


def _measure_length(cell: Value) -> int:
    if isinstance(cell, Blob):
        return 30 + len(cell.hex or "")
    return len(cell.text) + 30 if isinstance(cell, LongText) else len(str(cell))


def bind_parameters(parameters: Parameters | None) -> Sequence[Parameter] | dict[str, Parameter]:
    """Parameters as sqlite3 takes them; names may be given with their ``:``, ``@`` or ``$``.

    Raises:
        Problem: a number does not fit into 64 bits, or a text is no valid Unicode.
    """
    if parameters is None:
        return ()
    if isinstance(parameters, Mapping):
        named = {name[1:] if name[:1] in (":", "@", "$") else name: value for name, value in parameters.items()}
        return {name: _check_parameter(value, repr(name)) for name, value in named.items()}
    return [_check_parameter(value, str(number)) for number, value in enumerate(parameters, 1)]


def _check_parameter(value: Parameter, which: str) -> Parameter:
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise Problem(f"parameter {which} is {value}, but integers in SQLite have 64 bits; give it as text or as 1e19")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Problem(f"parameter {which} is not valid Unicode text; remove the stray surrogates") from None
    return value
