"""How a sheet prints: paper, margins, area, repeated titles, header and footer, page breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import check_within, open_sheet, save_objects
from yardkit.servers.sheets.engine.cells.ranges import areas_of, format_reference
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, area_of, cell_of
from yardkit.servers.sheets.engine.objects.defined_names import name_of_sheet, put_name
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
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


def set_print(path: Path, sheet: str | None, print_change: Print) -> PrintInfo:
    """Change how a sheet prints; what the saved file says.

    Raises:
        Problem: no such sheet, range, rows or columns.
    """
    check_within(print_change.fit_wide, 0, 999, "fit_wide")
    check_within(print_change.fit_tall, 0, 999, "fit_tall")
    check_within(print_change.scale, 10, 400, "scale")
    book, grid = open_sheet(path, sheet)
    _set_page(grid, print_change)
    _set_names(grid, print_change)
    if print_change.margins is not None:
        _set_margins(grid, print_change.margins)
    for name, parts in (("oddHeader", print_change.header), ("oddFooter", print_change.footer)):
        if parts is not None:
            _set_heading(grid, name, parts)
    if print_change.breaks is not None:
        _set_breaks(grid, print_change.breaks)
    grid.changed = True
    save_objects(book, path, grid)
    return print_setup(open_sheet(path, grid.info.name)[1])


def print_setup(grid: Grid) -> PrintInfo:
    """How a sheet prints."""
    page = grid.root.find(qualify_tag("pageSetup"))
    get = page.get if page is not None else {}.get
    margins = grid.root.find(qualify_tag("pageMargins"))
    papers = {value: key for key, value in _PAPERS.items()}
    name, book = grid.info.name, grid.book
    return PrintInfo(
        name,
        get("orientation", "portrait"),
        papers.get(get("paperSize", ""), get("paperSize", "")),
        name_of_sheet(book, _AREA, name),
        name_of_sheet(book, _TITLES, name),
        _describe_fit(get("fitToWidth", "1"), get("fitToHeight", "1")) if _fits_pages(grid) else "",
        int(get("scale", "100")),
        grid.root.findtext(f"{qualify_tag('headerFooter')}/{qualify_tag('oddHeader')}") or "",
        grid.root.findtext(f"{qualify_tag('headerFooter')}/{qualify_tag('oddFooter')}") or "",
        {key: float(value) for key, value in margins.items()} if margins is not None else {},
        _list_breaks(grid),
    )


def _fits_pages(grid: Grid) -> bool:
    page_properties = grid.root.find(f"{qualify_tag('sheetPr')}/{qualify_tag('pageSetUpPr')}")
    return page_properties is not None and page_properties.get("fitToPage") in ("1", "true")


def _describe_fit(wide: str, tall: str) -> str:
    return ", ".join(f"{'any' if pages == '0' else pages} {way}" for pages, way in ((wide, "wide"), (tall, "tall")))


def _set_page(grid: Grid, print_change: Print) -> None:
    setup = {
        "paperSize": print_change.paper and _PAPERS[print_change.paper],
        "scale": print_change.scale and str(print_change.scale),
        "fitToWidth": None if print_change.fit_wide is None else str(print_change.fit_wide),
        "fitToHeight": None if print_change.fit_tall is None else str(print_change.fit_tall),
        "orientation": print_change.orientation,
    }
    given = {name: value for name, value in setup.items() if value is not None}
    if given:
        page = ensure_child(grid.root, "pageSetup", ORDER)
        if print_change.fit_wide is not None and print_change.fit_tall is None and not _fits_pages(grid):
            page.set("fitToHeight", "0")  # As Excel does; the file's own default would squeeze all rows into one page.
        for name, value in given.items():
            page.set(name, value)
    if print_change.fit_wide is not None or print_change.fit_tall is not None or print_change.scale is not None:
        fits = print_change.fit_wide is not None or print_change.fit_tall is not None
        properties = ensure_child(
            ensure_child(grid.root, "sheetPr", ORDER), "pageSetUpPr", ("tabColor", "outlinePr", "pageSetUpPr")
        )
        properties.set("fitToPage", str(int(fits)))
    options = {"horizontalCentered": print_change.centered, "gridLines": print_change.gridlines}
    for name, flag in options.items():
        if flag is not None:
            ensure_child(grid.root, "printOptions", ORDER).set(name, str(int(flag)))


def _set_names(grid: Grid, print_change: Print) -> None:
    name, book = grid.info.name, grid.book
    if print_change.area is not None:
        areas = [] if print_change.area == "none" else areas_of(print_change.area)
        put_name(book, _AREA, ",".join(format_reference(name, area) for area in areas) or None, name)
    if print_change.title_rows is None and print_change.title_columns is None:
        return
    old_titles = name_of_sheet(book, _TITLES, name)
    old = re.findall(r"\$[A-Z]+:\$[A-Z]+|\$\d+:\$\d+", old_titles)
    columns = next((span for span in old if span[1].isalpha()), "")
    rows = next((span for span in old if span[1].isdigit()), "")
    if print_change.title_columns is not None:
        columns = _to_full_lines(print_change.title_columns, rows=False)
    if print_change.title_rows is not None:
        rows = _to_full_lines(print_change.title_rows, rows=True)
    parts = [format_reference(name, area_of(text)) for text in (columns, rows) if text]
    put_name(book, _TITLES, ",".join(parts) or None, name)


def _to_full_lines(text: str, *, rows: bool) -> str:
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
    entry = ensure_child(grid.root, "pageMargins", ORDER)
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
    holder = ensure_child(grid.root, "headerFooter", ORDER)
    entry = ensure_child(holder, name, order)
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
        holder = ensure_child(grid.root, name, ORDER)
        for old in list(holder):
            holder.remove(old)
        for place in sorted(places):
            etree.SubElement(holder, qualify_tag("brk"), id=str(place), max=str(last), man="1")
        holder.set("count", str(len(holder)))
        holder.set("manualBreakCount", str(len(holder)))
        if not places:
            grid.root.remove(holder)


def _list_breaks(grid: Grid) -> list[str]:
    from yardkit.servers.sheets.engine.notation.references import column_name

    def ids(name: str) -> list[int]:
        return [int(entry.get("id", "0")) for entry in _list_break_entries(grid, name)]

    return [*(str(row + 1) for row in ids("rowBreaks")), *(column_name(column + 1) for column in ids("colBreaks"))]


def _list_break_entries(grid: Grid, name: str) -> list[Any]:
    return list(grid.root.iterfind(f"{qualify_tag(name)}/{qualify_tag('brk')}"))
