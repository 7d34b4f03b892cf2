"""A workbook inside a chart with more sheets than the chart's own keeps them: new data get a sheet of their own."""

from __future__ import annotations

import copy
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.relations import add_relation, find_related, main_part, read_relations, set_type
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.world import Problem

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_M = f"{{{_MAIN}}}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_NAME = "Data of the chart"
"""No name that people give: the sheet is written over by the next change."""
_WRITTEN = "Sheet1"
"""The sheet that new data are written on, and that the chart then names."""
_DATA_TAGS = ("tx", "cat", "val", "xVal", "yVal", "bubbleSize")


@dataclass(frozen=True)
class ChartWorkbook:
    """The workbook inside a chart, and the names of the sheets that the chart reads."""

    blob: bytes
    read: list[str]

    @classmethod
    def from_chart(cls, chart: Any) -> ChartWorkbook | None:
        part = chart.part.chart_workbook.xlsx_part
        return None if part is None else cls(part.blob, _sheets_named(chart._chartSpace))


def with_old_sheets(old: ChartWorkbook, new: bytes, space: Any) -> bytes | None:
    """The old workbook of a chart with the data of the new one, where it holds more than those; else None.

    More are other sheets, or macros. The chart's references (`space` is its XML) then lead to the sheet of the new
    data. What is no Open XML (.xlsb, an OLE object) is not kept.
    """
    try:
        book, fresh = _open_package(old.blob), _open_package(new)
        names = [sheet.get("name", "") for sheet in _list_sheets(book)]
    except Problem:
        return None
    if len(names) < 2 and (not names or find_related(book, main_part(book), "vbaProject") is None):
        return None
    own = next((name for name in old.read if name in names and name.startswith(_NAME)), None)
    name = own or _choose_free_name(names)
    _put_sheet(book, name, _build_sheet(book, fresh))
    _set_references(space, name)
    return bytes(book.pack())


def sheet_notes(chart: Any) -> list[str]:
    """Where a user finds the data of a chart whose workbook was kept."""
    names = [name for name in _sheets_named(chart._chartSpace) if name.startswith(_NAME)]
    return [
        f"the workbook inside holds more than these data and was kept; the chart now reads its sheet {name!r}"
        for name in names[:1]
    ]


def sheet_part(blob: bytes, space: Any) -> Any:
    """The XML of the sheet that a chart names in its workbook; without: of the first one.

    Raises:
        Problem: it is no readable workbook.
    """
    book = _open_package(blob)
    sheets = _list_sheets(book)
    if not sheets:
        raise Problem("the workbook of the chart has no sheets")
    named = _sheets_named(space)
    chart_sheet = next((sheet for sheet in sheets if sheet.get("name") in named), sheets[0])
    part = read_relations(book, main_part(book))[chart_sheet.get(f"{_R}id")].target
    return parse_part(book.read(part), part)


def _sheets_named(space: Any) -> list[str]:
    """The names of the sheets that the series of a chart refer to."""
    sheets = (reference.text.rpartition("!")[0] for reference in _list_references(space))
    return list(dict.fromkeys(sheet.strip("'").replace("''", "'") for sheet in sheets))


def _list_references(space: Any) -> list[Any]:
    holders = (
        holder for series in space.iter(f"{_C}ser") for tag in _DATA_TAGS for holder in series.iterfind(f"{_C}{tag}")
    )
    return [formula for holder in holders for formula in holder.iter(f"{_C}f") if formula.text]


def _set_references(space: Any, name: str) -> None:
    for reference in _list_references(space):
        sheet, _, cells = reference.text.rpartition("!")
        if sheet.strip("'") == _WRITTEN:
            reference.text = f"'{name}'!{cells}"


def _choose_free_name(names: list[str]) -> str:
    taken = {name.casefold() for name in names}
    options = [_NAME, *(f"{_NAME} {number}" for number in range(2, len(names) + 2))]
    return next(option for option in options if option.casefold() not in taken)


def _open_package(blob: bytes) -> Package:
    name = "workbook of the chart"
    try:
        return Package(name, blob, zipfile.ZipFile(io.BytesIO(blob)))
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise Problem(f"the {name} is not readable ({error})") from error


def _list_sheets(book: Package) -> list[Any]:
    part = main_part(book)
    return list(parse_part(book.read(part), part).iterfind(f"{_M}sheets/{_M}sheet"))


