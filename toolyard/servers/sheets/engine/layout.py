"""How a sheet looks: formats of cells, widths of columns, frozen panes."""

from __future__ import annotations

import copy
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from toolyard.servers.sheets.engine.grid import ORDER, Grid
from toolyard.servers.sheets.engine.refs import MAX_COLUMN, Area, area_of, cell_of
from toolyard.servers.sheets.engine.saving import Saved, save
from toolyard.servers.sheets.engine.styles import Change
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.servers.sheets.engine.xml import child, tag
from toolyard.world import Problem

MAX_CELLS = 100_000
_VIEW = ("pane", "selection", "pivotSelection", "extLst")
_COLOR = re.compile(r"#?([0-9A-Fa-f]{6})")


def format_cells(path: Path, sheet: str | None, area: str, change: Change, *, now: datetime) -> tuple[str, Area, Saved]:
    """Change the look of a range; values and all other properties of the cells stay.

    Raises:
        Problem: no such sheet or range, too many cells, or a colour that is none.
    """
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(sheet))
    wanted = area_of(area)
    used = grid.used()
    if wanted.size > MAX_CELLS and used and wanted.meets(used):
        wanted = wanted.within(used)
    if wanted.size > MAX_CELLS:
        raise Problem(f"{area!r} has {wanted.size:,} cells; format at most {MAX_CELLS:,} at once")
    for cell in wanted.cells():
        element = grid.ensure(cell)
        element.set("s", str(book.styles.derived(int(element.get("s", "0")), change)))
    saved = save(book, {grid.info.name: grid}, path, touched=set(), written=set(), now=now)
    return grid.info.name, wanted, saved


def set_layout(
    path: Path, sheet: str | None, *, freeze_at: str | None, widths: dict[str, float], now: datetime
) -> Saved:
    """Freeze what is above and left of the cell `freeze_at` ("A1" thaws), set widths of columns in characters.

    Raises:
        Problem: no such sheet, cell or column; a width outside 0 to 255.
    """
    book = Workbook.open(path)
    grid = Grid(book, book.sheet(sheet))
    if freeze_at is not None:
        freeze(child(child(grid.root, "sheetViews", ORDER), "sheetView", ("sheetView", "extLst")), freeze_at)
    for columns, width in widths.items():
        set_width(grid, columns, width)
    grid.changed = True
    return save(book, {grid.info.name: grid}, path, touched=set(), written=set(), now=now)


def color(text: str | None) -> str | None:
    """RRGGBB of a colour; "none" stays.

    Raises:
        Problem: it is no colour.
    """
    if text is None or text == "none":
        return text
    match = _COLOR.fullmatch(text.strip())
    if not match:
        raise Problem(f"{text!r} is not a colour; write it as RRGGBB, such as FFF2CC")
    return match[1].upper()


def freeze(view: Any, at: str) -> None:
    """Freeze what is above and left of the cell `at`."""
    from lxml import etree

    cell = cell_of(at)
    for old in [*view.findall(tag("pane")), *view.findall(tag("selection"))]:
        view.remove(old)
    view.set("workbookViewId", view.get("workbookViewId", "0"))
    if (cell.row, cell.column) == (1, 1):
        return
    pane = child(view, "pane", _VIEW)
    if cell.column > 1:
        pane.set("xSplit", str(cell.column - 1))
    if cell.row > 1:
        pane.set("ySplit", str(cell.row - 1))
    active = ("bottom" if cell.row > 1 else "top") + ("Right" if cell.column > 1 else "Left")
    for name, value in (("topLeftCell", str(cell)), ("activePane", active), ("state", "frozen")):
        pane.set(name, value)
    pane.addnext(etree.Element(tag("selection"), pane=active))


def set_width(grid: Grid, columns: str, width: float) -> None:
    """Set the width of ``B`` or ``B:D`` in characters; other properties of the columns stay.

    Raises:
        Problem: no such columns, or a width outside 0 to 255.
    """
    if not 0 <= width <= 255:
        raise Problem(f"a width of {width:g} characters is outside 0 to 255")
    span = area_of(columns if ":" in columns else f"{columns}:{columns}")
    entries = {column: entry for entry in grid.root.iterfind(f"{tag('cols')}/{tag('col')}") for column in _span(entry)}
    parent = child(grid.root, "cols", ORDER)
    kept = _split(entries, span)
    for column in range(span.left, span.right + 1):
        entry = kept.get((column, column))
        if entry is None:
            entry = parent.makeelement(tag("col"), {})
        entry.set("width", f"{width:g}")
        entry.set("customWidth", "1")
        kept[column, column] = entry
    for old in list(parent):
        parent.remove(old)
    for (first, last), entry in sorted(kept.items(), key=lambda item: item[0]):
        entry.set("min", str(first))
        entry.set("max", str(last))
        parent.append(entry)
    grid.changed = True


def _span(entry: Any) -> range:
    return range(int(entry.get("min", "1")), min(int(entry.get("max", "1")), MAX_COLUMN) + 1)


def _split(entries: dict[int, Any], span: Area) -> dict[tuple[int, int], Any]:
    """The column entries as they are outside of `span`, one for each column inside."""
    kept: dict[tuple[int, int], Any] = {}
    for entry in {id(entry): entry for entry in entries.values()}.values():
        columns = _span(entry)
        before = range(columns.start, min(columns.stop, span.left))
        after = range(max(columns.start, span.right + 1), columns.stop)
        inside = range(max(columns.start, span.left), min(columns.stop, span.right + 1))
        for part in [before, after, *(range(column, column + 1) for column in inside)]:
            if len(part):
                kept[part.start, part.stop - 1] = copy.deepcopy(entry)
    return kept
