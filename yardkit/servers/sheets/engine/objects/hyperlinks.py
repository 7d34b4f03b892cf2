"""Hyperlinks of cells: to addresses, and to places in the workbook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, drop_relation, read_relations
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.ranges import areas_of, quote_sheet, source_of
from yardkit.servers.sheets.engine.notation.references import Cell, Places, area_of
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem

_ID = qualify_tag("id", REL)
_ADDRESS = re.compile(r"(https?|ftp|mailto|tel|file):\S+", re.IGNORECASE)
MAX_ADDRESS = 2079


_LINKS = f"{qualify_tag('hyperlinks')}/{qualify_tag('hyperlink')}"


@dataclass(frozen=True)
class LinkInfo:
    """A hyperlink: its cells, and an address or a place in the workbook (#Sheet!A1)."""

    sheet: str
    cell: str
    target: str
    tip: str = ""

    def __str__(self) -> str:
        return f"link at {self.sheet}!{self.cell} to {self.target}"


def add_link(grid: Grid, area: str, target: str, text: str) -> set[Cell]:
    """Link cells to an address (https, mailto ...) or to ``#Sheet!A1``; an older link of the same cells goes.

    An empty cell gets `text` (without: the target) as its value; one that is filled shows it as a tip. The cells
    that got a value.

    Raises:
        Problem: the target is neither.
    """
    from lxml import etree

    written = set()
    for part in areas_of(area):
        drop_links(grid, str(part))
        entry = etree.Element(qualify_tag("hyperlink"), ref=str(part))
        if target.startswith("#"):
            info, place = source_of(grid.book, target[1:], grid.info.name)
            entry.set("location", f"{quote_sheet(info.name)}!{place}")
        elif _ADDRESS.fullmatch(target) and len(target) <= MAX_ADDRESS:
            identity = add_relation(grid.book.package, grid.info.part, "hyperlink", target, external=True)
            entry.set(_ID, identity)
        else:
            raise Problem(f"{target[:80]!r} is not a valid link; use https://..., mailto:..., or #Sheet!A1 for a cell")
        ensure_child(grid.root, "hyperlinks", ORDER).append(entry)
        look = Change(font_color="0563C1", underline="single")
        first = Cell(part.top, part.left)
        if any(content.value is not None or content.formula for _, content in grid.contents(part)):
            entry.attrib.update({"tooltip": text} if text else {})
        else:
            grid.set_value(first, text or target.removeprefix("#"))
            written.add(first)
        for cell in part.cells():
            element = grid.ensure(cell)
            element.set("s", str(grid.book.styles.derive_style(int(element.get("s", "0")), look)))
    grid.changed = True
    return written


def move_links(grid: Grid, places: Places) -> None:
    """Take links of single cells to other cells, or out (None)."""
    entries = [(entry, area_of(entry.get("ref", "A1"))) for entry in grid.root.iterfind(_LINKS)]
    single_links = [(entry, Cell(area.top, area.left)) for entry, area in entries if area.size == 1]
    moving = [(entry, cell, places[cell]) for entry, cell in single_links if cell in places]
    for _, cell, target in moving:
        if target is None:
            drop_links(grid, str(cell))
    for entry, _, target in moving:
        if target is not None:
            entry.set("ref", str(target))
            grid.changed = True


def drop_links(grid: Grid, area: str) -> int:
    """Take the links out of cells; how many there were."""
    holes = areas_of(area)
    parent = grid.root.find(qualify_tag("hyperlinks"))
    count = 0
    for entry in list(parent) if parent is not None else []:
        if any(hole.meets(other) for hole in holes for other in areas_of(entry.get("ref", "A1"))):
            parent.remove(entry)
            _drop_relation(grid, entry, parent)
            count += 1
    if parent is not None and not len(parent):
        grid.root.remove(parent)
    grid.changed |= count > 0
    return count


def list_links(grid: Grid) -> list[LinkInfo]:
    """The hyperlinks of a sheet."""
    targets = read_relations(grid.book.package, grid.info.part)
    link_infos = []
    for entry in grid.root.iterfind(_LINKS):
        known = targets.get(entry.get(_ID, ""))
        place = f"#{entry.get('location')}" if entry.get("location") else ""
        target = (known.target if known else "") + place
        link_infos.append(LinkInfo(grid.info.name, entry.get("ref", ""), target, entry.get("tooltip", "")))
    return link_infos


def _drop_relation(grid: Grid, entry: Any, parent: Any) -> None:
    identity = entry.get(_ID)
    if identity and all(other.get(_ID) != identity for other in parent):
        drop_relation(grid.book.package, grid.info.part, identity)