def _build_sheet(book: Package, fresh: Package) -> Any:
    """The new sheet, with its texts in the cells and its number formats among those of the old workbook."""
    part = find_related(fresh, main_part(fresh), "worksheet") or ""
    root = parse_part(fresh.read(part), part)
    texts = _list_shared_texts(fresh)
    styles = _copy_styles(book, fresh)
    for cell in root.iter(f"{_M}c"):
        if cell.get("s"):
            cell.set("s", str(styles[int(cell.get("s"))]))
        if cell.get("t") == "s":
            text = copy.deepcopy(texts[int(cell.findtext(f"{_M}v"))])
            text.tag = f"{_M}is"
            cell.set("t", "inlineStr")
            cell[:] = [text]
    return root


def _list_shared_texts(fresh: Package) -> list[Any]:
    part = find_related(fresh, main_part(fresh), "sharedStrings")
    return [] if part is None else list(parse_part(fresh.read(part), part).iterfind(f"{_M}si"))


def _copy_styles(book: Package, fresh: Package) -> list[int]:
    """The cell formats of the new workbook, by their numbers there: only number formats differ between them."""
    from lxml import etree

    source = find_related(fresh, main_part(fresh), "styles") or ""
    target = find_related(book, main_part(book), "styles")
    source_styles = parse_part(fresh.read(source), source)
    count = len(source_styles.findall(f"{_M}cellXfs/{_M}xf"))
    if target is None:
        return [0] * count
    root = parse_part(book.read(target), target)
    cells = root.find(f"{_M}cellXfs")
    if cells is None:
        return [0] * count
    codes = {
        element.get("numFmtId"): element.get("formatCode")
        for element in source_styles.iterfind(f"{_M}numFmts/{_M}numFmt")
    }
    style_numbers = [0]
    for element in source_styles.findall(f"{_M}cellXfs/{_M}xf")[1:]:
        number = element.get("numFmtId")
        format_element = etree.SubElement(
            cells, f"{_M}xf", numFmtId=_add_number_format(root, codes[number]) if number in codes else number
        )
        for name, value in (("fontId", "0"), ("fillId", "0"), ("borderId", "0"), ("xfId", "0")):
            format_element.set(name, value)
        format_element.set("applyNumberFormat", "1")
        style_numbers.append(len(cells) - 1)
    cells.set("count", str(len(cells)))
    book.put(target, serialize_part(root))
    return style_numbers


def _add_number_format(root: Any, code: str) -> str:
    """The id of a number format among those of a workbook, which gets it where it lacks it."""
    from lxml import etree

    formats = root.find(f"{_M}numFmts")
    if formats is None:
        formats = etree.Element(f"{_M}numFmts")
        root.insert(0, formats)
    for form in formats:
        if form.get("formatCode") == code:
            return str(form.get("numFmtId"))
    number = str(max([163, *(int(form.get("numFmtId", 0)) for form in formats)]) + 1)
    etree.SubElement(formats, f"{_M}numFmt", numFmtId=number, formatCode=code)
    formats.set("count", str(len(formats)))
    return number


def _put_sheet(book: Package, name: str, content: Any) -> None:
    """Write a sheet, over the one of that name or behind all others, and make it the one that is shown."""
    from lxml import etree

    main = main_part(book)
    root = parse_part(book.read(main), main)
    listing = root.find(f"{_M}sheets")
    entry = next((sheet for sheet in listing if sheet.get("name") == name), None)
    if entry is None:
        part = book.free_name(str(Path(main).parent / "worksheets/sheet{}.xml"))
        number = max(int(sheet.get("sheetId", 0)) for sheet in listing) + 1
        entry = etree.SubElement(listing, f"{_M}sheet", name=name, sheetId=str(number))
        entry.set(f"{_R}id", add_relation(book, main, "worksheet", part))
        set_type(book, part, _SHEET_TYPE)
    else:
        part = read_relations(book, main)[entry.get(f"{_R}id")].target
    for view in root.iterfind(f"{_M}bookViews/{_M}workbookView"):
        view.set("activeTab", str(list(listing).index(entry)))
    book.put(main, serialize_part(root))
    for relation in read_relations(book, main).values():
        if relation.kind == "worksheet" and relation.target != part:
            _unselect_sheet(book, relation.target)
    book.put(part, serialize_part(content))


def _unselect_sheet(book: Package, part: str) -> None:
    """Two selected sheets are a group, in which what is typed into one goes into both."""
    root = parse_part(book.read(part), part)
    selected = [view for view in root.iter(f"{_M}sheetView") if view.get("tabSelected")]
    for view in selected:
        view.attrib.pop("tabSelected")
    if selected:
        book.put(part, serialize_part(root))
