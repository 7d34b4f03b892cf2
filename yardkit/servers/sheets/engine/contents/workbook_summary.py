"""What a workbook holds, without its data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.contents.column_profiles import profile_sheet
from yardkit.servers.sheets.engine.contents.object_list import list_slicers
from yardkit.servers.sheets.engine.graphics.sparklines import list_sparklines
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.objects.conditional_formats import list_rules
from yardkit.servers.sheets.engine.objects.hyperlinks import list_links
from yardkit.servers.sheets.engine.objects.protection import sheet_protection
from yardkit.servers.sheets.engine.objects.validations import list_validations
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_reader import pivots_of
from yardkit.servers.sheets.engine.results import NameSummary, SheetSummary, TableSummary, WorkbookSummary

_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_MAX_HEADER = 50
_MAX_ERRORS = 20
_MAX_MERGED = 50


def inspect_workbook(path: Path, sheet: str | None = None, *, profiled: bool = False) -> WorkbookSummary:
    """Sheets with used ranges, tables, charts, formulas and errors; names; what else is in the file.

    With `sheet` only that one, `profiled` with what its columns hold (without `sheet`: those of the first sheet).

    Raises:
        Problem: no workbook that can be read, or no such sheet.
    """
    book = Workbook.open(path)
    names = book.package.names()
    only = book.sheet(sheet).name if sheet else None
    return WorkbookSummary(
        path.name,
        [_summarize_sheet(book, info) for info in book.sheets if only in (None, info.name)],
        [NameSummary(name.name, name.formula, name.scope) for name in book.names if not name.hidden],
        macros=any(part.endswith("vbaProject.bin") for part in names),
        pivot_tables=sum(part.startswith("xl/pivotTables/pivotTable") for part in names),
        external_links=sum(part.startswith("xl/externalLinks/externalLink") for part in names),
        date_system=1904 if book.date1904 else 1900,
        profile=profile_sheet(book, sheet) if profiled else None,
    )


def _summarize_sheet(book: Workbook, info: SheetInfo) -> SheetSummary:
    related = book.relations_of(info.part)
    charts, images = _list_drawn(book, related)
    if info.kind != "worksheet":
        return SheetSummary(info.name, info.kind, info.state, charts=charts, images=images)
    grid = Grid(book, info)
    formulas, uncomputed, errors = _formulas_and_errors(grid)
    used = grid.get_used_area()
    root = grid.root
    return SheetSummary(
        info.name,
        info.kind,
        info.state,
        str(used) if used else None,
        _read_header(grid, used),
        formulas,
        uncomputed,
        errors,
        [str(area) for area in grid.list_merged()[:_MAX_MERGED]],
        [TableSummary(table.name, str(table.area), table.columns) for table in list_tables(book, info)],
        charts,
        images,
        _count_comments(book, related),
        len(list_rules(grid)),
        len(list_validations(grid)),
        grid.source.hidden_rows(),
        sum(_columns_hidden(entry) for entry in root.iterfind(f"{qualify_tag('cols')}/{qualify_tag('col')}")),
        next(
            (pane.get("topLeftCell") for pane in root.iter(qualify_tag("pane")) if pane.get("state") == "frozen"), None
        ),
        sheet_protection(grid).protected,
        [f"{pivot.info.name} at {pivot.info.range} of {pivot.info.source}" for pivot in pivots_of(book, info)],
        len(list_sparklines(grid)),
        len(list_links(grid)),
        list_slicers(grid),
    )


def _formulas_and_errors(grid: Grid) -> tuple[int, int, list[str]]:
    rows = grid.formula_rows().values()
    formulas = sum(len(row) for row in rows)
    uncomputed = sum(not formula.has_value for row in rows for formula in row.values())
    return formulas, uncomputed, grid.source.errors(_MAX_ERRORS)


def _read_header(grid: Grid, used: Area | None) -> list[Scalar]:
    if used is None:
        return []
    first = Area(used.top, used.left, used.top, min(used.right, used.left + _MAX_HEADER - 1))
    values = {cell.column: content.value for cell, content in grid.contents(first)}
    return [values.get(column) for column in range(first.left, first.right + 1)]


def _columns_hidden(entry: Any) -> int:
    hidden = entry.get("hidden") in ("1", "true")
    return int(entry.get("max", "0")) - int(entry.get("min", "0")) + 1 if hidden else 0


def _count_comments(book: Workbook, related: dict[str, tuple[str, str]]) -> int:
    parts = [part for kind, part in related.values() if kind == "comments" and part in book.package]
    return sum(len(list(parse_part(book.package.read(part), part).iter(qualify_tag("comment")))) for part in parts)


def _list_drawn(book: Workbook, related: dict[str, tuple[str, str]]) -> tuple[list[str], int]:
    """Titles of the charts of a sheet, and how many pictures it shows."""
    charts: list[str] = []
    images = 0
    for kind, part in related.values():
        if kind != "drawing" or part not in book.package:
            continue
        for sub_kind, sub_part in book.relations_of(part).values():
            images += sub_kind == "image"
            if sub_kind == "chart" and sub_part in book.package:
                charts.append(_chart_title(parse_part(book.package.read(sub_part), sub_part)))
    return charts, images


def _chart_title(root: Any) -> str:
    title = root.find(f"{qualify_tag('chart', _CHART)}/{qualify_tag('title', _CHART)}")
    text = "".join(run.text or "" for run in title.iter(qualify_tag("t", _DRAWING))) if title is not None else ""
    plots = [str(child.tag).rsplit("}", 1)[-1] for child in root.iter() if str(child.tag).endswith("Chart")]
    return f"{text} ({plots[0]})" if text and plots else text or (plots[0] if plots else "chart")
