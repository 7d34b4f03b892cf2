"""Opening a workbook to change an object on a sheet, and saving it without touching values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, drop_relation, read_relations
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem, save_atomically

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
    with save_atomically(path) as draft:
        for grid in grids:
            grid.save()
        book.save(draft)


def remove_children(parent: Any, name: str) -> bool:
    """Take out the children `name` of `parent`; whether there were any."""
    children = parent.findall(qualify_tag(name))
    for element in children:
        parent.remove(element)
    return bool(children)


def linked_part(grid: Grid, element: str, kind: str, part: str) -> None:
    """Relate a sheet to `part` and name the relationship in its child `element` (drawing, legacyDrawing)."""
    identity = add_relation(grid.book.package, grid.info.part, kind, part)
    ensure_child(grid.root, element, ORDER).set(qualify_tag("id", REL), identity)
    grid.changed = True


def unlink_part(grid: Grid, part: str) -> None:
    """Take out the relationship of a sheet to `part`."""
    for relation in read_relations(grid.book.package, grid.info.part).values():
        if relation.target == part and not relation.external:
            drop_relation(grid.book.package, grid.info.part, relation.id)


def drop_part(book: Workbook, part: str) -> None:
    """Take a part, its relationships and its content type out of the package."""
    from yardkit.kit.ooxml.relations import rels_name

    book.package.drop_part(part)
    book.package.drop_part(rels_name(part))
    book.set_type(part, None)


def find_extension(root: Any, uri: str, name: str, *, make: bool = False) -> Any | None:
    """The element `name` (of the namespace x14) inside the sheet's extension `uri`; made if asked."""
    from lxml import etree

    entries = root.findall(f"{qualify_tag('extLst')}/{qualify_tag('ext')}")
    entry = next((candidate for candidate in entries if candidate.get("uri", "").upper() == uri.upper()), None)
    if entry is None:
        if not make:
            return None
        entry = etree.SubElement(
            ensure_child(root, "extLst", ORDER), qualify_tag("ext"), {"uri": uri}, nsmap={"x14": X14}
        )
    extension_element = entry.find(qualify_tag(name, X14))
    if extension_element is None and make:
        extension_element = etree.SubElement(entry, qualify_tag(name, X14), nsmap={"x14": X14, "xm": XM})
    return extension_element


def drop_empty_extension(root: Any, uri: str) -> None:
    """Take out an extension whose list is empty, and the list of extensions when it was the last."""
    parent = root.find(qualify_tag("extLst"))
    for entry in list(parent) if parent is not None else []:
        if entry.get("uri", "").upper() == uri.upper() and not any(len(extension_child) for extension_child in entry):
            parent.remove(entry)
    if parent is not None and not len(parent):
        root.remove(parent)
