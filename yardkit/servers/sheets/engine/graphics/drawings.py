"""What floats over a sheet: the drawing part, its anchors, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, find_related
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import (
    check_within,
    drop_part,
    linked_part,
    remove_children,
    unlink_part,
)
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
EMU_PER_PIXEL = 9525
_TYPE = "application/vnd.openxmlformats-officedocument.drawing+xml"
_ANCHORS = (qualify_tag("twoCellAnchor", XDR), qualify_tag("oneCellAnchor", XDR), qualify_tag("absoluteAnchor", XDR))


@dataclass(frozen=True)
class Place:
    """Where an object stands: over a range of several cells, or at one cell with a size in pixels."""

    area: Area
    width_px: int
    height_px: int


class Drawing:
    """The drawing part of a sheet. Nothing is written before `save`."""

    def __init__(self, grid: Grid) -> None:
        from lxml import etree

        self.grid = grid
        self.book: Workbook = grid.book
        self.part = find_related(self.book.package, grid.info.part, "drawing") or ""
        if self.part:
            self.root = parse_part(self.book.package.read(self.part), self.part)
        else:
            self.root = etree.Element(qualify_tag("wsDr", XDR), nsmap={"xdr": XDR, "a": A})

    def list_anchors(self) -> list[Any]:
        return [element for element in self.root if element.tag in _ANCHORS]

    def ensure_part(self) -> str:
        """The name of the part, made and related to the sheet where there is none."""
        if not self.part:
            self.part = self.book.package.free_name("xl/drawings/drawing{}.xml")
            self.book.package.put(self.part, serialize_part(self.root))
            self.book.set_type(self.part, _TYPE)
            linked_part(self.grid, "drawing", "drawing", self.part)
        return self.part

    def relate(self, kind: str, part: str) -> str:
        return add_relation(self.book.package, self.ensure_part(), kind, part)

    def add(self, place: Place, content: str) -> Any:
        """Add an anchor with the XML `content` (which uses the prefixes xdr, a and r) at its end."""
        anchor = _make_anchor(place, content)
        self.root.append(anchor)
        return anchor

    def names(self) -> list[str]:
        return [name_of(anchor) for anchor in self.list_anchors()]

    def free_name(self, stem: str) -> str:
        taken = {name.casefold() for name in self.names()}
        return next(f"{stem} {n}" for n in range(1, len(taken) + 2) if f"{stem} {n}".casefold() not in taken)

    def free_id(self) -> int:
        return 1 + max((int(entry.get("id", "1")) for entry in self.root.iter(qualify_tag("cNvPr", XDR))), default=1)

    def save(self) -> None:
        """Hand the part to the package; a drawing without anything is taken out with its relationship."""
        if not self.part:
            return
        if len(self.root):
            self.book.package.put(self.part, serialize_part(self.root))
            return
        unlink_part(self.grid, self.part)
        drop_part(self.book, self.part)
        self.grid.changed |= remove_children(self.grid.root, "drawing")


def name_of(anchor: Any) -> str:
    entry = next(anchor.iter(qualify_tag("cNvPr", XDR)), None)
    return "" if entry is None else str(entry.get("name", ""))


def place_of(at: str, width_px: int, height_px: int) -> Place:
    """The place that ``E2`` (with a size) or ``E2:L18`` means.

    Raises:
        Problem: no cell or range, or a size out of bounds.
    """
    check_within(width_px, 1, 10_000, "the width in pixels")
    check_within(height_px, 1, 10_000, "the height in pixels")
    return Place(area_of(at), width_px, height_px)


def place_text(anchor: Any) -> str:
    """The cells under an anchor as text; empty where it stands at no cell."""
    first, last = _read_corner(anchor, "from"), _read_corner(anchor, "to")
    if first is None:
        return ""
    return str(first) if last is None else str(Area(first.row, first.column, last.row, last.column))


def size_of(anchor: Any) -> tuple[int, int] | None:
    """Width and height in pixels, where the anchor states them."""
    entry = anchor.find(qualify_tag("ext", XDR))
    if entry is None:
        return None
    return int(entry.get("cx", "0")) // EMU_PER_PIXEL, int(entry.get("cy", "0")) // EMU_PER_PIXEL


def move_anchor(anchor: Any, place: Place) -> Any:
    """Put an anchor's object in a new anchor at `place`, where the old one was."""
    fresh = _make_anchor(place, "")
    anchor_content = [element for element in anchor if element.tag not in _list_position_tags()]
    for element in fresh.findall(qualify_tag("clientData", XDR)):
        fresh.remove(element)
    fresh.extend(anchor_content)
    anchor.getparent().replace(anchor, fresh)
    return fresh


def find_name(anchors: dict[str, Any], name: str | None, what: str) -> str:
    """The one of `anchors` called `name` (letter case aside), or the only one.

    Raises:
        Problem: there is none, or several and no name.
    """
    if name is None and len(anchors) == 1:
        return next(iter(anchors))
    for anchor in anchors:
        if name is not None and anchor.casefold() == name.casefold():
            return anchor
    known = ", ".join(map(repr, anchors)) or "none"
    problem_text = "name one" if name is None else f"there is no {what} {name!r}"
    raise Problem(f"{problem_text}; the sheet has: {known}")


def _list_position_tags() -> set[str]:
    return {qualify_tag(name, XDR) for name in ("from", "to", "ext", "pos")}


def _read_corner(anchor: Any, name: str) -> Cell | None:
    entry = anchor.find(qualify_tag(name, XDR))
    if entry is None:
        return None
    row, column = (int(entry.findtext(qualify_tag(part, XDR)) or 0) for part in ("row", "col"))
    outside = name == "to"
    offsets = [int(entry.findtext(qualify_tag(part, XDR)) or 0) for part in ("rowOff", "colOff")]
    return Cell(row + 1 - (outside and not offsets[0] and row > 0), column + 1 - (outside and not offsets[1]))


def _make_anchor(place: Place, content: str) -> Any:
    area = place.area
    first = f"<xdr:from>{_format_marker(area.top - 1, area.left - 1)}</xdr:from>"
    if area.size > 1:
        kind, size = "twoCellAnchor", f"<xdr:to>{_format_marker(area.bottom, area.right)}</xdr:to>"
    else:
        width, height = place.width_px * EMU_PER_PIXEL, place.height_px * EMU_PER_PIXEL
        kind, size = "oneCellAnchor", f'<xdr:ext cx="{width}" cy="{height}"/>'
    text = (
        f'<xdr:{kind} xmlns:xdr="{XDR}" xmlns:a="{A}" xmlns:r="{REL}">{first}{size}{content}'
        f"<xdr:clientData/></xdr:{kind}>"
    )
    return parse_part(text.encode(), "drawing")


def _format_marker(row: int, column: int) -> str:
    return f"<xdr:col>{column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>0</xdr:rowOff>"
