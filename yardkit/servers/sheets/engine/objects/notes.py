"""Notes of cells: the comments part and the VML drawing that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from yardkit.kit.ooxml.relations import REL, add_relation, find_related, set_default_type
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import drop_part, remove_children, unlink_part
from yardkit.servers.sheets.engine.notation.references import Cell, Places, cell_of
from yardkit.servers.sheets.engine.notation.values import escape_text, unescape_text
from yardkit.servers.sheets.engine.package.xml import MAIN, ensure_child, qualify_tag

V, OFFICE, X = (
    "urn:schemas-microsoft-com:vml",
    "urn:schemas-microsoft-com:office:office",
    "urn:schemas-microsoft-com:office:excel",
)
VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_EMPTY = f'<comments xmlns="{MAIN}"><authors/><commentList/></comments>'
_VML = (
    f'<xml xmlns:v="{V}" xmlns:o="{OFFICE}" xmlns:x="{X}"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>'
    '</o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" '
    'path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" '
    'o:connecttype="rect"/></v:shapetype></xml>'
)
_SHAPE = (
    '<v:shape xmlns:v="{v}" xmlns:o="{o}" xmlns:x="{x}" id="_x0000_s{number}" type="#_x0000_t202" '
    'style="position:absolute;margin-left:59.25pt;margin-top:1.5pt;width:108pt;height:60pt;z-index:1;'
    'visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/>'
    '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>'
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"/></v:textbox>'
    '<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>'
    "<x:Anchor>{left}, 15, {top}, 2, {right}, 31, {bottom}, 9</x:Anchor><x:AutoFill>False</x:AutoFill>"
    "<x:Row>{row}</x:Row><x:Column>{column}</x:Column></x:ClientData></v:shape>"
)


@dataclass(frozen=True)
class Note:
    """A note of a cell."""

    cell: str
    author: str
    text: str


class Notes:
    """The notes of a sheet. Nothing is written before `save`."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.package = grid.book.package
        self.part = find_related(self.package, grid.info.part, "comments") or ""
        self.root = parse_part(self.package.read(self.part) if self.part else _EMPTY.encode(), "comments")
        self.vml_part = self._vml_part()
        data = self.package.read(self.vml_part) if self.vml_part else _VML.encode()
        self.vml = _vml_root(data)

    def _vml_part(self) -> str:
        """The drawing that the sheet names; headers and footers have one of the same kind."""
        entry = self.grid.root.find(qualify_tag("legacyDrawing"))
        identity = None if entry is None else entry.get(qualify_tag("id", REL))
        part = self.grid.book.relations_of(self.grid.info.part).get(identity or "", ("", ""))[1]
        return part if part in self.package else ""

    def all(self) -> list[Note]:
        authors = [
            entry.text or "" for entry in self.root.iterfind(f"{qualify_tag('authors')}/{qualify_tag('author')}")
        ]
        note_infos = []
        for entry in self.root.iter(qualify_tag("comment")):
            index = int(entry.get("authorId", "0"))
            text = unescape_text("".join(part.text or "" for part in entry.iter(qualify_tag("t"))))
            note_infos.append(Note(entry.get("ref", ""), authors[index] if index < len(authors) else "", text))
        return note_infos

    def put(self, cell: Cell, author: str, text: str, uid: str = "") -> None:
        """Write a note, in place of an older one of the same cell."""
        from lxml import etree

        known = self._find_entry(cell)
        if known is None:
            known = etree.Element(qualify_tag("comment"), ref=str(cell))
            self._insert_entry(known, cell)
            self._add_shape(cell)
        for old in list(known):
            known.remove(old)
        known.set("authorId", str(self._ensure_author(author)))
        if uid:
            known.set("{http://schemas.microsoft.com/office/spreadsheetml/2014/revision}uid", uid)
        run = etree.SubElement(etree.SubElement(known, qualify_tag("text")), qualify_tag("t"))
        run.text = escape_text(text)
        run.set(_SPACE, "preserve")

    def drop(self, cell: Cell) -> bool:
        """Take a note out with its shape; whether there was one."""
        entry = self._find_entry(cell)
        if entry is None:
            return False
        entry.getparent().remove(entry)
        for shape in self.vml.findall(qualify_tag("shape", V)):
            if _shape_cell(shape) == cell:
                self.vml.remove(shape)
        return True

    def move(self, places: Places) -> bool:
        """Take notes to other cells, or out (None); whether there were any."""
        entries = [
            entry for entry in self.root.iter(qualify_tag("comment")) if cell_of(entry.get("ref", "A1")) in places
        ]
        shapes = [shape for shape in self.vml.findall(qualify_tag("shape", V)) if _shape_cell(shape) in places]
        for entry in entries:
            entry.getparent().remove(entry)
        for entry in entries:
            target = places[cell_of(entry.get("ref"))]
            if target is not None:
                entry.set("ref", str(target))
                self._insert_entry(entry, target)
        for shape in shapes:
            target = places[_shape_cell(shape) or Cell(1, 1)]
            if target is None:
                self.vml.remove(shape)
            else:
                shape.find(f"{qualify_tag('ClientData', X)}/{qualify_tag('Row', X)}").text = str(target.row - 1)
                shape.find(f"{qualify_tag('ClientData', X)}/{qualify_tag('Column', X)}").text = str(target.column - 1)
        return bool(entries)

    def save(self) -> None:
        """Hand both parts to the package, made or taken out as needed."""
        if next(self.root.iter(qualify_tag("comment")), None) is None:
            self._drop_parts()
            return
        set_default_type(self.package, "vml", VML_TYPE)
        if not self.part:
            self.part = self.package.free_name("xl/comments{}.xml")
            add_relation(self.package, self.grid.info.part, "comments", self.part)
            self.grid.book.set_type(self.part, "comments")
        if not self.vml_part:
            self.vml_part = self.package.free_name("xl/drawings/vmlDrawing{}.vml")
            identity = add_relation(self.package, self.grid.info.part, "vmlDrawing", self.vml_part)
            ensure_child(self.grid.root, "legacyDrawing", ORDER).set(qualify_tag("id", REL), identity)
            self.grid.changed = True
        from lxml import etree

        self.package.put(self.part, serialize_part(self.root))
        self.package.put(self.vml_part, etree.tostring(self.vml))

    def _drop_parts(self) -> None:
        if self.part:
            unlink_part(self.grid, self.part)
            drop_part(self.grid.book, self.part)
        if self.vml_part and self.vml.find(qualify_tag("shape", V)) is None:  # form controls live there too
            unlink_part(self.grid, self.vml_part)
            drop_part(self.grid.book, self.vml_part)
            self.grid.changed |= remove_children(self.grid.root, "legacyDrawing")

    def _find_entry(self, cell: Cell) -> Any | None:
        return next((entry for entry in self.root.iter(qualify_tag("comment")) if entry.get("ref") == str(cell)), None)

    def _insert_entry(self, entry: Any, cell: Cell) -> None:
        parent = self.root.find(qualify_tag("commentList"))
        later = (other for other in parent if tuple(cell_of(other.get("ref", "A1"))) > tuple(cell))
        after = next(later, None)
        if after is None:
            parent.append(entry)
        else:
            after.addprevious(entry)

    def _ensure_author(self, name: str) -> int:
        from lxml import etree

        parent = self.root.find(qualify_tag("authors"))
        for index, entry in enumerate(parent):
            if (entry.text or "") == name:
                return index
        etree.SubElement(parent, qualify_tag("author")).text = name
        return len(parent) - 1

    def _add_shape(self, cell: Cell) -> None:
        taken = {shape.get("id", "") for shape in self.vml.iter(qualify_tag("shape", V))}
        number = next(index for index in range(1025, 1026 + len(taken)) if f"_x0000_s{index}" not in taken)
        top = max(cell.row - 2, 0)
        text = _SHAPE.format(
            v=V, o=OFFICE, x=X, number=number, row=cell.row - 1, column=cell.column - 1,
            left=cell.column, right=cell.column + 2, top=top, bottom=top + 4,
        )  # fmt: skip
        self.vml.append(parse_part(text.encode(), "note"))


def _vml_root(data: bytes) -> Any:
    """VML of Excel is not always well-formed (``<br>``); it is read as far as it goes."""
    from lxml import etree

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    root = etree.fromstring(data, parser)
    return root if root is not None else parse_part(_VML.encode(), "vml")


def without_controls(data: bytes) -> bytes:
    """The VML drawing of a sheet with its notes, and the pictures of headers, alone."""
    from lxml import etree

    root = _vml_root(data)
    for shape in root.findall(qualify_tag("shape", V)):
        client_data = shape.find(qualify_tag("ClientData", X))
        if client_data is not None and client_data.get("ObjectType") not in ("Note", "Pict"):
            root.remove(shape)
    return bytes(etree.tostring(root))


def _shape_cell(shape: Any) -> Cell | None:
    data = shape.find(qualify_tag("ClientData", X))
    if data is None or data.get("ObjectType") != "Note":
        return None
    row, column = data.findtext(qualify_tag("Row", X)), data.findtext(qualify_tag("Column", X))
    return Cell(int(row) + 1, int(column) + 1) if row and column else None
