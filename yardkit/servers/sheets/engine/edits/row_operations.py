"""Operations on the rows of a range: sort, filter, deduplicate."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Content
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.moves.moved_cells import CellCopies, copy_cells, moved_by, place_cell
from yardkit.servers.sheets.engine.notation.references import Area, Cell, Rearranged, column_number
from yardkit.servers.sheets.engine.notation.text_patterns import compile_pattern
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.objects.annotations import carry_annotations
from yardkit.servers.sheets.engine.package.tables import grow_table, list_tables
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

Row = dict[int, Content]
_SORT_RANKS = {"number": 0, "date": 0, "text": 1, "boolean": 2, "error": 3}


class _Block:
    """The rows below the header of a range, lifted out, with what their cells hold."""

    def __init__(self, session: Session, operation: Operation) -> None:
        (text,) = operation.require_fields("range")
        session.settle()
        self.session = session
        self.grid, full_area = session.find_area(operation.sheet, text)
        self.totals = 0
        self.table = next(
            (table for table in list_tables(session.book, self.grid.info) if table.area == full_area), None
        )
        if self.table is not None:
            self.totals = self.table.totals
        self.header = operation.header or self.table is not None
        self.area = Area(full_area.top + self.header, full_area.left, full_area.bottom - self.totals, full_area.right)
        if self.area.top > self.area.bottom:
            raise Problem(f"{text!r} has no rows below its header; give header=false if the first row is data")
        for merged in self.grid.list_merged():
            if merged.meets(self.area) and merged.rows > 1:
                raise Problem(f"the merged cells {merged} span rows of {self.area}; unmerge them first")
        names = Area(full_area.top, full_area.left, full_area.top, full_area.right)
        self.names = {
            str(content.value).casefold(): cell.column for cell, content in self.grid.contents(names) if self.header
        }
        self.rows: dict[int, Row] = {}
        for cell, content in self.grid.contents(self.area):
            self.rows.setdefault(cell.row, {})[cell.column] = content
        self.lifted: CellCopies = copy_cells(self.grid, self.area)

    def column(self, text: str) -> int:
        """The column that a header's text or a letter names.

        Raises:
            Problem: none does.
        """
        if text.casefold() in self.names:
            return self.names[text.casefold()]
        if re.fullmatch(r"[A-Za-z]{1,3}", text):
            number = column_number(text)
            if self.area.left <= number <= self.area.right:
                return number
        known = ", ".join(repr(name) for name in list(self.names)[:20])
        raise Problem(f"{self.area} has no column {text!r}; use one of its letters, or a header: {known}")

    def arrange(self, order: list[int]) -> None:
        """Put the rows `order` one below the other; what is left of the block becomes empty."""
        by_row: dict[int, list[tuple[int, Any]]] = {}
        for cell, element in self.lifted.items():
            by_row.setdefault(cell.row, []).append((cell.column, element))
        for index, number in enumerate(range(self.area.top, self.area.bottom + 1)):
            source = order[index] if index < len(order) else None
            if source == number:
                continue
            cells = dict(by_row.get(source, ())) if source is not None else {}
            formula = moved_by(number - source, 0) if source is not None else str
            for column in {*cells, *(column for column, _ in by_row.get(number, ()))}:
                place_cell(self.grid, Cell(number, column), cells.get(column), formula)
        carry_annotations(self.grid, Rearranged(self.area, dict(zip(order, self.numbers(), strict=False))))
        self.session.mark_changed(self.grid, set(self.area.cells()))
        self.session.book.drop_calculation_chain()

    def keep(self, numbers: list[int]) -> int:
        """Keep only some rows; how many went."""
        self.arrange(numbers)
        gone = self.area.rows - len(numbers)
        if self.table is not None and gone and not self.totals:
            grow_table(self.session.book, self.table, -min(gone, self.area.rows - 1))
        return gone

    def numbers(self) -> range:
        return range(self.area.top, self.area.bottom + 1)


def sort_rows(session: Session, operation: Operation) -> str:
    """Sort the rows by columns; "-B" falls. Empty cells come last, as in Excel."""
    if not operation.by:
        raise Problem("the operation 'sort' needs 'by', such as ['B', '-Amount']; give at least one column")
    block = _Block(session, operation)
    order = list(block.numbers())
    for text in reversed(operation.by):
        falling = text.startswith("-") and text.casefold() not in block.names
        column = block.column(text.removeprefix("-") if falling else text)
        filled = [number for number in order if _make_sort_key(block, number, column) is not None]
        filled.sort(key=lambda number: _make_sort_key(block, number, column) or (9, 0))
        if falling:
            filled = _sort_falling(block, filled, column)
        order = filled + [number for number in order if _make_sort_key(block, number, column) is None]
    block.arrange(order)
    return f"sorted {block.grid.info.name}!{block.area} by {', '.join(operation.by)}"


def _sort_falling(block: _Block, numbers: list[int], column: int) -> list[int]:
    """Rows in rising order, the other way round, equal ones as they stood."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and _make_sort_key(block, groups[-1][0], column) == _make_sort_key(block, number, column):
            groups[-1].append(number)
        else:
            groups.append([number])
    return [number for group in reversed(groups) for number in group]


