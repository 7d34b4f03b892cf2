"""The workbook part and what hangs on it: sheets, names, styles, shared strings, calculation settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml import relations
from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.relations import REL, resolve_target
from yardkit.kit.ooxml.xml import serialize_part
from yardkit.kit.pages.kinds import explain_other_kind
from yardkit.servers.sheets.engine.notation.values import unescape_text
from yardkit.servers.sheets.engine.package.file_cache import Known, recall_version, version_of
from yardkit.servers.sheets.engine.package.sheet_source import Source
from yardkit.servers.sheets.engine.package.styles import MINIMAL, Styles
from yardkit.servers.sheets.engine.package.xml import ensure_child, parse_part, qualify_tag
from yardkit.world import Problem

MAX_WORKBOOK_BYTES = 100_000_000
FOREIGN = (".xls", ".xlsb", ".ods")
"""Workbooks of other kinds, which can be converted."""
_CHILD_ORDER = (
    "fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets", "functionGroups",
    "externalReferences", "definedNames", "calcPr", "oleSize", "customWorkbookViews", "pivotCaches", "extLst",
)  # fmt: skip
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."


@dataclass(frozen=True)
class SheetInfo:
    """A sheet: `state` is visible, hidden or veryHidden; `kind` worksheet, chartsheet, dialogsheet or macrosheet."""

    name: str
    part: str
    state: str
    kind: str


@dataclass(frozen=True)
class DefinedName:
    """A name: `scope` is the sheet it belongs to, or empty for the workbook."""

    name: str
    formula: str
    scope: str
    hidden: bool


class Workbook:
    """An xlsx or xlsm workbook as its parts; only parts that were changed are written anew."""

    def __init__(self, package: Package, path: Path | None = None) -> None:
        self.package = package
        self.version = version_of(path) if path else None
        self.known = recall_version(self.version) if self.version else Known()
        self.part = self._main_part()
        self.root = parse_part(package.read(self.part), self.part)
        self._original = serialize_part(self.root)
        self._relations = self._read_relations()

    @classmethod
    def open(cls, path: Path) -> Workbook:
        """The workbook at `path`.

        Raises:
            Problem: too large, damaged, encrypted, a zip bomb, or of another kind; it says which.
        """
        _check_kind(path)
        try:
            return cls(Package.open(path), path)
        except Problem as problem:
            raise _check_foreign(path) or problem from None

    @cached_property
    def sheets(self) -> list[SheetInfo]:
        sheet_infos = []
        for sheet in self.root.iterfind(f"{qualify_tag('sheets')}/{qualify_tag('sheet')}"):
            kind, part = self._relations.get(sheet.get(qualify_tag("id", REL), ""), ("", ""))
            if part in self.package:
                sheet_infos.append(SheetInfo(sheet.get("name", ""), part, sheet.get("state", "visible"), kind))
        return sheet_infos

    def sheet(self, name: str | None) -> SheetInfo:
        """The worksheet called `name` (letter case aside), or the first one.

        Raises:
            Problem: there is none, or it is no worksheet.
        """
        usable = [sheet for sheet in self.sheets if sheet.kind == "worksheet"]
        if name is None and usable:
            return usable[0]
        for sheet in self.sheets:
            if name is not None and sheet.name.casefold() == name.casefold():
                if sheet.kind != "worksheet":
                    raise Problem(f"{sheet.name!r} is a {sheet.kind}, which has no cells; choose a worksheet")
                return sheet
        names = ", ".join(repr(sheet.name) for sheet in usable)
        raise Problem(f"the sheet {name!r} does not exist; the workbook has {names}")

    @cached_property
    def styles(self) -> Styles:
        return Styles(self.package.read(self.styles_part) if self.styles_part in self.package else MINIMAL)

    @property
    def styles_part(self) -> str:
        return next(
            (part for kind, part in self._relations.values() if kind == "styles"),
            resolve_target(self.part, "styles.xml"),
        )

    @property
    def theme_part(self) -> str | None:
        """The part with the theme's colours, if there is one."""
        return self.related_part("theme")

    def related_part(self, kind: str) -> str | None:
        """The part that stands in a relation of some kind to the workbook, if there is one."""
        return next((part for own, part in self._relations.values() if own == kind and part in self.package), None)

    def get_source(self, part: str) -> Source:
        """A worksheet part as it is now; what the file holds is kept for the next call."""
        if self.package.is_changed(part):
            return Source(self.package.read(part), part)
        if part not in self.known.sources:
            self.known.sources[part] = Source(self.package.read(part), part)
        return self.known.sources[part]

    def mentions(self, info: SheetInfo, text: str) -> bool:
        """Whether `text` may stand anywhere in a worksheet part, letter case aside; False for other sheets."""
        if info.kind != "worksheet":
            return False
        data = self.get_source(info.part).data
        # Some libraries write what is beyond ASCII as references to characters.
        return b"&#" in data or text.casefold() in data.decode("utf-8", "replace").casefold()

    @property
    def strings(self) -> list[str]:
        """The shared strings; no edit changes them."""
        if self.known.strings is None:
            self.known.strings = self._read_strings()
        return self.known.strings

    def _read_strings(self) -> list[str]:
        part = self.related_part("sharedStrings")
        if part is None:
            return []
        return [text_of(item) for item in parse_part(self.package.read(part), part).iterfind(qualify_tag("si"))]

    @property
    def date1904(self) -> bool:
        properties = self.root.find(qualify_tag("workbookPr"))
        return properties is not None and properties.get("date1904") in ("1", "true")

    @property
    def names(self) -> list[DefinedName]:
        sheets = [
            sheet.get("name", "") for sheet in self.root.iterfind(f"{qualify_tag('sheets')}/{qualify_tag('sheet')}")
        ]
        defined_names = []
        for entry in self.root.iterfind(f"{qualify_tag('definedNames')}/{qualify_tag('definedName')}"):
            index = int(entry.get("localSheetId", "-1"))
            scope = sheets[index] if 0 <= index < len(sheets) else ""
            hidden = entry.get("hidden") in ("1", "true")
            defined_names.append(DefinedName(entry.get("name", ""), entry.text or "", scope, hidden))
        return defined_names

    @property
    def named(self) -> dict[str, str]:
        """What each defined name stands for, by the name in lower case; of several scopes the last."""
        return {name.name.lower(): name.formula for name in self.names}

    @property
    def recalculates_on_load(self) -> bool:
        """Whether the program that wrote the workbook stored values that are none, as XlsxWriter its noughts."""
        settings = self.root.find(qualify_tag("calcPr"))
        if settings is None or settings.get("calcCompleted") in ("0", "false"):
            return False
        return settings.get("fullCalcOnLoad") in ("1", "true")

    def structure_changed(self) -> bool:
        """Whether sheets, names or settings differ from the file's."""
        return self.package.is_changed(self.part) or serialize_part(self.root) != self._original

    def recalculate_on_load(self) -> None:
        """Ask the next program that opens the file to compute what we could not; what has a value is right."""
        settings = ensure_child(self.root, "calcPr", _CHILD_ORDER)
        settings.set("fullCalcOnLoad", "1")
        settings.set("calcCompleted", "0")

    def element(self, name: str) -> Any:
        """The child `name` of the workbook element, made in its place where there is none."""
        return ensure_child(self.root, name, _CHILD_ORDER)

    def relations_of(self, part: str) -> dict[str, tuple[str, str]]:
        """Relationship id -> (kind, part) of a part; external targets are left out."""
        relation_values = relations.read_relations(self.package, part).values()
        return {relation.id: (relation.kind, relation.target) for relation in relation_values if not relation.external}

    def add_relation(self, kind: str, part: str) -> str:
        """Relate the workbook to `part`; the new relationship's id."""
        identity = relations.add_relation(self.package, self.part, kind, part)
        self._relations[identity] = (kind, part)
        return identity

    def drop_relation(self, part: str) -> None:
        """Take out the workbook's relationship to `part`."""
        for identity in [key for key, (_, target) in self._relations.items() if target == part]:
            relations.drop_relation(self.package, self.part, identity)
            del self._relations[identity]

    def set_type(self, part: str, kind: str | None) -> None:
        """State the content type of `part` (``worksheet``, ``styles`` ...), or take the statement out."""
        full = kind if kind is None or "/" in kind else f"{_TYPE}{kind}+xml"
        relations.set_type(self.package, part, full)

    def drop_calculation_chain(self) -> None:
        """A chain that names cells without formulas makes a workbook look damaged; Excel builds a new one."""
        part = next((part for kind, part in self._relations.values() if kind == "calcChain"), "")
        if part:
            self.package.drop_part(part)
            self.drop_relation(part)
            self.set_type(part, None)

    def save(self, path: Path) -> None:
        """Write the workbook to `path` (a draft beside it), changed parts anew, the others as they are."""
        self._put_own()
        self.package.save(path)

    def _put_own(self) -> None:
        now = serialize_part(self.root)
        if now != self._original or self.package.is_changed(self.part):
            self.package.put(self.part, now)
        if "styles" in self.__dict__ and self.styles.changed:
            if self.styles_part not in self.package:
                self.add_relation("styles", self.styles_part)
                self.set_type(self.styles_part, "styles")
            self.package.put(self.styles_part, self.styles.data())

    def _main_part(self) -> str:
        for name in ("[Content_Types].xml", "_rels/.rels"):
            if name not in self.package:
                raise Problem(f"the file is a zip package but not a workbook ({name} is missing); choose an .xlsx file")
        for kind, part in self.relations_of("").values():
            if kind == "officeDocument" and part in self.package:
                kind_of_file = relations.content_type(self.package, part)
                if part.startswith("xl/") or "spreadsheetml" in kind_of_file or "ms-excel" in kind_of_file:
                    return part
                raise Problem(f"the file is an Office document ({part}) but not a workbook; choose an .xlsx file")
        raise Problem(
            "the file is a zip package but not an Excel workbook (perhaps ODS or Numbers); save it as .xlsx first"
        )

    def _read_relations(self) -> dict[str, tuple[str, str]]:
        return self.relations_of(self.part)


def text_of(item: Any) -> str:
    """The text of a shared or inline string: its own and that of its runs, without phonetic hints."""
    texts = [item.find(qualify_tag("t")), *(run.find(qualify_tag("t")) for run in item.iterfind(qualify_tag("r")))]
    return unescape_text("".join(text.text or "" for text in texts if text is not None))


def _check_kind(path: Path) -> None:
    with path.open("rb") as handle:
        head = handle.read(8)
    if not head:
        raise Problem(f"{path.name!r} is empty, not a workbook")
    if head[:2] != b"PK":
        raise _check_foreign(path) or Problem(
            f"{path.name!r} is not an .xlsx workbook; use import_data for a CSV file, a text tool for other text"
        )
    if path.stat().st_size > MAX_WORKBOOK_BYTES:
        size = path.stat().st_size
        raise Problem(f"{path.name!r} has {size:,} bytes; the limit is {MAX_WORKBOOK_BYTES:,}. Split it")


def _check_foreign(path: Path) -> Problem | None:
    how = "export_data to an .xlsx file converts it, import_data takes its values"
    return explain_other_kind(path, ".xlsx", FOREIGN, how)
