"""The XML of pivot tables: cache definition, cache records, table definition (ECMA-376 part 1, 18.10)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from yardkit.kit.ooxml.relations import REL
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.notation.values import escape_text, number_text, to_serial
from yardkit.servers.sheets.engine.package.xml import MAIN, qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_data import Item, Key, Source, Sums, get_identity, select_items
from yardkit.servers.sheets.engine.pivots.pivot_spec import PivotSpec

_SUBTOTALS = {"average": "average", "count": "count", "min": "min", "max": "max"}
_VERSIONS = {"createdVersion": "6", "refreshedVersion": "6", "minRefreshableVersion": "3"}
DATA = "-2"


def cache_xml(source: Source, place: dict[str, str], records_id: str, now: datetime) -> Any:
    """The cache definition; `place` are the attributes of the source (ref and sheet, or a table's name)."""
    from lxml import etree

    root = _make_root("pivotCacheDefinition")
    root.set(qualify_tag("id", REL), records_id)
    moment = now.replace(tzinfo=None)
    facts = {
        "refreshOnLoad": "1",
        "refreshedBy": "Yardkit",
        "refreshedDate": number_text(float(to_serial(moment, date1904=False))),
        **_VERSIONS,
        "recordCount": str(len(source.records)),
    }
    for name, value in facts.items():
        root.set(name, value)
    holder = etree.SubElement(root, qualify_tag("cacheSource"), type="worksheet")
    etree.SubElement(holder, qualify_tag("worksheetSource"), place)
    fields = etree.SubElement(root, qualify_tag("cacheFields"), count=str(len(source.fields)))
    for name in source.fields:
        field = etree.SubElement(fields, qualify_tag("cacheField"), name=escape_text(name), numFmtId="0")
        column = source.column(name)
        if any(isinstance(value, datetime) for value in column):
            field.set("numFmtId", "14")
        shared = etree.SubElement(field, qualify_tag("sharedItems"), _describe_column(column))
        if _is_shared(source, name):
            items = _list_shared_items(source, name)
            shared.set("count", str(len(items)))
            shared.extend(_make_value(item) for item in items)
    return root


def records_xml(source: Source) -> Any:
    """The cache's records: positions in the shared items, plain values elsewhere."""
    from lxml import etree

    root = _make_root("pivotCacheRecords")
    root.set("count", str(len(source.records)))
    positions = {
        name: {_make_key(item): str(index) for index, item in enumerate(_list_shared_items(source, name))}
        for name in source.fields
        if _is_shared(source, name)
    }
    for record in source.records:
        row = etree.SubElement(root, qualify_tag("r"))
        for name, value in zip(source.fields, record, strict=True):
            if name in positions:
                etree.SubElement(row, qualify_tag("x"), v=positions[name][_make_key(value)])
            else:
                row.append(_make_value(value))
    return root


def table_xml(source: Source, spec: PivotSpec, sums: Sums, area: Area, cache_id: str, formats: list[int]) -> Any:
    """The table definition: fields on their axes, the items of rows and columns as they stand in the cells."""
    from lxml import etree

    root = _make_root("pivotTableDefinition")
    facts = {
        "name": spec.name, "cacheId": cache_id, "applyNumberFormats": "0", "applyBorderFormats": "0",
        "applyFontFormats": "0", "applyPatternFormats": "0", "applyAlignmentFormats": "0",
        "applyWidthHeightFormats": "1", "dataCaption": "Values", "updatedVersion": "6", "minRefreshableVersion": "3",
        "useAutoFormatting": "1", "itemPrintTitles": "1", "createdVersion": "6", "indent": "0", "compact": "0",
        "compactData": "0", "outline": "0", "outlineData": "0", "multipleFieldFilters": "0",
    }  # fmt: skip
    for name, value in facts.items():
        root.set(name, value)
    several = len(spec.values) > 1
    location = {
        "ref": str(area),
        "firstHeaderRow": "1" if spec.columns or not several else "0",
        "firstDataRow": str(header_rows(spec)),
        "firstDataCol": str(len(spec.rows)),
    }
    if spec.filters:
        location |= {"rowPageCount": str(len(spec.filters)), "colPageCount": "1"}
    etree.SubElement(root, qualify_tag("location"), location)
    fields = etree.SubElement(root, qualify_tag("pivotFields"), count=str(len(source.fields)))
    fields.extend(_make_field(source, spec, name) for name in source.fields)
    _add_axis(root, "row", [str(source.fields.index(name)) for name in spec.rows], _row_items(sums.rows))
    across = [str(source.fields.index(name)) for name in spec.columns] + ([DATA] if several else [])
    _add_axis(root, "col", across, _column_items(sums.columns, len(spec.values)))
    _add_pages(root, source, spec)
    _add_data_fields(root, source, spec, formats)
    etree.SubElement(
        root, qualify_tag("pivotTableStyleInfo"), name="PivotStyleLight16", showRowHeaders="1", showColHeaders="1",
        showRowStripes="0", showColStripes="0", showLastColumn="1",
    )  # fmt: skip
    return root


def header_rows(spec: PivotSpec) -> int:
    """Rows above the first row of values."""
    several = len(spec.values) > 1
    return 1 + len(spec.columns) + several if spec.columns else 1


def _make_root(name: str) -> Any:
    from lxml import etree

    return etree.Element(qualify_tag(name), nsmap={None: MAIN, "r": REL})


def _make_field(source: Source, spec: PivotSpec, name: str) -> Any:
    from lxml import etree

    field = etree.Element(qualify_tag("pivotField"))
    axes = (("axisRow", spec.rows), ("axisCol", spec.columns), ("axisPage", list(spec.filters)))
    axis = next((axis for axis, names in axes if name in names), "")
    if axis:
        field.set("axis", axis)
    if any(value.field == name for value in spec.values):
        field.set("dataField", "1")
    field_attributes = {"compact": "0", "outline": "0", "showAll": "0", "defaultSubtotal": "0"}
    hidden: set[int] = set()
    if axis == "axisPage":
        item_positions = select_items(source, name, spec.filters[name])
        hidden = set(range(len(source.items[name]))) - set(item_positions) if len(item_positions) > 1 else set()
        field_attributes |= {"multipleItemSelectionAllowed": "1"} if hidden else {}
    for key, value in field_attributes.items():
        field.set(key, value)
    if axis:
        items = etree.SubElement(field, qualify_tag("items"), count=str(len(source.items[name])))
        for index in range(len(source.items[name])):
            etree.SubElement(items, qualify_tag("item"), {**({"h": "1"} if index in hidden else {}), "x": str(index)})
    return field


def _add_axis(root: Any, name: str, fields: Sequence[str], items: list[Any]) -> None:
    from lxml import etree

    if fields:
        holder = etree.SubElement(root, qualify_tag(f"{name}Fields"), count=str(len(fields)))
        for field in fields:
            etree.SubElement(holder, qualify_tag("field"), x=field)
    holder = etree.SubElement(root, qualify_tag(f"{name}Items"), count=str(len(items)))
    holder.extend(items)


def _row_items(keys: list[Key]) -> list[Any]:
    row_items = []
    before: Key = ()
    for key in keys:
        row_items.append(_make_step(key, before))
        before = key
    return [*row_items, _make_grand_total(0)]


def _column_items(keys: list[Key], values: int) -> list[Any]:
    """The items across: each key with each value, then the grand totals; values alone without column fields."""
    if not keys:
        return [_make_step((number,), (), number) if values > 1 else _make_empty_entry() for number in range(values)]
    column_items = []
    before: Key = ()
    for key in keys:
        for number in range(values):
            full = (*key, number) if values > 1 else key
            column_items.append(_make_step(full, before, number))
            before = full
    return [*column_items, *(_make_grand_total(number) for number in range(values))]


def _make_step(key: Key, before: Key, value: int = 0) -> Any:
    """An item that repeats what it shares with the one before it."""
    from lxml import etree

    same = 0
    while same < len(key) - 1 and same < len(before) and key[same] == before[same]:
        same += 1
    entry = etree.Element(
        qualify_tag("i"), {**({"r": str(same)} if same else {}), **({"i": str(value)} if value else {})}
    )
    for position in key[same:]:
        etree.SubElement(entry, qualify_tag("x"), {"v": str(position)} if position else {})
    return entry


def _make_grand_total(value: int) -> Any:
    from lxml import etree

    entry = etree.Element(qualify_tag("i"), {"t": "grand", **({"i": str(value)} if value else {})})
    etree.SubElement(entry, qualify_tag("x"))
    return entry


def _make_empty_entry() -> Any:
    from lxml import etree

    return etree.Element(qualify_tag("i"))


def _add_pages(root: Any, source: Source, spec: PivotSpec) -> None:
    from lxml import etree

    if not spec.filters:
        return
    holder = etree.SubElement(root, qualify_tag("pageFields"), count=str(len(spec.filters)))
    for name, selected_texts in spec.filters.items():
        item_positions = select_items(source, name, selected_texts)
        page_attributes = {"item": str(item_positions[0])} if selected_texts and len(item_positions) == 1 else {}
        etree.SubElement(
            holder, qualify_tag("pageField"), {"fld": str(source.fields.index(name)), **page_attributes, "hier": "-1"}
        )


def _add_data_fields(root: Any, source: Source, spec: PivotSpec, formats: list[int]) -> None:
    from lxml import etree

    holder = etree.SubElement(root, qualify_tag("dataFields"), count=str(len(spec.values)))
    for value, number in zip(spec.values, formats, strict=True):
        facts = {"name": value.name, "fld": str(source.fields.index(value.field))}
        if value.function in _SUBTOTALS:
            facts["subtotal"] = _SUBTOTALS[value.function]
        facts |= {"baseField": "0", "baseItem": "0"}
        if number:
            facts["numFmtId"] = str(number)
        etree.SubElement(holder, qualify_tag("dataField"), facts)


def _is_shared(source: Source, name: str) -> bool:
    """Whether a field lists its values once; columns of numbers hold them in the records."""
    return name in source.items or not all(isinstance(value, float) or value is None for value in source.column(name))


def _list_shared_items(source: Source, name: str) -> list[Item]:
    if name in source.items:
        return source.items[name]
    shared_items: dict[Any, Item] = {}
    for value in source.column(name):
        shared_items.setdefault(_make_key(value), value)
    return list(shared_items.values())


def _make_key(item: Item) -> tuple[str, Item]:
    return type(item).__name__, get_identity(item)


def _make_value(item: Item) -> Any:
    from lxml import etree

    if item is None:
        return etree.Element(qualify_tag("m"))
    if isinstance(item, bool):
        return etree.Element(qualify_tag("b"), v=str(int(item)))
    if isinstance(item, datetime):
        return etree.Element(qualify_tag("d"), v=item.isoformat(timespec="seconds"))
    if isinstance(item, float):
        return etree.Element(qualify_tag("n"), v=f"{item:.15g}" if item.is_integer() else number_text(item))
    return etree.Element(qualify_tag("s"), v=escape_text(item))


def _describe_column(column: list[Item]) -> dict[str, str]:
    """What a field holds, as attributes (18.10.1.90); the standard is text, maybe among other things."""
    texts = any(isinstance(value, str | bool) for value in column)
    blanks = any(value is None for value in column)
    numbers = [value for value in column if isinstance(value, float)]
    dates = [value for value in column if isinstance(value, datetime)]
    facts: dict[str, str] = {}
    if not texts and not blanks and (numbers or dates):
        facts["containsSemiMixedTypes"] = "0"
    if dates and not (texts or numbers):
        facts["containsNonDate"] = "0"
    if dates:
        facts["containsDate"] = "1"
    if not texts:
        facts["containsString"] = "0"
    if blanks:
        facts["containsBlank"] = "1"
    if sum(map(bool, (texts, numbers, dates))) > 1:
        facts["containsMixedTypes"] = "1"
    if numbers:
        facts["containsNumber"] = "1"
        if all(value.is_integer() for value in numbers):
            facts["containsInteger"] = "1"
        facts |= {"minValue": f"{min(numbers):.15g}", "maxValue": f"{max(numbers):.15g}"}
    if dates:
        facts |= {
            "minDate": min(dates).isoformat(timespec="seconds"),
            "maxDate": max(dates).isoformat(timespec="seconds"),
        }
    return facts
