"""Parts beside the sheet that name its cells: names, tables, charts, drawings, notes, pivot tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from yardkit.kit.ooxml.relations import REL
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Shift
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_CHARTEX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_VML_CELL = re.compile(r"(<x:(Row|Column)>)(\d+)(</x:\2>)")


def rewrite_parts(book: Workbook, change: Callable[[str, str], str]) -> None:
    """Apply `change` to the formulas of names, tables and charts."""
    rewrite_displayed(book, change)
    for part in [part for part in book.package.names() if "/tables/table" in part and part.endswith(".xml")]:
        own = next((table.sheet for table in list_tables(book) if table.part == part), "")
        _rewrite_part(
            book, part, (qualify_tag("calculatedColumnFormula"), qualify_tag("totalsRowFormula")), change, own
        )


def rewrite_displayed(book: Workbook, change: Callable[[str, str], str]) -> None:
    """Apply `change` to the formulas of names and charts."""
    sheets = [entry.get("name", "") for entry in book.element("sheets")]
    for name in book.root.iter(qualify_tag("definedName")):
        scope = int(name.get("localSheetId", "-1"))
        own = sheets[scope] if 0 <= scope < len(sheets) else ""
        name.text = change(name.text or "", own)
    for part in [part for part in book.package.names() if "/charts/chart" in part and part.endswith(".xml")]:
        _rewrite_part(book, part, (qualify_tag("f", _CHART), qualify_tag("f", _CHARTEX)), change, "")


def _rewrite_part(
    book: Workbook, part: str, tags: tuple[str, ...], change: Callable[[str, str], str], own: str
) -> None:
    root = parse_part(book.package.read(part), part)
    changed = False
    for element in root.iter(*tags):
        if element.text and (new := change(element.text, own)) != element.text:
            element.text = new
            changed = True
    if changed:
        book.package.put(part, serialize_part(root))


def shift_parts(book: Workbook, grid: Grid, change: Shift) -> None:
    """Shift the parts that lie on the sheet, and the pivot tables that read it."""
    for kind, part in book.relations_of(grid.info.part).values():
        if part not in book.package:
            continue
        if kind == "table":
            _shift_table(book, part, grid, change)
        elif kind == "drawing":
            _shift_drawing(book, part, change)
        elif kind in ("comments", "threadedComment", "pivotTable"):
            _shift_references(book, part, change)
        elif kind == "vmlDrawing":
            _shift_notes(book, part, change)
    _shift_pivot_sources(book, change)


def _shift_pivot_sources(book: Workbook, change: Shift) -> None:
    for part in [part for part in book.package.names() if "pivotCacheDefinition" in part and part.endswith(".xml")]:
        root = parse_part(book.package.read(part), part)
        for source in root.iter(qualify_tag("worksheetSource")):
            if source.get("sheet", "").casefold() == change.sheet.casefold() and source.get("ref"):
                source.set("ref", " ".join(shifted_areas(source.get("ref"), change)) or source.get("ref"))
                book.package.put(part, serialize_part(root))


def rename_pivot_sources(book: Workbook, attribute: Literal["sheet", "name"], old: str, new: str) -> None:
    """Let pivot tables that read the sheet, or the table or name (`name`), `old` read it by its `new` name."""
    for part in [part for part in book.package.names() if "pivotCacheDefinition" in part and part.endswith(".xml")]:
        root = parse_part(book.package.read(part), part)
        for source in root.iter(qualify_tag("worksheetSource")):
            if source.get(attribute, "").casefold() == old.casefold() and not source.get(qualify_tag("id", REL)):
                source.set(attribute, new)
                book.package.put(part, serialize_part(root))


def shifted_areas(text: str, change: Shift) -> list[str]:
    """The areas of a list such as ``A1:B2 D4`` where they are afterwards; those that went are left out."""
    new_areas = []
    for word in text.split():
        try:
            area = change.get_area(area_of(word))
        except Problem:
            new_areas.append(word)
            continue
        if area is not None:
            new_areas.append(str(area))
    return new_areas


def _shift_references(book: Workbook, part: str, change: Shift) -> None:
    root = parse_part(book.package.read(part), part)
    for element in [element for element in root.iter() if isinstance(element.tag, str) and element.get("ref")]:
        areas = shifted_areas(element.get("ref"), change)
        if areas:
            element.set("ref", areas[0])
        elif element.getparent() is not None:
            element.getparent().remove(element)
    book.package.put(part, serialize_part(root))


def _shift_table(book: Workbook, part: str, grid: Grid, change: Shift) -> None:
    root = parse_part(book.package.read(part), part)
    old = area_of(root.get("ref", "A1"))
    new = change.get_area(old)
    if new is None or new == old:
        return
    for element in root.iter():
        if isinstance(element.tag, str) and element.get("ref"):
            areas = shifted_areas(element.get("ref"), change)
            element.set("ref", areas[0] if areas else str(new))
    totals = int(root.get("totalsRowCount", "0"))
    for entry in root.iterfind(qualify_tag("autoFilter")):
        entry.set("ref", str(Area(new.top, new.left, new.bottom - totals, new.right)))
    if not change.rows:
        _shift_table_columns(root, grid, old, change)
    book.package.put(part, serialize_part(root))


def _shift_table_columns(root: Any, grid: Grid, old: Area, change: Shift) -> None:
    """Take out the columns that went; columns that came get names, which are written into the header too."""
    from lxml import etree

    columns = root.find(qualify_tag("tableColumns"))
    entries = list(columns)
    if change.count < 0:
        for index, entry in enumerate(entries):
            if change.line(old.left + index) is None:
                columns.remove(entry)
    elif old.left < change.at <= old.right:
        names = {entry.get("name", "").casefold() for entry in entries}
        number = max(int(entry.get("id", "0")) for entry in entries)
        for step in range(change.count):
            name = next(text for text in map("Column{}".format, range(1, 20_000)) if text.casefold() not in names)
            names.add(name.casefold())
            entry = etree.Element(qualify_tag("tableColumn"), id=str(number + 1 + step), name=name)
            columns.insert(change.at - old.left + step, entry)
            grid.set_value(Cell(old.top, change.at + step), name)
    columns.set("count", str(len(columns)))


def _shift_drawing(book: Workbook, part: str, change: Shift) -> None:
    """Anchors of pictures and charts: what lay wholly on deleted rows shrinks to a line, as in Excel."""
    root = parse_part(book.package.read(part), part)
    name = qualify_tag("row" if change.rows else "col", _DRAWING)
    moved = False
    for anchor in root:
        if anchor.get("editAs") == "absolute":
            continue
        for end in (anchor.find(qualify_tag("from", _DRAWING)), anchor.find(qualify_tag("to", _DRAWING))):
            element = end.find(name) if end is not None else None
            if element is not None:
                line = change.line(int(element.text) + 1)
                element.text = str((change.at if line is None else line) - 1)
                moved = True
    if moved:
        book.package.put(part, serialize_part(root))


def _shift_notes(book: Workbook, part: str, change: Shift) -> None:
    """The boxes of notes say which cell they belong to."""
    text = book.package.read(part).decode("utf-8", "surrogateescape")  # VML may be in any encoding
    word = "Row" if change.rows else "Column"

    def moved(match: re.Match[str]) -> str:
        line = change.line(int(match[3]) + 1) if match[2] == word else int(match[3]) + 1
        return f"{match[1]}{(change.at if line is None else line) - 1}{match[4]}"

    book.package.put(part, _VML_CELL.sub(moved, text).encode("utf-8", "surrogateescape"))
