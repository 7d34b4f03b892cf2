"""A copy of a sheet with what lies on it: charts, pictures, notes, comments, links, rules, tables, print settings."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from yardkit.kit.ooxml.relations import REL, content_type, make_relative, rels_name, resolve_target
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import X14, XM
from yardkit.servers.sheets.engine.objects.notes import without_controls
from yardkit.servers.sheets.engine.objects.table_changes import copy_tables, put_tables
from yardkit.servers.sheets.engine.package.new_sheets import add_sheet_part
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag

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
_LIST_TAGS = {qualify_tag("controls"), qualify_tag("oleObjects")}
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
    root = copy.deepcopy(parse_part(book.package.read(source.part), source.part))
    own_tables = copy_tables(book, source, root)
    _strip_root(root)
    for sparkline in root.iter(qualify_tag("sparkline", X14)):
        for formula in sparkline.iter(qualify_tag("f", XM)):
            formula.text = follow(formula.text or "")
    new_part = add_sheet_part(book, name, serialize_part(root))
    copier = _Copier(book, new_part.part, follow)
    related = copier.copy_relations(source.part, new_part.part)
    for element in root.iter():
        if element.get(qualify_tag("id", REL)) not in related:
            element.attrib.pop(qualify_tag("id", REL), None)
    book.package.put(new_part.part, serialize_part(root))
    grid = Grid(book, new_part)
    put_tables(grid, own_tables)
    grid.save()
    _copy_names(book, source.name, name, follow)
    return new_part, list(copier.left_out)


def _strip_root(root: Any) -> None:
    """Take out what belongs to the tab and what is of no use without parts that stay behind."""
    for child in list(root):
        if next(child.iter(*_LIST_TAGS), None) is not None or child.tag == qualify_tag("tableParts"):
            root.remove(child)
    listed = root.find(qualify_tag("extLst"))
    for entry in list(listed) if listed is not None else []:
        if any(str(member.tag).endswith(("}slicerList", "}timelineRefs")) for member in entry):
            listed.remove(entry)
    if listed is not None and not len(listed):
        root.remove(listed)
    for element in root.iter(qualify_tag("sheetPr"), qualify_tag("sheetView")):
        for key in ("codeName", "tabSelected"):
            element.attrib.pop(key, None)


@dataclass
class _Copier:
    """Copies of the parts that belong to a sheet for the new sheet `sheet`; kinds of parts that were left out."""

    book: Workbook
    sheet: str
    follow: Callable[[str], str]
    left_out: dict[str, None] = field(default_factory=dict)

    def copy_relations(self, source: str, target: str) -> set[str]:
        """Give the part `target` the relationships of `source`, to copies of what is its own; their ids."""
        name = rels_name(source)
        if name not in self.book.package:
            return set()
        root = parse_part(self.book.package.read(name), name)
        for entry in list(root):
            kind, part = entry.get("Type", "").rsplit("/", 1)[-1], resolve_target(source, entry.get("Target", ""))
            if entry.get("TargetMode") == "External" or kind == "hyperlink":
                continue
            if kind == "image":
                entry.set("Target", make_relative(target, part))
            elif kind in _COPIED_RELATIONS and part in self.book.package:
                entry.set("Target", make_relative(target, self.part(part)))
            else:
                root.remove(entry)
                self.left_out |= {_LEFT_OUT[kind]: None} if kind in _LEFT_OUT else {}
        if len(root):
            self.book.package.put(rels_name(target), serialize_part(root))
        return {entry.get("Id") for entry in root}

    def part(self, source: str) -> str:
        """Copy a part with what belongs to it; the name of the copy."""
        package = self.book.package
        new_name = package.free_name(_NUMBERED.sub(r"{}\1", source))
        package.put(new_name, self._copy_data(package.read(source), source))
        self.copy_relations(source, new_name)
        kind = content_type(package, source)
        if kind != content_type(package, new_name):
            self.book.set_type(new_name, kind)
        return new_name

    def _copy_data(self, data: bytes, part: str) -> bytes:
        if part.endswith(".vml"):
            return without_controls(data)
        if not part.endswith(".xml"):
            return data
        root = parse_part(data, part)
        change = {"wsDr": self._copy_drawing, "chartSpace": self._copy_chart}.get(
            root.tag.rpartition("}")[2], self._copy_comments
        )
        change(root)
        return serialize_part(root)

    def _copy_drawing(self, root: Any) -> None:
        for anchor in list(root):
            if _FLOATS_BESIDE.search(serialize_part(anchor)):
                root.remove(anchor)
        for shape in root.iter():
            if shape.get("textlink"):
                shape.set("textlink", self.follow(shape.get("textlink")))

    def _copy_chart(self, root: Any) -> None:
        """A chart of a pivot table becomes a plain one of its cells."""
        for entry in [*root.iter(qualify_tag("pivotSource", _CHART)), *root.iter(qualify_tag("pivotFmts", _CHART))]:
            entry.getparent().remove(entry)
        for formula in root.iter(qualify_tag("f", _CHART), qualify_tag("f", _CHARTEX)):
            formula.text = self.follow(formula.text or "")

    def _copy_comments(self, root: Any) -> None:
        """Comments and the notes that stand for them get other identities; persons keep theirs."""
        for element in root.iter():
            for key in [name for name in element.attrib if name in ("id", "parentId") or str(name).endswith("}uid")]:
                element.set(key, _IDENTITY.sub(self._make_other_identity, element.get(key)))
            if element.tag == qualify_tag("author"):
                element.text = _IDENTITY.sub(self._make_other_identity, element.text or "")

    def _make_other_identity(self, old: re.Match[str]) -> str:
        return "{" + str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.sheet} {old[0].upper()}")).upper() + "}"


def _copy_names(book: Workbook, source: str, name: str, follow: Callable[[str], str]) -> None:
    """Give a copied sheet the names that only its original knows, such as the print area."""
    sheets = [entry.get("name", "") for entry in book.element("sheets")]
    listed = book.root.find(qualify_tag("definedNames"))
    for entry in list(listed) if listed is not None else []:
        if entry.get("localSheetId") == str(sheets.index(source)):
            entry_copy = copy.deepcopy(entry)
            entry_copy.set("localSheetId", str(sheets.index(name)))
            entry_copy.text = follow(entry.text or "")
            entry.addnext(entry_copy)
