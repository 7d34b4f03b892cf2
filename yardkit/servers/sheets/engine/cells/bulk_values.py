"""Many values at once: read from the bytes of rows, and written as bytes of rows."""

from __future__ import annotations

from bisect import bisect_left
from datetime import date, datetime, time
from typing import NamedTuple

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.notation.references import Area, Cell, column_name
from yardkit.servers.sheets.engine.notation.values import (
    DATE_FORMAT,
    DATETIME_FORMAT,
    MAX_EXACT,
    TIME_FORMAT,
    Scalar,
    Stored,
    decode_text,
    escape_text,
    number_text,
    to_serial,
    unescape_text,
)
from yardkit.servers.sheets.engine.package.sheet_source import raw_cells
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.uniform_rows import fill_rows, shape_of
from yardkit.servers.sheets.engine.package.xml import qualify_tag

_BLOCK = 500
_FEWEST_UNIFORM = 20


def read_values(grid: Grid, area: Area) -> tuple[list[list[Scalar]], list[Cell]]:
    """The values in `area` of a sheet as it stands in the file, row by row, and the formulas without a value."""
    source = grid.source
    rows: list[list[Scalar]] = [[None] * area.columns for _ in range(area.rows)]
    uncomputed: list[Cell] = []
    first, last = bisect_left(source.numbers, area.top), bisect_left(source.numbers, area.bottom + 1)
    reader = _Reader(grid, area)
    # The first row by itself: a header is unlike the rows below it.
    for start in [first, *range(first + 1, last, _BLOCK)] if first < last else []:
        stop = first + 1 if start == first else min(start + _BLOCK, last)
        if reader.fill_uniform(rows, start, stop):
            continue
        cells = raw_cells(source.data[source.starts[start] : source.span(stop - 1)[1]])
        if cells is not None and reader.fill(rows, cells, uncomputed):
            continue
        block = Area(source.numbers[start], area.left, source.numbers[stop - 1], area.right)
        for cell, content in grid.contents(block):
            rows[cell.row - area.top][cell.column - area.left] = content.value
            if content.uncomputed:
                uncomputed.append(cell)
    return rows, uncomputed


