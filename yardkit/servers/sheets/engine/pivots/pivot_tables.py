"""Pivot tables: added with their values, read, computed anew, deleted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, find_related
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import drop_part, save_objects, unlink_part
from yardkit.servers.sheets.engine.cells.ranges import source_of, used_part
from yardkit.servers.sheets.engine.compute.saved_workbook import save_workbook
from yardkit.servers.sheets.engine.layout.fitted_sizes import fit_area, fit_for
from yardkit.servers.sheets.engine.notation.references import Area, Cell, cell_of
from yardkit.servers.sheets.engine.package.new_sheets import add_sheet_part
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_cells import clear_pivot, write_pivot
from yardkit.servers.sheets.engine.pivots.pivot_data import checked_spec, compute_sums, read_source
from yardkit.servers.sheets.engine.pivots.pivot_reader import StoredPivot, pivots_of
from yardkit.servers.sheets.engine.pivots.pivot_spec import PivotInfo, PivotSpec
from yardkit.servers.sheets.engine.pivots.pivot_xml import cache_xml, records_xml, table_xml
from yardkit.world import Problem

_DEFINITION, _RECORDS, _TABLE = "pivotCacheDefinition", "pivotCacheRecords", "pivotTable"


@dataclass(frozen=True)
class _Parts:
    """The parts of one pivot table, and the number by which the workbook knows its cache."""

    table: str
    cache: str
    records: str
    cache_id: str


def add_pivot(path: Path, source: str, sheet: str | None, at: str, spec: PivotSpec, *, now: datetime) -> PivotInfo:
    """Add a pivot table with its cache and the values in its cells; what the saved file says of it.

    Raises:
        Problem: no such source or field, a taken name, or cells in the way.
    """
    book = Workbook.open(path)
    place = _source_place(book, source)
    target = _prepare_target(book, sheet)
    known = [pivot.info.name for pivot in pivots_of(book)]
    name = spec.name or next(f"PivotTable{n}" for n in range(1, len(known) + 2) if f"PivotTable{n}" not in known)
    if name.casefold() in (text.casefold() for text in known):
        raise Problem(f"the pivot table {name!r} already exists; choose another name")
    parts = _make_parts(book, target)
    first = cell_of(at)
    _fill_pivot(book, target, parts, place, replace(spec, name=name), first, None, now=now, path=path)
    return pivot_named(Workbook.open(path), name).info


def refresh_pivot(path: Path, name: str | None, *, now: datetime) -> PivotInfo | str:
    """Compute a pivot table anew from its source; one that holds what is not written here is marked, so that Excel
    computes it when it opens the file.

    Raises:
        Problem: no such pivot table, its source is gone, or the larger table meets filled cells.
    """
    book = Workbook.open(path)
    pivot = pivot_named(book, name)
    if not pivot.simple:
        root = parse_part(book.package.read(pivot.cache), pivot.cache)
        root.set("refreshOnLoad", "1")
        book.package.put(pivot.cache, serialize_part(root))
        save_objects(book, path)
        return f"{pivot.info.name} has a custom layout (subtotals, groups ...); Excel computes it on opening"
    place = _source_place(book, pivot.info.source)
    records = find_related(book.package, pivot.cache, _RECORDS) or ""
    parts = _Parts(pivot.part, pivot.cache, records, pivot.cache_id)
    target = Grid(book, book.sheet(pivot.info.sheet))
    spec = PivotSpec(pivot.info.name, pivot.info.rows, pivot.info.columns, pivot.info.values, pivot.info.filters)
    _fill_pivot(book, target, parts, place, spec, pivot.first, pivot.full_area, now=now, path=path)
    return pivot_named(Workbook.open(path), pivot.info.name).info


def delete_pivot(path: Path, name: str | None, *, now: datetime) -> PivotInfo:
    """Delete a pivot table with its cells, and its cache when no other table uses it; what it was.

    Raises:
        Problem: no such pivot table, or slicers hang on it.
    """
    book = Workbook.open(path)
    pivot = pivot_named(book, name)
    needle = f'name="{pivot.info.name}"'.encode()
    slicers = [part for part in book.package.names() if "/slicerCaches/" in part or "/timelineCaches/" in part]
    if any(needle in book.package.read(part) for part in slicers):
        raise Problem(f"a slicer or timeline uses {pivot.info.name!r}; delete it in Excel first")
    grid = Grid(book, book.sheet(pivot.info.sheet))
    touched = clear_pivot(grid, pivot.full_area)
    unlink_part(grid, pivot.part)
    drop_part(book, pivot.part)
    if all(other.cache != pivot.cache or other.part == pivot.part for other in pivots_of(book)):
        _drop_cache(book, pivot)
    grid.changed = True
    save_workbook(book, {grid.info.name: grid}, path, touched=touched, written=set(), now=now)
    return pivot.info


def pivot_named(book: Workbook, name: str | None) -> StoredPivot:
    """The pivot table called `name`, or the only one.

    Raises:
        Problem: there is none, or several and no name.
    """
    known = pivots_of(book)
    if name is None and len(known) == 1:
        return known[0]
    for pivot in known:
        if name is not None and pivot.info.name.casefold() == name.casefold():
            return pivot
    names = ", ".join(repr(pivot.info.name) for pivot in known) or "none"
    problem_text = "name one" if name is None else f"there is no pivot table {name!r}"
    raise Problem(f"{problem_text}; the workbook has: {names}")


@dataclass(frozen=True)
class _Place:
    """Where a source lies: its sheet's cells, and what the cache says of it."""

    grid: Grid
    area: Area
    attributes: dict[str, str]


