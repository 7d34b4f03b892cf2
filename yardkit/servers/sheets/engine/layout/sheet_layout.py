"""How a sheet looks: formats of cells, merged cells, rows, columns, panes and the view."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import check_within, remove_children
from yardkit.servers.sheets.engine.cells.ranges import areas_of
from yardkit.servers.sheets.engine.compute.calculations import calculation_of
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.layout.columns import autofit_columns, columns_of, mark_columns, set_width
from yardkit.servers.sheets.engine.layout.fitted_sizes import fit_area
from yardkit.servers.sheets.engine.layout.frozen_panes import freeze_panes
from yardkit.servers.sheets.engine.layout.merged_cells import merge_cells, unmerge_cells
from yardkit.servers.sheets.engine.layout.rows import mark_rows, rows_of, set_height
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, area_of
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem

MAX_CELLS = 100_000
OUTLINE = "outline"
_COLOR = re.compile(r"#?([0-9A-Fa-f]{6})")
_SHEET_PROPERTIES = ("tabColor", "outlinePr", "pageSetUpPr")


@dataclass(frozen=True)
class Layout:
    """What to change of a sheet's layout; None and empty leave it as it is. Rows and columns as ``2:5`` and ``B:D``."""

    freeze_at: str | None = None
    widths: dict[str, float] = field(default_factory=dict)
    heights: dict[str, float] = field(default_factory=dict)
    autofit: str | None = None
    hide: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    ungroup: tuple[str, ...] = ()
    collapse: bool = False
    merge: tuple[str, ...] = ()
    unmerge: tuple[str, ...] = ()
    gridlines: bool | None = None
    zoom: int | None = None
    tab_color: str | None = None
    right_to_left: bool | None = None


def format_cells(path: Path, sheet: str | None, area: str, change: Change, *, now: datetime) -> tuple[str, Area, Saved]:
    """Change the look of a range; values and all other properties of the cells stay.

    Raises:
        Problem: no such sheet or range, too many cells, or a colour that is none.
    """
    check_within(change.font_size, 1, 409, "font_size")
    check_within(change.indent, 0, 250, "indent")
    check_within(change.rotation, -90, 90, "rotation")
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(sheet))
    parts = areas_of(area)
    for part in parts:
        _format_area(grid, part, area, change)
        if (used := grid.get_used_area()) is not None and part.meets(used):
            fit_area(grid, part.clip(used))
    saved = save_workbook(book, {grid.info.name: grid}, path, touched=set(), written=set(), now=now)
    return grid.info.name, parts[0], saved


def _format_area(grid: Grid, target_area: Area, text: str, change: Change) -> None:
    used = grid.get_used_area()
    if target_area.columns == MAX_COLUMN or target_area.rows == MAX_ROW:
        if (target_area.columns, target_area.rows) != (MAX_COLUMN, MAX_ROW):
            _format_lines(grid, target_area, change)
        if used is None or not target_area.meets(used):
            return
        target_area = target_area.clip(used)
    if target_area.size > MAX_CELLS:
        raise Problem(f"{text!r} has {target_area.size:,} cells; format at most {MAX_CELLS:,} at once")
    styles = grid.book.styles
    for cell in target_area.cells():
        here = replace(change, sides=_list_outer_sides(cell, target_area)) if OUTLINE in change.sides else change
        element = grid.ensure(cell)
        element.set("s", str(styles.derive_style(int(element.get("s", "0")), here)))


def _format_lines(grid: Grid, target_area: Area, change: Change) -> None:
    """Whole rows or columns: their own format, which empty cells take."""
    if OUTLINE in change.sides:  # An outline belongs to cells.
        change = replace(change, sides=())
    lines, name = (
        (rows_of(grid, target_area), "s")
        if target_area.columns == MAX_COLUMN
        else (columns_of(grid, target_area), "style")
    )
    for line in lines:
        line.set(name, str(grid.book.styles.derive_style(int(line.get(name, "0")), change)))
        if name == "s":
            line.set("customFormat", "1")
    grid.changed = True


def _list_outer_sides(cell: Cell, area: Area) -> tuple[str, ...]:
    """The sides of a cell that lie on the edge of `area`."""
    edges = {
        "left": cell.column == area.left,
        "right": cell.column == area.right,
        "top": cell.row == area.top,
        "bottom": cell.row == area.bottom,
    }
    return tuple(side for side, outer in edges.items() if outer)


