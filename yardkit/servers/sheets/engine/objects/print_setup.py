"""How a sheet prints: paper, margins, area, repeated titles, header and footer, page breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import check_within, open_sheet, save_objects
from yardkit.servers.sheets.engine.cells.ranges import areas_of, reference
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, area_of, cell_of
from yardkit.servers.sheets.engine.objects.defined_names import name_of_sheet, put_name
from yardkit.servers.sheets.engine.package.xml import child, tag
from yardkit.world import Problem

Paper = Literal["letter", "legal", "tabloid", "a3", "a4", "a5"]
_PAPERS = {"letter": "1", "tabloid": "3", "legal": "5", "a3": "8", "a4": "9", "a5": "11"}
_AREA, _TITLES = "_xlnm.Print_Area", "_xlnm.Print_Titles"
_MARGINS = {"left": 0.7, "right": 0.7, "top": 0.75, "bottom": 0.75, "header": 0.3, "footer": 0.3}
MAX_HEADER = 255


@dataclass(frozen=True)
class Print:
    """What to change of a sheet's print set-up; None leaves it as it is. `area` "none" prints all;
    `fit` is pages wide and tall (0: as many as it takes); header and footer have left, center and right parts.
    """

    orientation: str | None = None
    paper: str | None = None
    area: str | None = None
    title_rows: str | None = None
    title_columns: str | None = None
    fit_wide: int | None = None
    fit_tall: int | None = None
    scale: int | None = None
    header: list[str] | None = None
    footer: list[str] | None = None
    margins: dict[str, float] | None = None
    breaks: list[str] | None = None
    centered: bool | None = None
    gridlines: bool | None = None


@dataclass(frozen=True)
class PrintInfo:
    """The print set-up of a sheet; margins in inches; breaks are the first cells after a break."""

    sheet: str
    orientation: str = "portrait"
    paper: str = ""
    area: str = ""
    titles: str = ""
    fit: str = ""
    scale: int = 100
    header: str = ""
    footer: str = ""
    margins: dict[str, float] = field(default_factory=dict)
    breaks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        facts = [self.orientation, self.paper, f"{self.scale} %" if not self.fit else f"fits {self.fit}"]
        facts += [f"area {self.area}"] * bool(self.area) + [f"titles {self.titles}"] * bool(self.titles)
        facts += [f"header {self.header}"] * bool(self.header) + [f"footer {self.footer}"] * bool(self.footer)
        facts += [f"breaks at {', '.join(self.breaks)}"] * bool(self.breaks)
        return f"{self.sheet!r} prints: {'; '.join(filter(None, facts))}"


def set_print(path: Path, sheet: str | None, wanted: Print) -> PrintInfo:
    """Change how a sheet prints; what the saved file says.

    Raises:
        Problem: no such sheet, range, rows or columns.
    """
    check_within(wanted.fit_wide, 0, 999, "fit_wide")
    check_within(wanted.fit_tall, 0, 999, "fit_tall")
    check_within(wanted.scale, 10, 400, "scale")
    book, grid = open_sheet(path, sheet)
    _set_page(grid, wanted)
    _set_names(grid, wanted)
    if wanted.margins is not None:
        _set_margins(grid, wanted.margins)
    for name, parts in (("oddHeader", wanted.header), ("oddFooter", wanted.footer)):
        if parts is not None:
            _set_heading(grid, name, parts)
    if wanted.breaks is not None:
        _set_breaks(grid, wanted.breaks)
    grid.changed = True
    save_objects(book, path, grid)
    return print_setup(open_sheet(path, grid.info.name)[1])


def print_setup(grid: Grid) -> PrintInfo:
    """How a sheet prints."""
    page = grid.root.find(tag("pageSetup"))
    get = page.get if page is not None else {}.get
    margins = grid.root.find(tag("pageMargins"))
    papers = {value: key for key, value in _PAPERS.items()}
    name, book = grid.info.name, grid.book
    return PrintInfo(
        name,
        get("orientation", "portrait"),
        papers.get(get("paperSize", ""), get("paperSize", "")),
        name_of_sheet(book, _AREA, name),
        name_of_sheet(book, _TITLES, name),
        _fitted(get("fitToWidth", "1"), get("fitToHeight", "1")) if _fits(grid) else "",
        int(get("scale", "100")),
        grid.root.findtext(f"{tag('headerFooter')}/{tag('oddHeader')}") or "",
        grid.root.findtext(f"{tag('headerFooter')}/{tag('oddFooter')}") or "",
        {key: float(value) for key, value in margins.items()} if margins is not None else {},
        _breaks(grid),
    )


def _fits(grid: Grid) -> bool:
    found = grid.root.find(f"{tag('sheetPr')}/{tag('pageSetUpPr')}")
    return found is not None and found.get("fitToPage") in ("1", "true")


def _fitted(wide: str, tall: str) -> str:
    return ", ".join(f"{'any' if pages == '0' else pages} {way}" for pages, way in ((wide, "wide"), (tall, "tall")))


def _set_page(grid: Grid, wanted: Print) -> None:
    setup = {
        "paperSize": wanted.paper and _PAPERS[wanted.paper],
        "scale": wanted.scale and str(wanted.scale),
        "fitToWidth": None if wanted.fit_wide is None else str(wanted.fit_wide),
        "fitToHeight": None if wanted.fit_tall is None else str(wanted.fit_tall),
        "orientation": wanted.orientation,
    }
    given = {name: value for name, value in setup.items() if value is not None}
    if given:
        page = child(grid.root, "pageSetup", ORDER)
        if wanted.fit_wide is not None and wanted.fit_tall is None and not _fits(grid):
            page.set("fitToHeight", "0")  # As Excel does; the file's own default would squeeze all rows into one page.
        for name, value in given.items():
            page.set(name, value)
    if wanted.fit_wide is not None or wanted.fit_tall is not None or wanted.scale is not None:
        fits = wanted.fit_wide is not None or wanted.fit_tall is not None
        properties = child(child(grid.root, "sheetPr", ORDER), "pageSetUpPr", ("tabColor", "outlinePr", "pageSetUpPr"))
        properties.set("fitToPage", str(int(fits)))
    options = {"horizontalCentered": wanted.centered, "gridLines": wanted.gridlines}
    for name, flag in options.items():
        if flag is not None:
            child(grid.root, "printOptions", ORDER).set(name, str(int(flag)))


def _set_names(grid: Grid, wanted: Print) -> None:
    name, book = grid.info.name, grid.book
    if wanted.area is not None:
        areas = [] if wanted.area == "none" else areas_of(wanted.area)
        put_name(book, _AREA, ",".join(reference(name, area) for area in areas) or None, name)
    if wanted.title_rows is None and wanted.title_columns is None:
        return
    kept = name_of_sheet(book, _TITLES, name)
    old = re.findall(r"\$[A-Z]+:\$[A-Z]+|\$\d+:\$\d+", kept)
    columns = next((span for span in old if span[1].isalpha()), "")
    rows = next((span for span in old if span[1].isdigit()), "")
    if wanted.title_columns is not None:
        columns = _whole(wanted.title_columns, rows=False)
    if wanted.title_rows is not None:
        rows = _whole(wanted.title_rows, rows=True)
    parts = [reference(name, area_of(text)) for text in (columns, rows) if text]
    put_name(book, _TITLES, ",".join(parts) or None, name)


def _whole(text: str, *, rows: bool) -> str:
    """``1:2`` or ``A:B`` (also ``1``, ``A``); "none" is empty."""
    if text == "none":
        return ""
    area = area_of(text if ":" in text else f"{text}:{text}")
    if (area.columns if rows else area.rows) != (MAX_COLUMN if rows else MAX_ROW):
        raise Problem(f"{text!r} is not entire {('rows' if rows else 'columns')}; use {('1:2' if rows else 'A:B')}")
    return text if ":" in text else f"{text}:{text}"


def _set_margins(grid: Grid, margins: dict[str, float]) -> None:
    unknown = sorted(set(margins) - set(_MARGINS))
    if unknown or any(not 0 <= value <= 20 for value in margins.values()):
        raise Problem(f"margins are inches from 0 to 20 for {', '.join(_MARGINS)}; given: {margins}")
    entry = child(grid.root, "pageMargins", ORDER)
    for name, standard in _MARGINS.items():
        entry.set(name, f"{margins.get(name, float(entry.get(name, standard))):g}")


def _set_heading(grid: Grid, name: str, parts: list[str]) -> None:
    if len(parts) == 1:
        parts = ["", parts[0], ""]
    if len(parts) not in (0, 3):
        raise Problem(f"a header or footer needs left, center and right parts (or only a center), not {len(parts)}")
    text = "".join(f"&{side}{part}" for side, part in zip("LCR", parts, strict=False) if part)
    if len(text) > MAX_HEADER:
        raise Problem(f"the header or footer has {len(text)} characters; the limit is {MAX_HEADER}")
    order = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
    holder = child(grid.root, "headerFooter", ORDER)
    entry = child(holder, name, order)
    entry.text = text
    if not text:
        holder.remove(entry)
        if not len(holder) and not holder.attrib:
            grid.root.remove(holder)


def _set_breaks(grid: Grid, breaks: list[str]) -> None:
    """Begin a new page at each cell (its row, and its column where that is not A) or whole column (``D``)."""
    from lxml import etree

    rows, columns = set(), set()
    for text in breaks:
        if text.isalpha():
            columns.add(cell_of(f"{text}1").column - 1)
            continue
        cell = cell_of(f"A{text}" if text.isdigit() else text)
        rows |= {cell.row - 1} if cell.row > 1 else set()
        columns |= {cell.column - 1} if cell.column > 1 else set()
    for name, places, last in (("rowBreaks", rows, MAX_COLUMN - 1), ("colBreaks", columns - {0}, MAX_ROW - 1)):
        holder = child(grid.root, name, ORDER)
        for old in list(holder):
            holder.remove(old)
        for place in sorted(places):
            etree.SubElement(holder, tag("brk"), id=str(place), max=str(last), man="1")
        holder.set("count", str(len(holder)))
        holder.set("manualBreakCount", str(len(holder)))
        if not places:
            grid.root.remove(holder)


def _breaks(grid: Grid) -> list[str]:
    from yardkit.servers.sheets.engine.notation.references import column_name

    def ids(name: str) -> list[int]:
        return [int(entry.get("id", "0")) for entry in _entries(grid, name)]

    return [*(str(row + 1) for row in ids("rowBreaks")), *(column_name(column + 1) for column in ids("colBreaks"))]


def _entries(grid: Grid, name: str) -> list[Any]:
    return list(grid.root.iterfind(f"{tag(name)}/{tag('brk')}"))
