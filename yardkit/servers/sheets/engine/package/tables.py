"""Tables (list objects): where they are, and growing them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.notation.references import Area, area_of
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag

_TEXT = r"\"(?:[^\"]|\"\")*\""
_COLUMN = r"(?:[^\[\]']|'.)*"
_STRUCTURED = re.compile(rf"{_TEXT}|(?<![\w.\\])([A-Za-z_\\\u0080-\uffff][\w.\\]*)\[((?:[^\[\]']|'.|\[{_COLUMN}\])*)\]")
_ITEM = re.compile(rf"\[({_COLUMN})\]")
_ESCAPED = re.compile(r"'(.)")


@dataclass(frozen=True)
class Table:
    """A table with header; `totals` rows at its end hold sums."""

    name: str
    sheet: str
    part: str
    area: Area
    columns: list[str]
    totals: int

    def place(self, column: str) -> Area | None:
        """Where the values of a column stand, by its name in whatever case."""
        names = [name.lower() for name in self.columns]
        if column.lower() not in names:
            return None
        at = self.area.left + names.index(column.lower())
        return Area(self.area.top + 1, at, self.area.bottom - self.totals, at)


def list_tables(book: Workbook, info: SheetInfo | None = None) -> list[Table]:
    """The tables of a sheet, or of the whole workbook."""
    known_tables = []
    for sheet in [info] if info else book.sheets:
        for kind, part in book.relations_of(sheet.part).values():
            if kind == "table" and part in book.package:
                root = parse_part(book.package.read(part), part)
                columns = [entry.get("name", "") for entry in root.iter(qualify_tag("tableColumn"))]
                area = area_of(root.get("ref", "A1"))
                name = root.get("displayName") or root.get("name", "")
                known_tables.append(Table(name, sheet.name, part, area, columns, int(root.get("totalsRowCount", "0"))))
    return known_tables


def list_filtered_areas(book: Workbook) -> dict[str, list[Area]]:
    """The areas of the filters that hide rows, by the names of their sheets in small letters."""
    areas_by_sheet: dict[str, list[Area]] = {}
    for info in book.sheets:
        if info.kind != "worksheet" or not book.get_source(info.part).hidden_rows():
            continue
        skeleton = book.get_source(info.part).skeleton
        parts = [book.package.read(part) for kind, part in book.relations_of(info.part).values() if kind == "table"]
        roots = [parse_part(data, info.part) for data in (skeleton, *parts) if b"filterColumn" in data]
        entries = [entry for root in roots for entry in root.iter(qualify_tag("autoFilter")) if len(entry)]
        areas_by_sheet[info.name.casefold()] = [area_of(entry.get("ref", "A1")) for entry in entries]
    return areas_by_sheet


def named_areas(text: str, by_name: Mapping[str, Table], row: int) -> Iterator[tuple[str, Area]]:
    """The areas, each with its sheet, that the structured references of a stored formula in a row stand for.

    ECMA-376 part 1, 18.17.2.2. Where a name is of no column, the whole table; a name of no table stands for nothing.
    """
    for match in _STRUCTURED.finditer(text):
        table = by_name.get((match[1] or "").lower())
        if table is not None:
            yield table.sheet, _resolve_structured(table, match[2], row)


def _resolve_structured(table: Table, inner: str, row: int) -> Area:
    items = _ITEM.findall(inner) or [inner]
    special = {item.lower() for item in items if item.startswith("#")}
    columns = [table.place(_ESCAPED.sub(r"\1", item)) for item in items if item and not item.startswith("#")]
    area = table.area
    if columns and None not in columns:
        area = replace(
            area,
            left=min(column.left for column in columns if column),
            right=max(column.right for column in columns if column),
        )
    if special == {"#this row"} and area.top <= row <= area.bottom:
        return replace(area, top=row, bottom=row)
    return area if special - {"#data", "#this row"} else replace(area, bottom=area.bottom - table.totals)


def grow_table(book: Workbook, table: Table, rows: int) -> None:
    """Let a table (without a totals row) reach `rows` further down, its filter too."""
    root = parse_part(book.package.read(table.part), table.part)
    area = Area(table.area.top, table.area.left, table.area.bottom + rows, table.area.right)
    root.set("ref", str(area))
    for entry in root.iterfind(qualify_tag("autoFilter")):
        entry.set("ref", str(area))
    book.package.put(table.part, serialize_part(root))
