"""Pivot tables read from their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from yardkit.kit.ooxml.relations import REL, related
from yardkit.kit.ooxml.xml import parse
from yardkit.servers.sheets.engine.cells.ranges import quoted
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.values import unescaped
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import tag
from yardkit.servers.sheets.engine.pivots.pivot_spec import Function, PivotInfo, PivotValue

_KNOWN_FUNCTIONS = ("sum", "count", "average", "min", "max")


@dataclass(frozen=True)
class Found:
    """A pivot table with its parts; `whole` are its cells with those of its filters, `first` is the first of them;
    `simple` says that it is of the kind that is written here.
    """

    info: PivotInfo
    part: str
    cache: str
    cache_id: str
    first: Cell
    whole: Area
    simple: bool


def pivots_of(book: Workbook, sheet: SheetInfo | None = None) -> list[Found]:
    """The pivot tables of a sheet, or of the whole workbook."""
    found = []
    for info in [sheet] if sheet else book.sheets:
        for kind, part in book.relations_of(info.part).values():
            cache = related(book.package, part, "pivotCacheDefinition") if part in book.package else None
            if kind == "pivotTable" and cache:
                found.append(_read(book, info, part, cache))
    return found


def _read(book: Workbook, info: SheetInfo, part: str, cache: str) -> Found:
    root, definition = (parse(book.package.read(text), text) for text in (part, cache))
    fields = [unescaped(entry.get("name", "")) for entry in definition.iter(tag("cacheField"))]
    shared = [entry.find(tag("sharedItems")) for entry in definition.iter(tag("cacheField"))]

    def axis(name: str) -> list[str]:
        entries = root.iterfind(f"{tag(name)}/{tag('field')}")
        return [fields[int(entry.get("x"))] for entry in entries if 0 <= int(entry.get("x", "-2")) < len(fields)]

    body = area_of(root.find(tag("location")).get("ref", "A1"))
    pages = root.findall(f"{tag('pageFields')}/{tag('pageField')}")
    first = Cell(body.top - (len(pages) + 1 if pages else 0), body.left)
    whole = Area(max(first.row, 1), body.left, body.bottom, max(body.right, body.left + bool(pages)))
    filters = {fields[int(page.get("fld"))]: _chosen(root, page, shared[int(page.get("fld"))]) for page in pages}
    summary = PivotInfo(
        root.get("name", ""),
        info.name,
        str(body),
        _source(definition),
        axis("rowFields"),
        axis("colFields"),
        _values(book, root, fields),
        filters,
    )
    return Found(summary, part, cache, root.get("cacheId", ""), first, whole, _is_simple(root, definition))


def _source(definition: Any) -> str:
    entry = definition.find(f"{tag('cacheSource')}/{tag('worksheetSource')}")
    if entry is None:
        return f"({definition.find(tag('cacheSource')).get('type', 'unknown')})"
    if entry.get(tag("id", REL)):
        return "(another workbook)"
    name = entry.get("name")
    return str(name) if name else f"{quoted(entry.get('sheet', ''))}!{entry.get('ref', '')}"


def _values(book: Workbook, root: Any, fields: list[str]) -> list[PivotValue]:
    return [
        PivotValue(
            fields[int(entry.get("fld", "0"))],
            cast("Function", entry.get("subtotal", "sum")),
            entry.get("name", ""),
            book.styles.code_of(int(entry.get("numFmtId", "0"))),
        )
        for entry in root.iterfind(f"{tag('dataFields')}/{tag('dataField')}")
    ]


def _chosen(root: Any, page: Any, shared: Any) -> list[str]:
    """The items that a filter lets through; empty means all."""
    texts = [_text(item) for item in shared] if shared is not None else []
    field = root.findall(f"{tag('pivotFields')}/{tag('pivotField')}")[int(page.get("fld", "0"))]
    items = field.findall(f"{tag('items')}/{tag('item')}")
    if page.get("item") is not None and int(page.get("item")) < len(items):
        items = [items[int(page.get("item"))]]
    elif not any(item.get("h") in ("1", "true") for item in items):
        return []
    places = [int(item.get("x")) for item in items if item.get("x") and item.get("h") not in ("1", "true")]
    return [texts[place] for place in places if place < len(texts)]


def _text(item: Any) -> str:
    kind = str(item.tag).rsplit("}", 1)[-1]
    value = str(item.get("v", ""))
    if kind == "m":
        return "(blank)"
    if kind == "d":
        return value.removesuffix("T00:00:00")
    if kind == "b":
        return "TRUE" if value in ("1", "true") else "FALSE"
    return unescaped(value)


def _is_simple(root: Any, definition: Any) -> bool:
    """Tabular, without subtotals, groups, calculated fields or functions that are not written here."""
    axes = [field for field in root.iter(tag("pivotField")) if field.get("axis")]
    plain = all(field.get("outline") == "0" and field.get("defaultSubtotal") == "0" for field in axes)
    known = all(
        entry.get("subtotal", "sum") in _KNOWN_FUNCTIONS and not entry.get("showDataAs")
        for entry in root.iter(tag("dataField"))
    )
    special = any(
        next(definition.iter(tag(name)), None) is not None
        for name in ("fieldGroup", "calculatedItems", "consolidation")
    )
    totals = "0" not in (root.get("rowGrandTotals", "1"), root.get("colGrandTotals", "1"))
    sheet_source = definition.find(f"{tag('cacheSource')}/{tag('worksheetSource')}")
    return (
        plain and known and not special and totals and sheet_source is not None and not sheet_source.get(tag("id", REL))
    )
