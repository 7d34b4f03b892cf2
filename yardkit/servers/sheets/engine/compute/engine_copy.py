"""The copy of a workbook that the calculation engine reads: values, tables and names, and nothing else.

The engine stops at parts that have nothing to do with values: styles that lack one of their lists, as Apache POI writes
them, notes where openpyxl puts them, names with signs that it does not know. So the copy is made of what it needs, with
one look for all cells. Formulas are put in afterwards.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from yardkit.kit.ooxml.relations import PACKAGE_REL, REL, TYPES
from yardkit.kit.ooxml.xml import is_utf8, serialize_part
from yardkit.servers.sheets.engine.notation.formulas import is_simple_reference
from yardkit.servers.sheets.engine.notation.rewritten_formulas import quote_sheet
from yardkit.servers.sheets.engine.package.workbook import DefinedName, SheetInfo, Workbook
from yardkit.servers.sheets.engine.package.xml import MAIN, parse_part

_FORMULA = re.compile(rb"<f(?=[\s/>])[^>]*?(?:/>|>[^<]*</f>)")
_LOOK = re.compile(rb' s="(\d+)"')
_MOST_LOOKS = 65_536
_STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders>'
    "<cellStyleXfs><xf/></cellStyleXfs><cellXfs>{0}</cellXfs>"
    '<cellStyles><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs/></styleSheet>'
)
_KNOWN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_BUILT_IN = "_xlnm."
_SHARED = {"sharedStrings": "sharedStrings.xml", "sheetMetadata": "metadata.xml"}
_Relation = tuple[str, str]
"""Kind and target."""


class EngineCopy:
    """The copy of a workbook: `titles` are its sheets, the last of them one of `computed` names, row by row.

    Attributes:
        stand_ins: what the engine knows a name of the workbook by, where that is not its own; in small letters.
    """

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._members: dict[str, bytes] = {}
        self._looks = 1
        self._sheets: list[_Relation] = []
        self._tables = 0
        self.stand_ins: dict[str, str] = {}
        names = [name for name in book.names if not name.name.startswith(_BUILT_IN)]
        self.computed = [name for name in names if not is_simple_reference(name.formula)]
        self.titles = [info.name for info in book.sheets if info.kind == "worksheet"]
        for info in book.sheets:
            if info.kind == "worksheet":
                self._add_sheet(self._cells(info), self._add_tables(info))
        if self.computed:
            self._add_sheet(f'<worksheet xmlns="{MAIN}"><sheetData/></worksheet>'.encode(), [])
            self.titles.append(_free_title(self.titles))
        self._members["xl/workbook.xml"] = self._write_workbook(names)

    def save(self, path: Path) -> None:
        """Write it to `path`."""
        top = [*self._sheets, ("styles", "styles.xml")]
        for kind, name in _SHARED.items():
            part = self._book.related_part(kind)
            if part is not None:
                self._members[f"xl/{name}"] = _read_utf8(self._book, part)
                top.append((kind, name))
        self._members["xl/styles.xml"] = _STYLES.format("<xf/>" * self._looks).encode()
        self._members["xl/_rels/workbook.xml.rels"] = _build_relations(top)
        self._members["_rels/.rels"] = _build_relations([("officeDocument", "xl/workbook.xml")])
        self._members["[Content_Types].xml"] = f'<Types xmlns="{TYPES}"/>'.encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in self._members.items():
                archive.writestr(name, data)

    def _add_sheet(self, data: bytes, tables: list[_Relation]) -> None:
        name = f"sheet{len(self._sheets) + 1}.xml"
        self._members[f"xl/worksheets/{name}"] = data
        self._sheets.append(("worksheet", f"worksheets/{name}"))
        if tables:
            self._members[f"xl/worksheets/_rels/{name}.rels"] = _build_relations(tables)

    def _cells(self, info: SheetInfo) -> bytes:
        """A worksheet with its cells alone, without formulas."""
        source = self._book.get_source(info.part)
        cells = source.data[source.starts[0] : source.end] if source.starts else b""
        if b"<f" in cells:
            cells = _FORMULA.sub(b"", cells)
        self._looks = max(self._looks, *(min(int(index) + 1, _MOST_LOOKS) for index in set(_LOOK.findall(cells))), 1)
        return b"".join([source.wrapper, b"<sheetData>", cells, b"</sheetData></worksheet>"])

    def _add_tables(self, info: SheetInfo) -> list[_Relation]:
        engine_tables = []
        for kind, part in self._book.relations_of(info.part).values():
            if kind == "table" and part in self._book.package:
                self._tables += 1
                self._members[f"xl/tables/table{self._tables}.xml"] = _read_utf8(self._book, part)
                engine_tables.append(("table", f"../tables/table{self._tables}.xml"))
        return engine_tables

    def _write_workbook(self, names: list[DefinedName]) -> bytes:
        sheets = (
            f'<sheet name={quoteattr(title)} sheetId="{number}" r:id="r{number}"/>'
            for number, title in enumerate(self.titles, start=1)
        )
        defined = "".join(map(self._write_defined_name, names))
        return (
            f'<workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>{"".join(sheets)}</sheets>'
            f"<definedNames>{defined}</definedNames></workbook>"
        ).encode()

    def _write_defined_name(self, name: DefinedName) -> str:
        if not _KNOWN_NAME.fullmatch(name.name):
            self.stand_ins.setdefault(name.name.lower(), f"stand_in_{len(self.stand_ins) + 1}")
        own = self.stand_ins.get(name.name.lower(), name.name)
        scope = f' localSheetId="{self.titles.index(name.scope)}"' if name.scope in self.titles else ""
        place = (
            f"{quote_sheet(self.titles[-1])}!$A${self.computed.index(name) + 1}"
            if name in self.computed
            else name.formula
        )
        return f"<definedName name={quoteattr(own)}{scope}>{escape(place.lstrip('='))}</definedName>"


def _read_utf8(book: Workbook, part: str) -> bytes:
    data = book.package.read(part)
    return data if is_utf8(data[:300]) else serialize_part(parse_part(data, part))


def _build_relations(part_relations: list[_Relation]) -> bytes:
    entries = (
        f'<Relationship Id="r{number}" Type="{REL}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(part_relations, start=1)
    )
    return f'<Relationships xmlns="{PACKAGE_REL}">{"".join(entries)}</Relationships>'.encode()


def _free_title(titles: list[str]) -> str:
    title = "~names"
    while title in titles:
        title += "~"
    return title
