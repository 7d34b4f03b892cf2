"""All objects of a workbook with their properties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.ooxml.relations import read_relations
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.graphics.chart_reader import read_charts
from yardkit.servers.sheets.engine.graphics.chart_spec import ChartInfo
from yardkit.servers.sheets.engine.graphics.pictures import ImageInfo, list_images
from yardkit.servers.sheets.engine.graphics.sparklines import SparklineInfo, list_sparklines
from yardkit.servers.sheets.engine.layout.layout_reader import LayoutInfo, layout_of
from yardkit.servers.sheets.engine.objects.annotations import list_comments
from yardkit.servers.sheets.engine.objects.comment_threads import CommentInfo
from yardkit.servers.sheets.engine.objects.conditional_formats import RuleInfo, list_rules
from yardkit.servers.sheets.engine.objects.defined_names import BUILT_IN
from yardkit.servers.sheets.engine.objects.hyperlinks import LinkInfo, list_links
from yardkit.servers.sheets.engine.objects.print_setup import PrintInfo, print_setup
from yardkit.servers.sheets.engine.objects.protection import ProtectionInfo, sheet_protection, structure_protection
from yardkit.servers.sheets.engine.objects.validations import ValidationInfo, list_validations
from yardkit.servers.sheets.engine.package.tables import Table, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag
from yardkit.servers.sheets.engine.pivots.pivot_reader import pivots_of
from yardkit.servers.sheets.engine.pivots.pivot_spec import PivotInfo
from yardkit.servers.sheets.engine.results import NameSummary

Kind = Literal[
    "charts", "pivots", "tables", "conditional_formats", "validations", "comments", "links", "images", "sparklines",
    "names", "protection", "print", "layout", "slicers", "external_links",
]  # fmt: skip
MAX_EACH = 500


@dataclass(frozen=True)
class TableInfo:
    """A table; `totals` maps columns to functions of the totals row."""

    name: str
    sheet: str
    range: str
    columns: list[str]
    style: str = ""
    totals: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"table {self.name!r} at {self.sheet}!{self.range}: {', '.join(self.columns)}"


@dataclass(frozen=True)
class Objects:
    """The objects of a workbook, kind by kind; `cut` names kinds of which only the first 500 are listed."""

    charts: list[ChartInfo] = field(default_factory=list)
    pivots: list[PivotInfo] = field(default_factory=list)
    tables: list[TableInfo] = field(default_factory=list)
    conditional_formats: list[RuleInfo] = field(default_factory=list)
    validations: list[ValidationInfo] = field(default_factory=list)
    comments: list[CommentInfo] = field(default_factory=list)
    links: list[LinkInfo] = field(default_factory=list)
    images: list[ImageInfo] = field(default_factory=list)
    sparklines: list[SparklineInfo] = field(default_factory=list)
    names: list[NameSummary] = field(default_factory=list)
    protection: list[ProtectionInfo] = field(default_factory=list)
    print: list[PrintInfo] = field(default_factory=list)
    layout: list[LayoutInfo] = field(default_factory=list)
    slicers: list[str] = field(default_factory=list)
    external_links: list[str] = field(default_factory=list)
    macros: bool = False
    cut: list[str] = field(default_factory=list)


_OF_SHEETS: dict[str, Callable[[Grid], list[Any]]] = {
    "charts": lambda grid: [info for info, _, _ in read_charts(grid).values()],
    "pivots": lambda grid: [pivot.info for pivot in pivots_of(grid.book, grid.info)],
    "tables": lambda grid: [table_info(table, grid.book) for table in list_tables(grid.book, grid.info)],
    "conditional_formats": list_rules,
    "validations": list_validations,
    "comments": list_comments,
    "links": list_links,
    "images": list_images,
    "sparklines": list_sparklines,
    "protection": lambda grid: [info for info in [sheet_protection(grid)] if info.protected],
    "print": lambda grid: [print_setup(grid)],
    "layout": lambda grid: [layout_of(grid)],
    "slicers": lambda grid: list_slicers(grid),  # noqa: PLW0108 - defined below
}


def read_objects(path: Path, sheet: str | None, kinds: list[Kind]) -> Objects:
    """The objects of a sheet, or of all; `kinds` (without: all) says which. Print set-ups and layouts when asked for.

    Raises:
        Problem: no workbook, or no such sheet.
    """
    book = Workbook.open(path)
    requested_kinds = set(kinds) or {*_OF_SHEETS, "names", "external_links"} - {"print", "layout"}
    infos = [book.sheet(sheet)] if sheet else [info for info in book.sheets if info.kind == "worksheet"]
    objects_by_kind: dict[str, list[Any]] = {kind: [] for kind in requested_kinds}
    for info in infos:
        grid = Grid(book, info)
        for kind in requested_kinds & _OF_SHEETS.keys():
            objects_by_kind[kind] += _OF_SHEETS[kind](grid)
    scope = None if sheet is None else infos[0].name
    if "names" in requested_kinds:
        objects_by_kind["names"] = [
            NameSummary(defined_name.name, defined_name.formula, defined_name.scope)
            for defined_name in book.names
            if not defined_name.hidden
            and not defined_name.name.startswith(BUILT_IN)
            and scope in (None, defined_name.scope)
        ]
    if "external_links" in requested_kinds:
        objects_by_kind["external_links"] = external_links(book)
    if "protection" in requested_kinds and structure_protection(book).protected:
        objects_by_kind["protection"].append(structure_protection(book))
    cut = sorted(kind for kind, kind_objects in objects_by_kind.items() if len(kind_objects) > MAX_EACH)
    macros = any(name.endswith("vbaProject.bin") for name in book.package.names())
    return Objects(
        **{kind: kind_objects[:MAX_EACH] for kind, kind_objects in objects_by_kind.items()}, macros=macros, cut=cut
    )


def table_info(table: Table, book: Workbook) -> TableInfo:
    """A table with its style and totals."""
    root = parse_part(book.package.read(table.part), table.part)
    style = root.find(qualify_tag("tableStyleInfo"))
    totals = {
        entry.get("name", ""): entry.get("totalsRowFunction")
        for entry in root.iter(qualify_tag("tableColumn"))
        if entry.get("totalsRowFunction")
    }
    name = "" if style is None else style.get("name", "")
    return TableInfo(table.name, table.sheet, str(table.area), table.columns, name, totals)


def list_slicers(grid: Grid) -> list[str]:
    """Slicers and timelines of a sheet: name and caption."""
    slicer_texts = []
    for kind, part in grid.book.relations_of(grid.info.part).values():
        if kind in ("slicer", "timeline") and part in grid.book.package:
            slicer_texts += [
                f"{kind} {entry.get('name', '')!r} ({entry.get('caption', '')}) on {grid.info.name}"
                for entry in parse_part(grid.book.package.read(part), part)
            ]
    return slicer_texts


def external_links(book: Workbook) -> list[str]:
    """Where links to other workbooks point; they are never opened."""
    parts = [name for name in book.package.names() if name.startswith("xl/externalLinks/externalLink")]
    known = [relation for part in parts for relation in read_relations(book.package, part).values()]
    return [relation.target for relation in known if relation.external]
