"""Sparklines: small charts inside cells (an extension of Excel 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import (
    X14,
    XM,
    drop_empty_extension,
    find_extension,
    open_sheet,
    save_objects,
)
from yardkit.servers.sheets.engine.cells.ranges import areas_of, quote_sheet, source_of
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.package.xlsxwriter_parts import build_scratch_parts
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

if TYPE_CHECKING:
    import xlsxwriter

URI = "{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"
TYPES = {"line": "line", "column": "column", "win_loss": "win_loss"}
_READ_TYPES = {"stacked": "win_loss"}


@dataclass(frozen=True)
class SparklineInfo:
    """A sparkline: its cell, the cells that it shows, line, column or win_loss."""

    sheet: str
    cell: str
    data: str
    type: str

    def __str__(self) -> str:
        return f"{self.type} sparkline at {self.sheet}!{self.cell} of {self.data}"


def add_sparklines(
    path: Path, sheet: str | None, at: str, data: str, kind: str, color: str | None, *, markers: bool
) -> list[SparklineInfo]:
    """Put a sparkline into each cell of `at`, each for one row (or column) of `data`; what the saved file says.

    Raises:
        Problem: no such sheet or range, or `data` does not have as many rows (or columns) as `at` has cells.
    """
    book, grid = open_sheet(path, sheet)
    places = areas_of(at)
    info, area = source_of(book, data, grid.info.name)
    cells = [str(cell) for cell in places[0].cells()]
    slices = _slice_data(area, places[0], data)
    options: dict[str, Any] = {
        "location": cells,
        "range": [f"{quote_sheet(info.name)}!{part}" for part in slices],
        "type": TYPES[kind],
        **({"series_color": f"#{color}"} if color else {}),
        **({"markers": True} if markers and kind == "line" else {}),
    }

    def draw(scratch_book: xlsxwriter.Workbook) -> None:
        if scratch_book.add_worksheet().add_sparkline(cells[0], options) != 0:
            raise Problem(f"sparklines at {at!r} of {data!r} are not valid; check the ranges")

    root = build_scratch_parts(draw)["xl/worksheets/sheet1.xml"]
    _cut_sparklines(grid, places)
    groups = find_extension(root, URI, "sparklineGroups")
    group_list = find_extension(grid.root, URI, "sparklineGroups", make=True)
    if groups is not None and group_list is not None:
        group_list.extend(list(groups))
    grid.changed = True
    save_objects(book, path, grid)
    return [
        sparkline for sparkline in list_sparklines(open_sheet(path, grid.info.name)[1]) if sparkline.cell in set(cells)
    ]


def delete_sparklines(path: Path, sheet: str | None, at: str) -> int:
    """Take the sparklines out of cells; how many there were.

    Raises:
        Problem: there is none.
    """
    book, grid = open_sheet(path, sheet)
    count = _cut_sparklines(grid, areas_of(at))
    if not count:
        raise Problem(f"{at!r} of the sheet {grid.info.name!r} has no sparklines; use read_objects to list them")
    drop_empty_extension(grid.root, URI)
    grid.changed = True
    save_objects(book, path, grid)
    return count


def list_sparklines(grid: Grid) -> list[SparklineInfo]:
    """The sparklines of a sheet."""
    groups = find_extension(grid.root, URI, "sparklineGroups")
    return [
        SparklineInfo(
            grid.info.name,
            entry.findtext(qualify_tag("sqref", XM)) or "",
            entry.findtext(qualify_tag("f", XM)) or "",
            _READ_TYPES.get(group.get("type", "line"), group.get("type", "line")),
        )
        for group in (groups if groups is not None else [])
        for entry in group.iter(qualify_tag("sparkline", X14))
    ]


def _slice_data(data: Area, at: Area, text: str) -> list[Area]:
    """The part of `data` for each cell of `at`."""
    if at.rows > 1 and at.columns > 1:
        raise Problem(f"sparklines go into one row or one column of cells, not {at}")
    if at.size == 1:
        if data.rows > 1 and data.columns > 1:
            raise Problem(f"{text!r} has several rows and columns; a sparkline needs one row or column")
        return [data]
    if at.rows == data.rows:
        return [Area(row, data.left, row, data.right) for row in range(data.top, data.bottom + 1)]
    if at.size == data.columns:
        return [Area(data.top, column, data.bottom, column) for column in range(data.left, data.right + 1)]
    raise Problem(
        f"{at} has {at.size} cells, {text!r} {data.rows} rows and {data.columns} columns; the "
        "number of rows or columns must match the number of cells"
    )


def _cut_sparklines(grid: Grid, areas: list[Area]) -> int:
    groups = find_extension(grid.root, URI, "sparklineGroups")
    count = 0
    for group in list(groups) if groups is not None else []:
        for entry in list(group.iter(qualify_tag("sparkline", X14))):
            if any(
                area.meets(other)
                for area in areas
                for other in areas_of(entry.findtext(qualify_tag("sqref", XM)) or "A1")
            ):
                entry.getparent().remove(entry)
                count += 1
        if next(group.iter(qualify_tag("sparkline", X14)), None) is None and groups is not None:
            groups.remove(group)
    return count