def _source_place(book: Workbook, source: str) -> _Place:
    info, area = source_of(book, source, None)
    grid = Grid(book, info)
    area = used_part(grid, area)
    table = next(
        (candidate.name for candidate in list_tables(book) if candidate.name.casefold() == source.strip().casefold()),
        None,
    )
    if table is not None:
        totals = next(candidate.totals for candidate in list_tables(book) if candidate.name == table)
        area = Area(area.top, area.left, area.bottom - totals, area.right)
        return _Place(grid, area, {"name": table})
    return _Place(grid, area, {"ref": str(area), "sheet": info.name})


def _prepare_target(book: Workbook, sheet: str | None) -> Grid:
    names = {info.name.casefold() for info in book.sheets}
    if sheet is None:
        sheet = next(name for n in range(1, len(names) + 2) if (name := f"Pivot{n}").casefold() not in names)
    if sheet.casefold() in names:
        return Grid(book, book.sheet(sheet))
    return Grid(book, add_sheet_part(book, sheet))


def _make_parts(book: Workbook, target: Grid) -> _Parts:
    """Names, relations and types of the three parts of a new pivot table."""
    from lxml import etree

    package = book.package
    cache = package.free_name("xl/pivotCache/pivotCacheDefinition{}.xml")
    package.put(cache, b"")
    records = package.free_name("xl/pivotCache/pivotCacheRecords{}.xml")
    package.put(records, b"")
    table = package.free_name("xl/pivotTables/pivotTable{}.xml")
    package.put(table, b"")
    caches = book.element("pivotCaches")
    number = str(1 + max((int(entry.get("cacheId", "0")) for entry in caches), default=0))
    identity = book.add_relation(_DEFINITION, cache)
    etree.SubElement(caches, qualify_tag("pivotCache"), {"cacheId": number, qualify_tag("id", REL): identity})
    add_relation(package, cache, _RECORDS, records)
    add_relation(package, table, _DEFINITION, cache)
    add_relation(package, target.info.part, _TABLE, table)
    for part, kind in ((cache, _DEFINITION), (records, _RECORDS), (table, _TABLE)):
        book.set_type(part, kind)
    return _Parts(table, cache, records, number)


def _fill_pivot(
    book: Workbook,
    target: Grid,
    parts: _Parts,
    place: _Place,
    spec: PivotSpec,
    first: Cell,
    old: Area | None,
    *,
    now: datetime,
    path: Path,
) -> None:
    """Compute a pivot table; write its parts and its cells (over its `old` ones), and save."""
    source = read_source(place.grid, place.area, spec)
    spec = checked_spec(spec, source.fields)
    pivot_sums = compute_sums(source, spec)
    touched = clear_pivot(target, old) if old is not None else set()
    area, written = write_pivot(target, first, source, spec, pivot_sums)
    if target.info.name == place.grid.info.name and area.meets(place.area):
        raise Problem(f"the pivot table would cover its own source {place.area}; choose another cell or sheet")
    records_id = _records_id(book, parts)
    formats = [book.styles.format_number(value.number_format) if value.number_format else 0 for value in spec.values]
    book.package.put(parts.cache, serialize_part(cache_xml(source, place.attributes, records_id, now)))
    book.package.put(parts.records, serialize_part(records_xml(source)))
    root = table_xml(source, spec, pivot_sums, area, parts.cache_id, formats)
    book.package.put(parts.table, serialize_part(root))
    fit_area(target, area, fresh=True, flowing=False)
    fit_for(target, area, _source_styles(place, source.fields, spec, area))
    save_workbook(book, {target.info.name: target}, path, touched=touched | written, written=set(), now=now)


def _source_styles(place: _Place, fields: list[str], spec: PivotSpec, area: Area) -> dict[int, int]:
    """The style of the source's first record for each column of values: LibreOffice shows them in its number format."""
    row = place.area.top + 1
    styles = {
        cell.column: content.style for cell, content in place.grid.contents(replace(place.area, top=row, bottom=row))
    }
    start = area.left + len(spec.rows)
    columns = {
        column: spec.values[(column - start) % len(spec.values)].field for column in range(start, area.right + 1)
    }
    return {column: styles.get(place.area.left + fields.index(name), 0) for column, name in columns.items()}


def _records_id(book: Workbook, parts: _Parts) -> str:
    for identity, (kind, _) in book.relations_of(parts.cache).items():
        if kind == _RECORDS:
            return identity
    raise Problem("the pivot table's cache has no records, so it cannot be computed; refresh it in Excel")


def _drop_cache(book: Workbook, pivot: StoredPivot) -> None:
    records = find_related(book.package, pivot.cache, _RECORDS)
    identity = next((key for key, (_, part) in book.relations_of(book.part).items() if part == pivot.cache), None)
    caches: Any = book.element("pivotCaches")
    for entry in list(caches):
        if entry.get(qualify_tag("id", REL)) == identity:
            caches.remove(entry)
    if not len(caches):
        book.root.remove(caches)
    book.drop_relation(pivot.cache)
    for part in filter(None, (records, pivot.cache)):
        drop_part(book, part)
