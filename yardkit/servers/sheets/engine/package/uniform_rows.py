"""Rows that are built alike, read by one pattern for a whole row: the fast way for the bulk of a table.

Some rows of a block say how its cells are written (column, style, type). One pattern made of it reads every row
of the block, so that the work per cell is done by the regular expression engine, `json` and `str` instead of by a loop.
A block with any other row is left to the careful way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from yardkit.servers.sheets.engine.notation.references import column_number
from yardkit.servers.sheets.engine.notation.values import MAX_EXACT, Scalar, decode_text, unescape_text
from yardkit.servers.sheets.engine.package.sheet_source import RawCell, cells_of

_FORMULA = rb"(?:<f(?:\s[^>]*?)?(?:/>|>[^<]*</f>))"
_INTEGRAL_DECIMALS = re.compile(rb"\.0+(?:,|$)")
_SEPARATOR = "\0"  # no XML holds it
_SHARED = b"s"
_MOST_CELLS = 300


class Shape(NamedTuple):
    """How the rows of a block are written.

    Attributes:
        pattern: matches a row; a group per wanted cell, which is empty where the row lacks the cell.
        places: where the value of each group stands in the page.
        kinds: the type of each group: b"" number, b"s" shared string, b"inlineStr", b"str".
    """

    pattern: re.Pattern[bytes]
    places: list[int]
    kinds: list[bytes]


def shape_of(rows: Sequence[bytes], places: dict[bytes, int], dated: set[bytes]) -> Shape | None:
    """The shape of rows whose cells are of the common kinds; None for any other.

    Args:
        rows: the bytes of some of them, so that a column that one of them lacks is known from another.
        places: where the values of the wanted columns go, by the column's name.
        dated: the styles that show numbers as dates, which the careful way reads.
    """
    cells: dict[int, RawCell] = {}
    for row in rows:
        for cell in cells_of(row) or ():
            number = column_number(cell.column.decode())
            if number not in cells or not _get_raw_value(cells[number]):
                cells[number] = cell
    selected_cells = [cells[number] for number in sorted(cells) if cells[number].column in places]
    if (
        not selected_cells
        or len(cells) > _MOST_CELLS
        or not all(_is_common_cell(cell, dated) for cell in selected_cells)
    ):
        return None
    texts = [
        _cell_pattern(cell, is_selected=cell.column in places, fixed=bool(dated)) for _, cell in sorted(cells.items())
    ]
    pattern = re.compile(rb"<row\s[^>]*>" + b"".join(texts) + rb"</row>\s*")
    return Shape(pattern, [places[cell.column] for cell in selected_cells], [cell.kind for cell in selected_cells])


def fill_rows(rows: Sequence[list[Scalar]], data: bytes, shape: Shape, strings: Callable[[], list[str]]) -> bool:
    """Put the values of `data`, the bytes of as many rows, into `rows`; False, and nothing is put, where one differs.

    Raises:
        ValueError, IndexError: a value is not what its type says.
    """
    row_values = shape.pattern.findall(data)
    if len(row_values) != len(rows):
        return False
    columns = zip(*row_values, strict=True) if len(shape.places) > 1 else [row_values]
    values = [
        _lookup_shared(column, strings()) if kind == _SHARED else _READERS[kind](column)
        for column, kind in zip(columns, shape.kinds, strict=True)
    ]
    width = len(rows[0]) if rows else 0
    if shape.places == list(range(width)):
        for row, filled in zip(rows, zip(*values, strict=True), strict=True):
            row[:] = filled
        return True
    for place, column in zip(shape.places, values, strict=True):
        for row, value in zip(rows, column, strict=True):
            row[place] = value
    return True


def _is_common_cell(cell: RawCell, dated: set[bytes]) -> bool:
    if cell.kind == b"" and cell.style in dated:
        return False
    return bool(_get_raw_value(cell)) and (cell.kind in _READERS or cell.kind == _SHARED)


def _get_raw_value(cell: RawCell) -> bytes:
    return cell.inline if cell.kind == b"inlineStr" else cell.value


def _cell_pattern(cell: RawCell, *, is_selected: bool, fixed: bool) -> bytes:
    """What matches the cell of this column in other rows, empty or not, or its absence."""
    style = rb'(?: s="[0-9]+")?' if not fixed else (rb' s="' + cell.style + rb'"' if cell.style else b"")
    kind = rb' t="' + cell.kind + rb'"' if cell.kind else b""
    formula = _FORMULA if cell.formula else b""
    if not is_selected:
        kind = rb'(?: t="[a-zA-Z]+")?'
        inner = rb"(?:" + _FORMULA + rb"?<v>[^<]*</v>|<is><t[^>]*>[^<]*</t></is>)"
    elif cell.kind == b"inlineStr":
        inner = rb"<is><t[^>]*>([^<]+)</t></is>"
    else:
        inner = formula + rb"<v>([^<]+)</v>"
    return rb'(?:<c r="' + cell.column + rb'[0-9]+"' + style + rb"(?:/>|" + kind + rb">" + inner + rb"</c>))?"


def _parse_numbers(column: Sequence[bytes]) -> list[Scalar]:
    text = b",".join(column if b"" not in column else [value or b"null" for value in column])
    values: list[Any] = json.loads(b"[" + text + b"]")
    numbers: list[Any] = [value for value in values if value is not None] if b"" in column else values
    fractions = (
        b"e" not in text and b"E" not in text and not _INTEGRAL_DECIMALS.search(text)
    )  # what has a point is not whole
    if fractions and min(numbers) > -MAX_EXACT and max(numbers) < MAX_EXACT:
        return values
    return [value if value is None else _simplify_number(float(value)) for value in values]


def _simplify_number(value: float) -> int | float:
    return int(value) if value.is_integer() and -MAX_EXACT < value < MAX_EXACT else value


def _lookup_shared(column: Sequence[bytes], strings: list[str]) -> list[Scalar]:
    if b"" in column:
        return [strings[int(value)] if value else None for value in column]
    return list(map(strings.__getitem__, map(int, column)))


def _decode_texts(column: Sequence[bytes]) -> list[Scalar]:
    text = _SEPARATOR.encode().join(column)
    if b"&" in text or b"\r" in text or b"_x" in text:
        return [unescape_text(decode_text(value)) if value else None for value in column]
    values: list[str] = text.decode().split(_SEPARATOR)
    return [value or None for value in values] if b"" in column else list(values)


_READERS = {b"": _parse_numbers, b"inlineStr": _decode_texts, b"str": _decode_texts}
