"""Opening a workbook to change an object on a sheet, and saving it without touching values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, drop_relation, relations
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import child, tag
from yardkit.world import Problem, saving

X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
XM = "http://schemas.microsoft.com/office/excel/2006/main"


def open_sheet(path: Path, sheet: str | None) -> tuple[Workbook, Grid]:
    """The workbook and one of its sheets.

    Raises:
        Problem: no workbook, or no such sheet.
    """
    book = Workbook.open(path)
    return book, Grid(book, book.sheet(sheet))


def check_within(value: float | None, low: float, high: float, what: str) -> None:
    """Refuse a number out of bounds; None is none.

    Raises:
        Problem: which bounds.
    """
    if value is not None and not low <= value <= high:
        raise Problem(f"{what} is {value:g}; use {low:g} to {high:g}")


def save_objects(book: Workbook, path: Path, *grids: Grid) -> None:
    """Save a change that no formula reads: parts as they are, stored values too."""
    with saving(path) as draft:
        for grid in grids:
            grid.save()
        book.save(draft)


def remove_children(parent: Any, name: str) -> bool:
    """Take out the children `name` of `parent`; whether there were any."""
    found = parent.findall(tag(name))
    for element in found:
        parent.remove(element)
    return bool(found)


def linked_part(grid: Grid, element: str, kind: str, part: str) -> None:
    """Relate a sheet to `part` and name the relationship in its child `element` (drawing, legacyDrawing)."""
    identity = add_relation(grid.book.package, grid.info.part, kind, part)
    child(grid.root, element, ORDER).set(tag("id", REL), identity)
    grid.changed = True


def unlink(grid: Grid, part: str) -> None:
    """Take out the relationship of a sheet to `part`."""
    for relation in relations(grid.book.package, grid.info.part).values():
        if relation.target == part and not relation.external:
            drop_relation(grid.book.package, grid.info.part, relation.id)


def drop_part(book: Workbook, part: str) -> None:
    """Take a part, its relationships and its content type out of the package."""
    from yardkit.kit.ooxml.relations import rels_name

    book.package.drop(part)
    book.package.drop(rels_name(part))
    book.set_type(part, None)


def extension(root: Any, uri: str, name: str, *, make: bool = False) -> Any | None:
    """The element `name` (of the namespace x14) inside the sheet's extension `uri`; made if asked."""
    from lxml import etree

    entries = root.findall(f"{tag('extLst')}/{tag('ext')}")
    entry = next((candidate for candidate in entries if candidate.get("uri", "").upper() == uri.upper()), None)
    if entry is None:
        if not make:
            return None
        entry = etree.SubElement(child(root, "extLst", ORDER), tag("ext"), {"uri": uri}, nsmap={"x14": X14})
    found = entry.find(tag(name, X14))
    if found is None and make:
        found = etree.SubElement(entry, tag(name, X14), nsmap={"x14": X14, "xm": XM})
    return found


def drop_empty_extension(root: Any, uri: str) -> None:
    """Take out an extension whose list is empty, and the list of extensions when it was the last."""
    parent = root.find(tag("extLst"))
    for entry in list(parent) if parent is not None else []:
        if entry.get("uri", "").upper() == uri.upper() and not any(len(held) for held in entry):
            parent.remove(entry)
    if parent is not None and not len(parent):
        root.remove(parent)