def set_layout(path: Path, sheet: str | None, layout: Layout, *, now: datetime) -> Saved:
    """Change the layout of a sheet, all or nothing.

    Raises:
        Problem: no such sheet, cell, row or column; a size out of bounds; merging that would lose values.
    """
    check_within(layout.zoom, 10, 400, "zoom")
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(sheet))
    for area in layout.unmerge:
        unmerge_cells(grid, area_of(area))
    for area in layout.merge:
        merge_cells(grid, area_of(area))
    if layout.autofit is not None:
        autofit_columns(grid, layout.autofit)
    for columns, width in layout.widths.items():
        set_width(grid, columns, width)
    if (layout.widths or layout.autofit is not None) and (used := grid.get_used_area()) is not None:
        fit_area(grid, used)
    for rows, height in layout.heights.items():
        set_height(grid, rows, height)
    _mark_lines(grid, layout)
    _set_view(grid, layout)
    grid.changed = True
    seen = _list_toggled_rows(layout)
    if seen:
        calculation_of(book.known).model = None  # it knows of the rows that were hidden before
    touched = {(grid.info.name, cell) for area in seen for cell, _ in grid.contents(area)}
    return save_workbook(book, {grid.info.name: grid}, path, touched=touched, written=set(), now=now)


def _list_toggled_rows(layout: Layout) -> list[Area]:
    """The rows that come to sight or vanish, which SUBTOTAL and AGGREGATE may leave out."""
    spans = [*layout.show, *layout.hide, *(layout.group if layout.collapse else ())]
    rows = [span for span in spans if not re.match(r"\$?[A-Za-z]", span)]
    return [area_of(span if ":" in span else f"{span}:{span}") for span in rows]


def _mark_lines(grid: Grid, layout: Layout) -> None:
    """Hide, show, group and ungroup rows and columns."""
    changes: list[tuple[tuple[str, ...], dict[str, str | int]]] = [
        (layout.show, {"hidden": ""}),
        (layout.hide, {"hidden": "1"}),
        (layout.ungroup, {"outlineLevel": -1}),
        (layout.group, {"outlineLevel": 1, **({"hidden": "1"} if layout.collapse else {})}),
    ]
    for spans, marks in changes:
        for span in spans:
            area = area_of(span if ":" in span else f"{span}:{span}")
            (mark_columns if re.match(r"\$?[A-Za-z]", span) else mark_rows)(grid, area, marks)


def _set_view(grid: Grid, layout: Layout) -> None:
    view = ensure_child(ensure_child(grid.root, "sheetViews", ORDER), "sheetView", ("sheetView", "extLst"))
    view.set("workbookViewId", view.get("workbookViewId", "0"))
    if layout.freeze_at is not None:
        freeze_panes(view, layout.freeze_at)
    if layout.gridlines is not None:
        view.set("showGridLines", str(int(layout.gridlines)))
    if layout.right_to_left is not None:
        view.set("rightToLeft", str(int(layout.right_to_left)))
    if layout.zoom is not None:
        view.set("zoomScale", str(layout.zoom))
        view.set("zoomScaleNormal", str(layout.zoom))
    if layout.tab_color is not None:
        properties = ensure_child(grid.root, "sheetPr", ORDER)
        remove_children(properties, "tabColor")
        if layout.tab_color != "none":
            ensure_child(properties, "tabColor", _SHEET_PROPERTIES).set("rgb", f"FF{layout.tab_color}")


def normalize_color(text: str | None) -> str | None:
    """RRGGBB of a colour; "none" stays.

    Raises:
        Problem: it is no colour.
    """
    if text is None or text == "none":
        return text
    match = _COLOR.fullmatch(text.strip())
    if not match:
        raise Problem(f"{text!r} is not a valid colour; use RRGGBB, such as FFF2CC")
    return match[1].upper()


def frozen_at(grid: Grid) -> str | None:
    """The first cell that scrolls, where panes are frozen."""
    panes = (pane for pane in grid.root.iter(qualify_tag("pane")) if pane.get("state") == "frozen")
    return next((pane.get("topLeftCell") for pane in panes), None)
