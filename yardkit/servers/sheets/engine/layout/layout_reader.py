"""The layout of a sheet as it is: sizes, hidden and grouped lines, formats of whole lines, and its view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.layout.columns import STANDARD
from yardkit.servers.sheets.engine.layout.sheet_layout import frozen_at
from yardkit.servers.sheets.engine.notation.references import column_name
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

MOST = 500
"""Entries of one property."""
_ATTRIBUTE = re.compile(rb"""\s([A-Za-z]+)\s*=\s*["']([^"']*)["']""")
_ON = ("1", "true")
_STANDARD_HEIGHT = 15.0
_Line = tuple[int, int, dict[str, str]]
"""The first and last row or column that one entry is about, and its attributes."""


@dataclass(frozen=True)
class LayoutInfo:
    """How a sheet is laid out; widths in characters, heights in points, of what is set; groups with their level.

    Attributes:
        row_formats: of whole rows, for cells that are not there yet; so column_formats.
        cut: some of it has more than the first 500 entries, which are given.
    """

    sheet: str
    standard_width: float
    standard_height: float
    column_widths: dict[str, float] = field(default_factory=dict)
    row_heights: dict[str, float] = field(default_factory=dict)
    hidden_columns: list[str] = field(default_factory=list)
    hidden_rows: list[str] = field(default_factory=list)
    column_groups: dict[str, int] = field(default_factory=dict)
    row_groups: dict[str, int] = field(default_factory=dict)
    column_formats: dict[str, str] = field(default_factory=dict)
    row_formats: dict[str, str] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    freeze_at: str | None = None
    gridlines: bool = True
    zoom: int = 100
    tab_color: str | None = None
    right_to_left: bool = False
    cut: bool = False


def layout_of(grid: Grid) -> LayoutInfo:
    """The layout of a sheet, in the words of `set_sheet_layout`.

    Raises:
        Problem: a number in it is none.
    """
    try:
        return _read_layout(grid)
    except ValueError as error:
        raise Problem(f"the layout of the sheet {grid.info.name!r} is damaged ({error})") from error


def _read_layout(grid: Grid) -> LayoutInfo:
    columns, rows = list(_iter_columns(grid)), list(_iter_rows(grid))
    formats = CellFormats(grid.book)
    settings = _read_attributes(grid, "sheetFormatPr")
    view = _read_attributes(grid, "sheetViews", "sheetView")
    layout_entries: list[dict[str, Any]] = [
        _group_runs(columns, lambda line: _parse_width(line.get("width")), column_name),
        _group_runs(rows, lambda line: _parse_width(line.get("ht")) if line.get("customHeight") in _ON else None),
        _group_runs(columns, _is_hidden, column_name),
        _group_runs(rows, _is_hidden),
        _group_runs(columns, _get_level, column_name),
        _group_runs(rows, _get_level),
        _group_runs(columns, lambda line: _describe_format(formats, line.get("style")), column_name),
        _group_runs(
            rows, lambda line: _describe_format(formats, line.get("s")) if line.get("customFormat") in _ON else None
        ),
    ]
    merged = [str(area) for area in grid.list_merged()]
    widths, heights, *hidden, column_groups, row_groups, column_formats, row_formats = (
        dict(list(record.items())[:MOST]) for record in layout_entries
    )
    return LayoutInfo(
        grid.info.name,
        _parse_width(settings.get("defaultColWidth")) or STANDARD,
        _parse_width(settings.get("defaultRowHeight")) or _STANDARD_HEIGHT,
        widths,
        heights,
        list(hidden[0]),
        list(hidden[1]),
        column_groups,
        row_groups,
        column_formats,
        row_formats,
        merged[:MOST],
        frozen_at(grid),
        view.get("showGridLines", "1") in _ON,
        int(view.get("zoomScale", "100")),
        formats.color(grid.root.find(f"{qualify_tag('sheetPr')}/{qualify_tag('tabColor')}")),
        view.get("rightToLeft") in _ON,
        any(len(group) > MOST for group in (*layout_entries, merged)),
    )


def _read_attributes(grid: Grid, *names: str) -> dict[str, str]:
    element = grid.root.find("/".join(qualify_tag(name) for name in names))
    return {} if element is None else dict(element.attrib)


def _iter_columns(grid: Grid) -> Iterator[_Line]:
    for entry in grid.root.iterfind(f"{qualify_tag('cols')}/{qualify_tag('col')}"):
        yield int(entry.get("min", "1")), int(entry.get("max", "1")), dict(entry.attrib)


def _iter_rows(grid: Grid) -> Iterator[_Line]:
    source = grid.source
    for (start, _), number in zip(pairwise([*source.starts, source.end]), source.numbers, strict=True):
        head = source.data[start : source.data.index(b">", start)]
        yield number, number, {name.decode(): value.decode() for name, value in _ATTRIBUTE.findall(head)}


def _group_runs(
    lines: Iterable[_Line], describe_line: Callable[[dict[str, str]], Any], name: Callable[[int], str] = str
) -> dict[str, Any]:
    """What is said of lines, by spans such as ``C:E`` of neighbours that say the same."""
    spans: list[tuple[int, int, Any]] = []
    for first, last, attributes in lines:
        if (line_value := describe_line(attributes)) is None:
            continue
        if spans and spans[-1][1] == first - 1 and spans[-1][2] == line_value:
            spans[-1] = spans[-1][0], last, line_value
        else:
            spans.append((first, last, line_value))
    return {f"{name(first)}:{name(last)}": line_value for first, last, line_value in spans}


def _parse_width(text: str | None) -> float | None:
    return None if text is None else round(float(text), 2)


def _is_hidden(line: dict[str, str]) -> bool | None:
    return True if line.get("hidden") in _ON else None


def _get_level(line: dict[str, str]) -> int | None:
    return int(line.get("outlineLevel", "0")) or None


def _describe_format(formats: CellFormats, style: str | None) -> str | None:
    number = int(style or 0)
    return "; ".join(filter(None, (formats.describe_style(number).get("number format"), formats.words(number)))) or None
