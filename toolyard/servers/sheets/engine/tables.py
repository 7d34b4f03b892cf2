"""Tables (list objects): where they are, and growing them."""

from __future__ import annotations

from dataclasses import dataclass

from toolyard.servers.ooxml.xml import serialized
from toolyard.servers.sheets.engine.refs import Area, area_of
from toolyard.servers.sheets.engine.workbook import SheetInfo, Workbook
from toolyard.servers.sheets.engine.xml import parse, tag


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


def tables(book: Workbook, info: SheetInfo | None = None) -> list[Table]:
    """The tables of a sheet, or of the whole workbook."""
    found = []
    for sheet in [info] if info else book.sheets:
        for kind, part in book.relations_of(sheet.part).values():
            if kind == "table" and part in book.package:
                root = parse(book.package.read(part), part)
                columns = [entry.get("name", "") for entry in root.iter(tag("tableColumn"))]
                area = area_of(root.get("ref", "A1"))
                name = root.get("displayName") or root.get("name", "")
                found.append(Table(name, sheet.name, part, area, columns, int(root.get("totalsRowCount", "0"))))
    return found


def grow(book: Workbook, table: Table, rows: int) -> None:
    """Let a table (without a totals row) reach `rows` further down, its filter too."""
    root = parse(book.package.read(table.part), table.part)
    area = Area(table.area.top, table.area.left, table.area.bottom + rows, table.area.right)
    root.set("ref", str(area))
    for entry in root.iterfind(tag("autoFilter")):
        entry.set("ref", str(area))
    book.package.put(table.part, serialized(root))
