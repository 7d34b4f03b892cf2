"""A1 references: cells and ranges (rows and columns count from 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from yardkit.world import Problem

MAX_ROW = 1_048_576
MAX_COLUMN = 16_384
_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_RANGE = re.compile(r"\$?([A-Za-z]{1,3})?\$?([0-9]{1,7})?(?::\$?([A-Za-z]{1,3})?\$?([0-9]{1,7})?)?")


class Cell(NamedTuple):
    """A cell: `row` and `column` from 1. A tuple, because sheets have many."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.row}"


@dataclass(frozen=True)
class Area:
    """A rectangle of cells, both corners included."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def rows(self) -> int:
        return self.bottom - self.top + 1

    @property
    def columns(self) -> int:
        return self.right - self.left + 1

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def __contains__(self, cell: Cell) -> bool:
        return self.top <= cell.row <= self.bottom and self.left <= cell.column <= self.right

    def cells(self) -> Iterator[Cell]:
        return (Cell(r, c) for r in range(self.top, self.bottom + 1) for c in range(self.left, self.right + 1))

    def clip(self, other: Area) -> Area:
        """The part of this area that lies in `other`, which it must meet."""
        return Area(
            max(self.top, other.top),
            max(self.left, other.left),
            min(self.bottom, other.bottom),
            min(self.right, other.right),
        )

    def meets(self, other: Area) -> bool:
        is_disjoint = self.bottom < other.top or other.bottom < self.top
        return not (is_disjoint or self.right < other.left or other.right < self.left)

    def join(self, other: Area) -> Area:
        return Area(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )

    def __str__(self) -> str:
        first, last = Cell(self.top, self.left), Cell(self.bottom, self.right)
        return str(first) if first == last else f"{first}:{last}"


def column_name(column: int) -> str:
    name = ""
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return name


@cache
def column_number(name: str) -> int:
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - 64
    return number


def cell_of(text: str) -> Cell:
    """The cell that ``B3`` (or ``$B$3``) names.

    Raises:
        Problem: no cell reference, or beyond XFD1048576.
    """
    match = _CELL.fullmatch(text.strip())
    if not match:
        raise Problem(f"{text!r} is not a valid cell; use one like B3")
    return _check_cell(Cell(int(match[2]), column_number(match[1])), text)


def area_of(text: str) -> Area:
    """The area that ``A1:C10``, ``B3``, ``A:C`` or ``2:5`` names; whole columns and rows reach to the sheet's end.

    Raises:
        Problem: no range, or beyond XFD1048576.
    """
    match = _RANGE.fullmatch(text.strip())
    left, top, right, bottom = match.groups() if match else (None, None, None, None)
    is_range = ":" in text
    same_kind = (left is None) == (right is None) and (top is None) == (bottom is None)
    if (
        match is None
        or (left is None and top is None)
        or (is_range and not same_kind)
        or (not is_range and not (left and top))
    ):
        raise Problem(
            f"{text!r} is not a valid range; use one like A1:C10, B3, A:C or 2:5 (the sheet has its own argument)"
        )
    first = Cell(int(top or 1), column_number(left or "A"))
    end_row, end_column = (bottom or str(MAX_ROW), right or "XFD") if is_range else (top, left)
    last = Cell(int(end_row or 0), column_number(end_column or "A"))
    _check_cell(first, text)
    _check_cell(last, text)
    return Area(
        min(first.row, last.row),
        min(first.column, last.column),
        max(first.row, last.row),
        max(first.column, last.column),
    )


def _check_cell(cell: Cell, text: str) -> Cell:
    if not (1 <= cell.row <= MAX_ROW and 1 <= cell.column <= MAX_COLUMN):
        raise Problem(f"{text!r} is beyond the end of the sheet, XFD1048576")
    return cell


class Places(Protocol):
    """Where cells that move are afterwards; None for those that go."""

    def __contains__(self, cell: object) -> bool: ...

    def __getitem__(self, cell: Cell) -> Cell | None: ...


@dataclass(frozen=True)
class Moved:
    """The cells of an area that move onto those of another, which go."""

    area: Area
    target: Area

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, Cell) and (cell in self.area or cell in self.target)

    def __getitem__(self, cell: Cell) -> Cell | None:
        place = self.shift(Area(*cell, *cell))
        return Cell(place.top, place.left) if cell in self.area else None

    def shift(self, area: Area) -> Area:
        """Where a part of the moved area is afterwards."""
        down, right = self.target.top - self.area.top, self.target.left - self.area.left
        return Area(area.top + down, area.left + right, area.bottom + down, area.right + right)


@dataclass(frozen=True)
class Rearranged:
    """The cells of an area whose rows are put in another order: `rows` has the new place of each row that stays."""

    area: Area
    rows: dict[int, int]

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, Cell) and cell in self.area

    def __getitem__(self, cell: Cell) -> Cell | None:
        """Where a cell of the area is afterwards; None when its row went."""
        row = self.rows.get(cell.row)
        return None if row is None else Cell(row, cell.column)