def _make_sort_key(block: _Block, number: int, column: int) -> tuple[int, Any] | None:
    content = block.rows.get(number, {}).get(column)
    if content is None or content.value is None:
        return None
    rank = _SORT_RANKS.get(content.kind, 1)
    if rank == 0:
        return rank, float(block.lifted[Cell(number, column)].findtext(qualify_tag("v")) or 0)
    return rank, content.value if isinstance(content.value, bool) else _collate_text(str(content.value))


def _collate_text(text: str) -> tuple[str, str]:
    """Letters with accents stand beside those without, as in Excel."""
    normalized_text = text.casefold()
    parts = unicodedata.normalize("NFKD", normalized_text)
    return "".join(part for part in parts if not unicodedata.combining(part)), normalized_text


def filter_rows(session: Session, operation: Operation) -> str:
    """Keep the rows whose column passes a test; the others go and the rest moves up."""
    if len(operation.by) != 1:
        raise Problem(f"the operation 'filter' needs one column in 'by', not {operation.by!r}; such as ['Amount']")
    block = _Block(session, operation)
    column = block.column(operation.by[0])
    passes = _make_test(operation)
    passing_rows = [number for number in block.numbers() if passes(_get_value(block, number, column))]
    gone = block.keep(passing_rows)
    return f"kept {len(passing_rows)} rows of {block.grid.info.name}!{block.area}, deleted {gone}"


def _get_value(block: _Block, number: int, column: int) -> Scalar:
    content = block.rows.get(number, {}).get(column)
    return None if content is None else content.value


def _make_test(operation: Operation) -> Callable[[Scalar], bool]:
    expected_value = operation.value
    if operation.test == "empty":
        return lambda value: value is None or value == ""
    if operation.test == "filled":
        return lambda value: value is not None and value != ""
    if operation.test in ("contains", "matches"):
        search_pattern = compile_pattern(
            str(expected_value), regex=operation.test == "matches", match_entire=False, match_case=operation.match_case
        )
        return lambda value: value is not None and search_pattern.search(str(value)) is not None
    if expected_value is None:
        raise Problem(f"the test {operation.test!r} needs 'value', which is missing; or use empty, filled")
    return lambda value: _passes_comparison(value, expected_value, operation)


def _passes_comparison(value: Scalar, expected_value: Scalar, operation: Operation) -> bool:
    left, right = _to_comparable(value, operation), _to_comparable(expected_value, operation)
    if operation.test in ("=", "!="):
        return (left == right) == (operation.test == "=")
    if left is None or right is None or left[0] != right[0]:
        return False
    results = {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}
    return results[operation.test]


def _to_comparable(value: Scalar, operation: Operation) -> tuple[int, Any] | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, int | float):
        return 0, value
    return 1, value if operation.match_case else value.casefold()


def deduplicate_rows(session: Session, operation: Operation) -> str:
    """Keep the first of rows that are equal in the columns `by` (without: in all)."""
    block = _Block(session, operation)
    columns = [block.column(text) for text in operation.by] or list(range(block.area.left, block.area.right + 1))
    seen: set[tuple[Any, ...]] = set()
    unique_rows = []
    for number in block.numbers():
        key = tuple(_to_comparable(_get_value(block, number, column), operation) for column in columns)
        empty = all(part is None for part in key)
        if key not in seen or empty:
            unique_rows.append(number)
        seen.add(key)
    gone = block.keep(unique_rows)
    return f"removed {gone} duplicate rows of {block.grid.info.name}!{block.area}"
