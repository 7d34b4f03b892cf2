"""Workbooks for seeded worlds: the same bytes for the same content."""

import datetime
import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.state_init.packages import settle_package
from yardkit.world import save_bytes


def save_workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], now: datetime.datetime) -> None:
    """Write rows of values and formulas as an .xlsx file, the first row of each sheet bold, made at `now` (UTC)."""
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        for column, cell in enumerate(sheet[1], 1):
            cell.font = Font(bold=True)
            longest = max(len(str(row[column - 1])) for row in rows if len(row) >= column)
            sheet.column_dimensions[cell.column_letter].width = min(48, longest + 3)
        sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    book.save(buffer)
    save_bytes(path, settle_package(buffer.getvalue(), now))


@dataclass(frozen=True)
class Formula:
    """A formula with the value that the program which made the workbook stored beside it."""

    text: str
    value: float | str = 0


@dataclass(frozen=True)
class Styled:
    """A value with properties of its cell's format in XlsxWriter's words, such as ``{"bold": True}``."""

    value: Any
    look: Mapping[str, Any]


class Book:
    """A workbook as an office program leaves it: formats, widths, merged heads, charts, stored values of formulas.

    `xlsx` is XlsxWriter's workbook, for what this class does not do.
    """

    def __init__(self, now: datetime.datetime, *, title: str = "", author: str = "") -> None:
        import xlsxwriter

        self._now, self._buffer = now, io.BytesIO()
        options = {"in_memory": True, "remove_timezone": True}
        self.xlsx: Any = xlsxwriter.Workbook(self._buffer, options)
        stamp = now.replace(tzinfo=None)
        self.xlsx.set_properties({"title": title, "author": author, "created": stamp})
        self._formats: dict[str, Any] = {}

    def look(self, **properties: Any) -> Any:
        """XlsxWriter's format with these properties; the same one for the same properties."""
        key = repr(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self.xlsx.add_format(properties)
        return self._formats[key]

    def sheet(
        self,
        name: str,
        rows: Sequence[Sequence[Any]],
        *,
        formats: Mapping[int, str] | None = None,
        widths: Mapping[int, float] | None = None,
        title: str = "",
        groups: Sequence[tuple[str, int]] = (),
        accent: str = "1F3864",
        hidden: bool = False,
    ) -> Any:
        """A sheet of rows, the first of which is its head; the worksheet of XlsxWriter, for charts, rules and more.

        Args:
            name: of the sheet.
            rows: values, `Formula` and `Styled`; dates are dates.
            formats: number formats by column, counted from 0.
            widths: of columns in characters; those that are not given follow their contents.
            title: a line above the table, merged over its width.
            groups: texts above the head, each merged over a number of columns.
            accent: colour of the head, RRGGBB.
            hidden: whether the sheet is hidden.
        """
        worksheet, formats = self.xlsx.add_worksheet(name), formats or {}
        top = self._write_above(worksheet, title, groups, len(rows[0]), accent)
        head = self.look(bold=True, font_color="#FFFFFF", bg_color=f"#{accent}", text_wrap=True, valign="vcenter")
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                properties = {"num_format": formats[column]} if number and column in formats else {}
                self._write_cell(worksheet, top + number, column, value, properties, head if number == 0 else None)
        for column in range(len(rows[0])):
            longest = max(len(_format_cell(row[column])) for row in rows if len(row) > column)
            worksheet.set_column(column, column, (widths or {}).get(column, min(48, longest + 3)))
        worksheet.freeze_panes(top + 1, 0)
        if hidden:
            worksheet.hide()
        return worksheet

    def _write_above(self, sheet: Any, title: str, groups: Sequence[tuple[str, int]], columns: int, accent: str) -> int:
        row = 0
        if title:
            big = self.look(bold=True, font_size=14, font_color=f"#{accent}")
            sheet.merge_range(0, 0, 0, columns - 1, title, big)
            row = 2
        if groups:
            look, column = self.look(bold=True, align="center", bottom=1), 0
            for text, width in groups:
                if width > 1:
                    sheet.merge_range(row, column, row, column + width - 1, text, look)
                else:
                    sheet.write(row, column, text, look)
                column += width
            row += 1
        return row

    def _write_cell(self, sheet: Any, row: int, column: int, value: Any, properties: dict[str, Any], head: Any) -> None:
        if isinstance(value, Styled):
            value, properties = value.value, {**properties, **value.look}
        if isinstance(value, datetime.date) and "num_format" not in properties:
            properties = {**properties, "num_format": "yyyy-mm-dd"}
        look = head or (self.look(**properties) if properties else None)
        if isinstance(value, Formula):
            sheet.write_formula(row, column, value.text, look, value.value)
        else:
            sheet.write(row, column, value, look)

    def chart(
        self, sheet: Any, at: str, kind: str, title: str, categories: str, series: Mapping[str, str], **size: Any
    ) -> Any:
        """A chart (`kind` as in XlsxWriter) on `sheet` at a cell.

        `categories` and the values of `series` refer to cells, such as ``=Data!$A$2:$A$9``.
        Names of series that begin with ``=`` refer to a cell.
        """
        new_chart = self.xlsx.add_chart({"type": kind})
        for name, values in series.items():
            new_chart.add_series({"name": name, "categories": categories, "values": values})
        new_chart.set_title({"name": title})
        sheet.insert_chart(at, new_chart, size)
        return new_chart

    def bytes(self) -> bytes:
        """The workbook; it cannot be added to any more."""
        if not self._buffer.getvalue():
            self.xlsx.close()
        return settle_package(self._buffer.getvalue(), self._now)

    def save(self, path: Path) -> None:
        """Write the workbook to `path`."""
        save_bytes(path, self.bytes())


def make_single_sheet(
    name: str, rows: Sequence[Sequence[Any]], now: datetime.datetime, *, title: str = "", author: str = "", **look: Any
) -> Book:
    """A workbook of one sheet, laid out by the other arguments of `Book.sheet`; `title` and `author` are the book's."""
    book = Book(now, title=title, author=author)
    book.sheet(name, rows, **look)
    return book


def age_rows(rows: Sequence[Sequence[Any]], rng: random.Random, changes: int) -> list[list[Any]]:
    """The rows as they were some time ago: some numbers below the head were others."""
    copy = [list(row) for row in rows]
    places = [
        (row, column)
        for row, cells in enumerate(copy[1:], 1)
        for column, value in enumerate(cells)
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    for row, column in rng.sample(places, min(changes, len(places))):
        value = copy[row][column]
        other = value * rng.choice((0.8, 0.9, 1.1, 1.25))
        other = round(other) if isinstance(value, int) else round(other, 2)
        copy[row][column] = other if other != value else value + 1
    return copy


def _format_cell(value: Any) -> str:
    raw_value = value.value if isinstance(value, Formula | Styled) else value
    return "" if raw_value is None else str(raw_value)
