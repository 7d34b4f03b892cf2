"""Pivot tables read from their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from yardkit.kit.ooxml.relations import REL, find_related
from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.sheets.engine.cells.ranges import quote_sheet
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.values import unescape_text
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_spec import Function, PivotInfo, PivotValue

_KNOWN_FUNCTIONS = ("sum", "count", "average", "min", "max")


@dataclass(frozen=True)
class StoredPivot:
    """A pivot table with its parts; `full_area` are its cells with those of its filters, `first` is the first of them;
    `simple` says that it is of the kind that is written here.
    """

    info: PivotInfo
    part: str
    cache: str
    cache_id: str
    first: Cell
    full_area: Area
    simple: bool


def pivots_of(book: Workbook, sheet: SheetInfo | None = None) -> list[StoredPivot]:
    """The pivot tables of a sheet, or of the whole workbook."""
    pivots = []
    for info in [sheet] if sheet else book.sheets:
        for kind, part in book.relations_of(info.part).values():
            cache = find_related(book.package, part, "pivotCacheDefinition") if part in book.package else None
            if kind == "pivotTable" and cache:
                pivots.append(_read_pivot(book, info, part, cache))
    return pivots


def _read_pivot(book: Workbook, info: SheetInfo, part: str, cache: str) -> StoredPivot:
    root, definition = (parse_part(book.package.read(text), text) for text in (part, cache))
    fields = [unescape_text(entry.get("name", "")) for entry in definition.iter(qualify_tag("cacheField"))]
    shared = [entry.find(qualify_tag("sharedItems")) for entry in definition.iter(qualify_tag("cacheField"))]

    def axis(name: str) -> list[str]:
        entries = root.iterfind(f"{qualify_tag(name)}/{qualify_tag('field')}")
        return [fields[int(entry.get("x"))] for entry in entries if 0 <= int(entry.get("x", "-2")) < len(fields)]

    body = area_of(root.find(qualify_tag("location")).get("ref", "A1"))
    pages = root.findall(f"{qualify_tag('pageFields')}/{qualify_tag('pageField')}")
    first = Cell(body.top - (len(pages) + 1 if pages else 0), body.left)
    full_area = Area(max(first.row, 1), body.left, body.bottom, max(body.right, body.left + bool(pages)))
    filters = {
        fields[int(page.get("fld"))]: _read_chosen_items(root, page, shared[int(page.get("fld"))]) for page in pages
    }
    summary = PivotInfo(
        root.get("name", ""),
        info.name,
        str(body),
        _read_source_range(definition),
        axis("rowFields"),
        axis("colFields"),
        _read_values(book, root, fields),
        filters,
    )
    return StoredPivot(summary, part, cache, root.get("cacheId", ""), first, full_area, _is_simple(root, definition))


def _read_source_range(definition: Any) -> str:
    entry = definition.find(f"{qualify_tag('cacheSource')}/{qualify_tag('worksheetSource')}")
    if entry is None:
        return f"({definition.find(qualify_tag('cacheSource')).get('type', 'unknown')})"
    if entry.get(qualify_tag("id", REL)):
        return "(another workbook)"
    name = entry.get("name")
    return str(name) if name else f"{quote_sheet(entry.get('sheet', ''))}!{entry.get('ref', '')}"


def _read_values(book: Workbook, root: Any, fields: list[str]) -> list[PivotValue]:
    return [
        PivotValue(
            fields[int(entry.get("fld", "0"))],
            cast("Function", entry.get("subtotal", "sum")),
            entry.get("name", ""),
            book.styles.code_of(int(entry.get("numFmtId", "0"))),
        )
        for entry in root.iterfind(f"{qualify_tag('dataFields')}/{qualify_tag('dataField')}")
    ]


def _read_chosen_items(root: Any, page: Any, shared: Any) -> list[str]:
    """The items that a filter lets through; empty means all."""
    texts = [_format_item(item) for item in shared] if shared is not None else []
    field = root.findall(f"{qualify_tag('pivotFields')}/{qualify_tag('pivotField')}")[int(page.get("fld", "0"))]
    items = field.findall(f"{qualify_tag('items')}/{qualify_tag('item')}")
    if page.get("item") is not None and int(page.get("item")) < len(items):
        items = [items[int(page.get("item"))]]
    elif not any(item.get("h") in ("1", "true") for item in items):
        return []
    places = [int(item.get("x")) for item in items if item.get("x") and item.get("h") not in ("1", "true")]
    return [texts[place] for place in places if place < len(texts)]


def _format_item(item: Any) -> str:
    kind = str(item.tag).rsplit("}", 1)[-1]
    value = str(item.get("v", ""))
    if kind == "m":
        return "(blank)"
    if kind == "d":
        return value.removesuffix("T00:00:00")
    if kind == "b":
        return "TRUE" if value in ("1", "true") else "FALSE"
    return unescape_text(value)


def _is_simple(root: Any, definition: Any) -> bool:
    """Tabular, without subtotals, groups, calculated fields or functions that are not written here."""
    axes = [field for field in root.iter(qualify_tag("pivotField")) if field.get("axis")]
    is_tabular = all(field.get("outline") == "0" and field.get("defaultSubtotal") == "0" for field in axes)
    known = all(
        entry.get("subtotal", "sum") in _KNOWN_FUNCTIONS and not entry.get("showDataAs")
        for entry in root.iter(qualify_tag("dataField"))
    )
    special = any(
        next(definition.iter(qualify_tag(name)), None) is not None
        for name in ("fieldGroup", "calculatedItems", "consolidation")
    )
    totals = "0" not in (root.get("rowGrandTotals", "1"), root.get("colGrandTotals", "1"))
    sheet_source = definition.find(f"{qualify_tag('cacheSource')}/{qualify_tag('worksheetSource')}")
    return (
        is_tabular
        and known
        and not special
        and totals
        and sheet_source is not None
        and not sheet_source.get(qualify_tag("id", REL))
    )