class _Reader:
    """Values of raw cells, the common kinds first."""

    def __init__(self, grid: Grid, area: Area) -> None:
        self.grid, self.area = grid, area
        self.columns = {column_name(number).encode(): number - area.left for number in range(area.left, area.right + 1)}
        styles = grid.book.styles
        self.dated = {str(index).encode() for index in range(styles.count()) if styles.is_date(index)}
        self.dates: dict[tuple[bytes, bytes], Scalar] = {}

    def fill_uniform(self, rows: list[list[Scalar]], start: int, stop: int) -> bool:
        """Put the values of the rows at the indices `start` to before `stop` into `rows`, if they are built alike."""
        source = self.grid.source
        if stop - start < _FEWEST_UNIFORM:
            return False
        samples = [source.data[slice(*source.span(index))] for index in range(start, stop, (stop - start) // 8)]
        shape = shape_of(samples, self.columns, self.dated)
        if shape is None:
            return False
        data = source.data[source.starts[start] : source.span(stop - 1)[1]]
        filled = [rows[number - self.area.top] for number in source.numbers[start:stop]]
        try:
            return fill_rows(filled, data, shape, lambda: self.grid.book.strings)
        except (ValueError, IndexError):
            return False  # the careful way says what is damaged

    def fill(self, rows: list[list[Scalar]], cells: list[tuple[bytes, ...]], uncomputed: list[Cell]) -> bool:
        """Put the cells' values into `rows`; false where something is not common, with nothing lost by trying."""
        top, columns, dated = self.area.top, self.columns, self.dated
        strings = self.grid.book.strings if any(cell[3] == b"s" for cell in cells) else []
        for cell in cells:
            column, row, style, kind, formula, value, _ = cell
            place = columns.get(column)
            if place is None:
                continue
            try:
                if kind == b"" and value and style not in dated:
                    number = float(value)
                    exact = number.is_integer() and -MAX_EXACT < number < MAX_EXACT
                    rows[int(row) - top][place] = int(number) if exact else number
                elif kind == b"s" and value:
                    rows[int(row) - top][place] = strings[int(value)]
                elif kind == b"inlineStr":
                    text = decode_text(cell[6])
                    rows[int(row) - top][place] = unescape_text(text) if "_x" in text else text
                else:
                    rows[int(row) - top][place] = self.read_other(cell)
                    if formula and not value and kind != b"str":
                        uncomputed.append(Cell(int(row), place + self.area.left))
            except (ValueError, IndexError):
                return False  # the careful way says what is damaged
        return True

    def read_other(self, cell: tuple[bytes, ...]) -> Scalar:
        key = cell[2], cell[5]
        if cell[3] == b"" and key in self.dates:
            return self.dates[key]
        value = self.grid.to_typed(cell, int(cell[2] or 0))[0]
        if cell[3] == b"":
            self.dates[key] = value
        return value


class RowWriter:
    """Rows that a sheet does not have yet, written as bytes."""

    def __init__(self, grid: Grid, number_format: str | None) -> None:
        self.grid, self.styles = grid, grid.book.styles
        self.plain = not any(column.get("style") for column in grid.root.iter(qualify_tag("col")))
        self.base = self.styles.derive_style(0, Change(number_format=number_format)) if number_format else 0
        self.names: dict[int, str] = {}

    def accepts(self, number: int) -> bool:
        """Whether the row `number` can be written so: it is not there, and no column has a style."""
        return self.plain and not self.grid.has_row(number)

    def put(self, number: int, column: int, values: list[Stored | Formula]) -> None:
        """Write a row from the column on; null is left out."""
        texts = [
            self._write_cell(f"{self.name(place)}{number}", value)
            for place, value in enumerate(values, start=column)
            if value is not None
        ]
        if texts:
            self.grid.put_row(number, f'<row r="{number}">{"".join(texts)}</row>'.encode())

    def name(self, column: int) -> str:
        return self.names.get(column) or self.names.setdefault(column, column_name(column))

    def _write_cell(self, name: str, value: Stored | Formula) -> str:
        style, kind, inner = self.base, "", ""
        if type(value) is float or type(value) is int:
            inner = f"<v>{number_text(value)}</v>"
        elif isinstance(value, bool):
            kind, inner = ' t="b"', f"<v>{int(value)}</v>"
        elif isinstance(value, Formula):
            style = self._derive_date_style(style, value.code) if value.code else style
            inner = f"<f>{_escape_xml(value.text)}</f><v>0</v>"
        elif isinstance(value, str):
            space = ' xml:space="preserve"' if value != value.strip() or "\n" in value else ""
            kind, inner = ' t="inlineStr"', f"<is><t{space}>{_escape_xml(escape_text(value))}</t></is>"
        elif isinstance(value, date | time):
            code = DATETIME_FORMAT if isinstance(value, datetime) else TIME_FORMAT
            style = self._derive_date_style(style, code if isinstance(value, datetime | time) else DATE_FORMAT)
            inner = f"<v>{number_text(to_serial(value, date1904=self.grid.book.date1904))}</v>"
        style_attribute = f' s="{style}"' if style else ""
        return f'<c r="{name}"{style_attribute}{kind}>{inner}</c>'

    def _derive_date_style(self, style: int, code: str) -> int:
        return style if self.styles.is_date(style) else self.styles.derive_style(style, Change(number_format=code))


class Formula(NamedTuple):
    """A formula in stored form, and the number format that its value wants."""

    text: str
    code: str = ""


def _escape_xml(text: str) -> str:
    if "&" in text or "<" in text or ">" in text or "\r" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text
