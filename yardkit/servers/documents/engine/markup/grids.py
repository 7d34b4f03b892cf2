"""Tables as grids: cells by their place in rows and grid columns, spans followed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from yardkit.servers.documents.engine.markup.names import (
    P,
    find_element,
    get_attribute,
    get_value,
    iter_unwrapped,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, text_of
from yardkit.world import Problem

_MAX_COLUMNS = 26 * 27
"""As many as have names, from A to ZZ."""
_MAX_DIGITS = 9
_RANGE = re.compile(r"([A-Z]{0,2})(\d{0,5})(?::([A-Z]{0,2})(\d{0,5}))?")


@dataclass(frozen=True)
class Cell:
    """A cell: `row`, `column` from 0, `span` grid columns wide; `merge` is "restart", "continue" or empty."""

    element: Any
    row: int
    column: int
    span: int
    merge: str


@dataclass(frozen=True)
class Area:
    """A rectangle of a grid, from 0, its ends included."""

    top: int
    left: int
    bottom: int
    right: int


class Grid:
    """The cells of a table; take it anew after its structure changed."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.rows = [row for row in iter_unwrapped(table) if row.tag == qualify_name("w:tr")]
        self.cells = [self._cells(number, row) for number, row in enumerate(self.rows)]

    def _cells(self, number: int, row: Any) -> list[Cell]:
        column = _parse_number(get_value(row, "w:trPr/w:gridBefore"), 0)
        grid_cells = []
        for element in iter_unwrapped(row):
            if element.tag == qualify_name("w:tc"):
                span = max(1, _parse_number(get_value(element, "w:tcPr/w:gridSpan"), 1))
                merge = find_element(element, "w:tcPr/w:vMerge")
                kind = "" if merge is None else get_attribute(merge, "w:val", "continue") or "continue"
                grid_cells.append(Cell(element, number, column, span, kind))
                column += span
        if column > _MAX_COLUMNS:
            raise Problem(
                f"row {number + 1} of a table is {column:,} columns wide; at most {_MAX_COLUMNS} can be read (Word has "
                "63 at most). The document is damaged"
            )
        return grid_cells

    @property
    def width(self) -> int:
        """Number of grid columns."""
        stated = len(self.table.findall(f"{qualify_name('w:tblGrid')}/{qualify_name('w:gridCol')}"))
        return max([stated, *(row[-1].column + row[-1].span for row in self.cells if row)])

    @property
    def height(self) -> int:
        return len(self.rows)

    def at(self, row: int, column: int) -> Cell:
        """The cell that covers a place in its row.

        Raises:
            Problem: there is none.
        """
        for cell in self.cells[row] if 0 <= row < self.height else []:
            if cell.column <= column < cell.column + cell.span:
                return cell
        raise Problem(
            f"the table has no cell {format_reference(row, column)}; it has {self.height} rows and {self.width} columns"
        )

    def owner(self, cell: Cell) -> Cell:
        """The cell that a merged one belongs to: the first of its column of merged cells."""
        while cell.merge == "continue" and cell.row > 0:
            cell = self.at(cell.row - 1, cell.column)
        return cell

    def list_inside(self, area: Area) -> list[Cell]:
        """The cells that lie in an area, in whole or in part."""
        return [
            cell
            for row in self.cells[area.top : area.bottom + 1]
            for cell in row
            if cell.column <= area.right and cell.column + cell.span > area.left
        ]

    def parse_area(self, text: str) -> Area:
        """What a range names: A1, A1:B2, 2:3 (rows), B:C (columns); all without text.

        Raises:
            Problem: it is no range, or outside of the table.
        """
        if not text:
            return Area(0, 0, self.height - 1, self.width - 1)
        match = _RANGE.fullmatch(text.strip().upper())
        if match is None or not (match[1] or match[2]):
            raise Problem(f"{text!r} is not a valid range; use A1, A1:B2, 2:3 for rows or B:C for columns")
        left, top = _parse_column(match[1]), int(match[2]) - 1 if match[2] else None
        right = _parse_column(match[3]) if match[3] else left
        bottom = int(match[4]) - 1 if match[4] else top
        cell_area = Area(
            0 if top is None else top,
            0 if left is None else left,
            self.height - 1 if bottom is None else bottom,
            self.width - 1 if right is None else right,
        )
        if not (
            0 <= cell_area.top <= cell_area.bottom < self.height and 0 <= cell_area.left <= cell_area.right < self.width
        ):
            raise Problem(f"{text!r} is outside the table, which has {self.height} rows and {self.width} columns")
        return cell_area


def cell_text(cell: Any) -> str:
    """The visible text of a cell, a paragraph a line; of tables in it too."""
    return "\n".join(text_of(paragraph) for paragraph in cell.iter(P) if not in_fallback(paragraph))


def format_reference(row: int, column: int) -> str:
    """A1 for (0, 0)."""
    letters = chr(65 + column % 26)
    return f"{chr(64 + column // 26) if column >= 26 else ''}{letters}{row + 1}"


def _parse_column(letters: str | None) -> int | None:
    if not letters:
        return None
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _parse_number(text: str | None, default: int) -> int:
    return int(text[:_MAX_DIGITS]) if text and text.isdecimal() else default
