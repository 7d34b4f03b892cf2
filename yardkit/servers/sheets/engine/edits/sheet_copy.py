"""A copy of a sheet with what lies on it: charts, pictures, notes, comments, links, rules, tables, print settings."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from yardkit.kit.ooxml.relations import REL, content_type, relative, rels_name, resolved
from yardkit.kit.ooxml.xml import parse, serialized
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import X14, XM
from yardkit.servers.sheets.engine.objects.notes import without_controls
from yardkit.servers.sheets.engine.objects.table_changes import copy_tables, put_tables
from yardkit.servers.sheets.engine.package.new_sheets import add_sheet_part
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import tag

_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_CHARTEX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_COPIED_RELATIONS = {
    *("chart", "chartColorStyle", "chartEx", "chartStyle", "chartUserShapes", "comments", "drawing"),
    *("printerSettings", "themeOverride", "threadedComment", "vmlDrawing"),
}
_LEFT_OUT = {
    "control": "form controls",
    "ctrlProp": "form controls",
    "oleObject": "embedded objects",
    "package": "embedded objects",
    "pivotTable": "pivot tables (their cells are copied)",
    "queryTable": "data connections",
    "slicer": "slicers",
    "timeline": "timelines",
}
_LIST_TAGS = {tag("controls"), tag("oleObjects")}
_NUMBERED = re.compile(r"\d*(\.\w+)$")
_FLOATS_BESIDE = re.compile(rb'compatExt|/slicer"|/timeslicer"|:oleObj')
"""In what floats over a sheet: controls, slicers, timelines and embedded objects, whose other parts stay behind."""
_IDENTITY = re.compile(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")


def copy_of(book: Workbook, source: SheetInfo, name: str, follow: Callable[[str], str]) -> tuple[SheetInfo, list[str]]:
    """Make a sheet `name` at the end of the workbook with all that `source` has; the sheet, and what stayed behind.

    What lies on the sheet and shows its cells (charts, sparklines, its own names) shows those of the copy, as `follow`
    says for formulas. Tables get names of their own, which the formulas of the copy say.

    Raises:
        Problem: the name is taken or not allowed.
    """
    root = copy.deepcopy(parse(book.package.read(source.part), source.part))
    own_tables = copy_tables(book, source, root)
    _strip(root)
    for sparkline in root.iter(tag("sparkline", X14)):
        for formula in sparkline.iter(tag("f", XM)):
            formula.text = follow(formula.text or "")
    made = add_sheet_part(book, name, serialized(root))
    copier = _Copier(book, made.part, follow)
    related = copier.relations(source.part, made.part)
    for element in root.iter():
        if element.get(tag("id", REL)) not in related:
            element.attrib.pop(tag("id", REL), None)
    book.package.put(made.part, serialized(root))
    grid = Grid(book, made)
    put_tables(grid, own_tables)
    grid.save()
    _copy_names(book, source.name, name, follow)
    return made, list(copier.left_out)


def _strip(root: Any) -> None:
    """Take out what belongs to the tab and what is of no use without parts that stay behind."""
    for child in list(root):
        if next(child.iter(*_LIST_TAGS), None) is not None or child.tag == tag("tableParts"):
            root.remove(child)
    listed = root.find(tag("extLst"))
    for entry in list(listed) if listed is not None else []:
        if any(str(member.tag).endswith(("}slicerList", "}timelineRefs")) for member in entry):
            listed.remove(entry)
    if listed is not None and not len(listed):
        root.remove(listed)
    for element in root.iter(tag("sheetPr"), tag("sheetView")):
        for key in ("codeName", "tabSelected"):
            element.attrib.pop(key, None)


@dataclass
class _Copier:
    """Copies of the parts that belong to a sheet for the new sheet `sheet`; kinds of parts that were left out."""

    book: Workbook
    sheet: str
    follow: Callable[[str], str]
    left_out: dict[str, None] = field(default_factory=dict)

    def relations(self, source: str, target: str) -> set[str]:
        """Give the part `target` the relationships of `source`, to copies of what is its own; their ids."""
        name = rels_name(source)
        if name not in self.book.package:
            return set()
        root = parse(self.book.package.read(name), name)
        for entry in list(root):
            kind, part = entry.get("Type", "").rsplit("/", 1)[-1], resolved(source, entry.get("Target", ""))
            if entry.get("TargetMode") == "External" or kind == "hyperlink":
                continue
            if kind == "image":
                entry.set("Target", relative(target, part))
            elif kind in _COPIED_RELATIONS and part in self.book.package:
                entry.set("Target", relative(target, self.part(part)))
            else:
                root.remove(entry)
                self.left_out |= {_LEFT_OUT[kind]: None} if kind in _LEFT_OUT else {}
        if len(root):
            self.book.package.put(rels_name(target), serialized(root))
        return {entry.get("Id") for entry in root}

    def part(self, source: str) -> str:
        """Copy a part with what belongs to it; the name of the copy."""
        package = self.book.package
        made = package.free_name(_NUMBERED.sub(r"{}\1", source))
        package.put(made, self._data(package.read(source), source))
        self.relations(source, made)
        kind = content_type(package, source)
        if kind != content_type(package, made):
            self.book.set_type(made, kind)
        return made

    def _data(self, data: bytes, part: str) -> bytes:
        if part.endswith(".vml"):
            return without_controls(data)
        if not part.endswith(".xml"):
            return data
        root = parse(data, part)
        change = {"wsDr": self._drawing, "chartSpace": self._chart}.get(root.tag.rpartition("}")[2], self._comments)
        change(root)
        return serialized(root)

    def _drawing(self, root: Any) -> None:
        for anchor in list(root):
            if _FLOATS_BESIDE.search(serialized(anchor)):
                root.remove(anchor)
        for shape in root.iter():
            if shape.get("textlink"):
                shape.set("textlink", self.follow(shape.get("textlink")))

    def _chart(self, root: Any) -> None:
        """A chart of a pivot table becomes a plain one of its cells."""
        for entry in [*root.iter(tag("pivotSource", _CHART)), *root.iter(tag("pivotFmts", _CHART))]:
            entry.getparent().remove(entry)
        for formula in root.iter(tag("f", _CHART), tag("f", _CHARTEX)):
            formula.text = self.follow(formula.text or "")

    def _comments(self, root: Any) -> None:
        """Comments and the notes that stand for them get other identities; persons keep theirs."""
        for element in root.iter():
            for key in [name for name in element.attrib if name in ("id", "parentId") or str(name).endswith("}uid")]:
                element.set(key, _IDENTITY.sub(self._other, element.get(key)))
            if element.tag == tag("author"):
                element.text = _IDENTITY.sub(self._other, element.text or "")

    def _other(self, old: re.Match[str]) -> str:
        return "{" + str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.sheet} {old[0].upper()}")).upper() + "}"


def _copy_names(book: Workbook, source: str, name: str, follow: Callable[[str], str]) -> None:
    """Give a copied sheet the names that only its original knows, such as the print area."""
    sheets = [entry.get("name", "") for entry in book.element("sheets")]
    listed = book.root.find(tag("definedNames"))
    for entry in list(listed) if listed is not None else []:
        if entry.get("localSheetId") == str(sheets.index(source)):
            made = copy.deepcopy(entry)
            made.set("localSheetId", str(sheets.index(name)))
            made.text = follow(entry.text or "")
            entry.addnext(made)
