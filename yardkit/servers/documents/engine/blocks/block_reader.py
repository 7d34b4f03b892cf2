"""Blocks of a story read: with their anchors and text, and their formats on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.formatting import looks, table_looks
from yardkit.servers.documents.engine.formatting.numbering import Numbering
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.grids import Grid, format_reference
from yardkit.servers.documents.engine.markup.names import (
    TBL,
    P,
    find_element,
    get_attribute,
    get_value,
    iter_unwrapped,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import (
    DRAWINGS,
    in_fallback,
    iter_pieces,
    outside_fallbacks,
    text_box_of,
)
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.text.displayed_text import (
    format_piece,
    is_equation,
    read_visible_cell,
    read_visible_text,
)
from yardkit.servers.documents.engine.text.drawn_words import DrawnWords, get_description, iter_outermost

Show = Literal["text", "details", "markdown"]


@dataclass(frozen=True)
class Run:
    """Text of one look, or an equation."""

    text: str
    look: dict[str, object] = field(default_factory=dict)
    style: str = ""
    link: str = ""
    change: str = ""
    equation: bool = False


@dataclass(frozen=True)
class CellInfo:
    """A cell of a table: where it is, what it spans, its paragraphs' anchors; the look that all its text has."""

    cell: str
    anchors: list[str]
    columns: int = 1
    rows: int = 1
    shading: str = ""
    look: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class BlockInfo:
    """A block.

    Attributes:
        text: what is seen; equations as LaTeX, $x$ or on lines of their own $$x$$.
        level: of a heading or list item, from 1.
        label: what stands before a list item or numbered heading.
        rows: texts of a table's cells; merged cells are empty but for the first.
        images: numbers of the images in it, as inspect_document lists them.
        boxes: the paragraphs in text boxes that hang on it, anchor -> text.
        drawn: words of drawings on it: diagrams, charts, WordArt, descriptions of images.
        fields: codes of the fields in it.
    """

    anchor: str
    kind: str
    text: str = ""
    style: str = ""
    level: int = 0
    label: str = ""
    rows: list[list[str]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    images: list[int] = field(default_factory=list)
    boxes: dict[str, str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    bookmarks: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    breaks: str = ""
    look: dict[str, object] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    cells: list[CellInfo] = field(default_factory=list)


class Reader:
    """Reads the blocks of one story."""

    def __init__(self, document: Document, story: str) -> None:
        self.document = document
        self.story = story
        self.root = document.get_story(story)
        self.blocks = document.get_blocks(story)
        self.styles = Styles(document)
        self.numbering = Numbering(document)
        self.labels: dict[Any, str] = {}
        self.images = {image: number for number, image in enumerate(list_drawings(document), 1)}
        part = document.map_stories()[story]
        self.drawn_words = DrawnWords(document, part)
        self.links = {key: relation.target for key, relation in rels.read_relations(document.package, part).items()}

    def top(self, start: str = "") -> list[Any]:
        """The blocks that stand in no other; notes and comments count as containers, a text box where `start` is in it.

        Raises:
            Problem: there is no block with the anchor `start`.
        """
        box = text_box_of(self.blocks.find(start)) if start else None
        inner = ("w:footnotes", "w:endnotes", "w:comments")
        containers = self.root if self.root.tag in {qualify_name(name) for name in inner} else [self.root]
        top_blocks = [
            block for container in (containers if box is None else [box]) for block in iter_unwrapped(container)
        ]
        return [block for block in top_blocks if block.tag in (P, TBL)]

    def count_up_to(self, element: Any) -> None:
        """Give the items up to and in a block their numbers: what follows need not be looked at."""
        self.labels = self.numbering.labels(self.root, element)

    def block(self, element: Any, show: Show = "text") -> BlockInfo:
        return self._read_table(element, show) if element.tag == TBL else self._read_paragraph(element, show)

    def _read_paragraph(self, element: Any, show: Show) -> BlockInfo:
        level = self.styles.heading_level(element)
        item = self.numbering.level_of(element)
        label = self.labels.get(element, "")
        kind = "heading" if level else "item" if item else "paragraph"
        detailed = show == "details"
        return BlockInfo(
            anchor=self.blocks.anchor(element),
            kind=kind,
            text=read_visible_text(element),
            style=self.styles.name_of(get_value(element, "w:pPr/w:pStyle")),
            level=level or (item[1] + 1 if item else 0),
            label=label,
            images=self._images(element),
            boxes={
                self.blocks.anchor(paragraph): read_visible_text(paragraph)
                for paragraph in outside_fallbacks(element, P)
                if paragraph is not element
            },
            drawn=self._list_drawn_words(element),
            fields=[value.code.strip() for value in field_values.iter_fields(element) if _is_worth_naming(value)],
            bookmarks=[name for name in _list_bookmarks(element) if not name.startswith("_")],
            changes=_list_changes(element),
            breaks=_get_break(element),
            look=looks.paragraph_look(find_element(element, "w:pPr")) if detailed else {},
            runs=self._read_runs(element) if detailed else [],
        )

    def _images(self, element: Any) -> list[int]:
        return [self.images[drawing] for drawing in element.iter(*DRAWINGS) if drawing in self.images]

    def _list_drawn_words(self, element: Any) -> list[str]:
        """The words of drawings: first what describes images and others, then what stands in them."""
        if next(element.iter(*DRAWINGS), None) is None:
            return []
        named = [(self.images.get(drawing), get_description(drawing)) for drawing in iter_outermost(element)]
        image_texts = [
            f"image {number}: {words}" if number else f"description: {words}" for number, words in named if words
        ]
        return [*image_texts, *self.drawn_words.list_lines(element)]

    def _read_runs(self, paragraph: Any) -> list[Run]:
        text_runs: list[Run] = []
        for piece in iter_pieces(paragraph):
            properties = None if piece.run is None else find_element(piece.run, "w:rPr")
            link = "" if piece.run is None else self._read_link(piece.run)
            style = get_value(properties, "w:rStyle")
            run = Run(
                format_piece(piece),
                looks.text_look(properties) if properties is not None else {},
                self.styles.name_of(style) if style else "",
                link,
                "" if piece.run is None else _inserted_by(piece.run),
                is_equation(piece),
            )
            last = text_runs[-1] if text_runs and not (run.equation or text_runs[-1].equation) else None
            if last and (last.look, last.style, last.link, last.change) == (run.look, run.style, run.link, run.change):
                text_runs[-1] = Run(last.text + run.text, run.look, run.style, run.link, run.change)
            else:
                text_runs.append(run)
        return text_runs

    def _read_link(self, run: Any) -> str:
        around = next(run.iterancestors(qualify_name("w:hyperlink")), None)
        if around is None:
            return ""
        bookmark = get_attribute(around, "w:anchor")
        return f"#{bookmark}" if bookmark else self.links.get(get_attribute(around, "r:id") or "", "")

    def _read_table(self, element: Any, show: Show) -> BlockInfo:
        grid = Grid(element)
        rows = [[""] * grid.width for _ in grid.rows]
        merged, cells = [], []
        for line in grid.cells:
            for cell in line:
                if cell.merge != "continue" and cell.column < grid.width:
                    rows[cell.row][cell.column] = read_visible_cell(cell.element)
                    height = rows_of(grid, cell.row, cell.column) if cell.merge else 1
                    if cell.span > 1 or height > 1:
                        last = format_reference(cell.row + height - 1, cell.column + cell.span - 1)
                        merged.append(f"{format_reference(cell.row, cell.column)}:{last}")
                    if show == "details":
                        cells.append(self._read_cell(cell, height))
        return BlockInfo(
            anchor=self.blocks.anchor(element),
            kind="table",
            style=self.styles.name_of(get_value(element, "w:tblPr/w:tblStyle"), "table"),
            rows=rows,
            merged=merged,
            images=self._images(element),
            drawn=self._list_drawn_words(element),
            changes=_list_changes(element),
            look=table_looks.table_look(element, grid.rows) if show == "details" else {},
            cells=cells,
        )

    def _read_cell(self, cell: Any, height: int) -> CellInfo:
        anchors = [self.blocks.anchor(block) for block in iter_unwrapped(cell.element) if block.tag in (P, TBL)]
        fill = get_attribute(find_element(cell.element, "w:tcPr/w:shd"), "w:fill") or ""
        where, look = format_reference(cell.row, cell.column), table_looks.cell_look(cell.element)
        return CellInfo(where, anchors, cell.span, height, "" if fill == "auto" else fill, look)


def rows_of(grid: Grid, row: int, column: int) -> int:
    """How many rows a merged cell covers."""
    height = 1
    while row + height < grid.height:
        below = [cell for cell in grid.cells[row + height] if cell.column == column]
        if not below or below[0].merge != "continue":
            break
        height += 1
    return height


def list_drawings(document: Document) -> list[Any]:
    """All pictures of the stories (w:drawing or w:pict with an image), in order; copies for older programs left out."""
    drawing_elements = []
    for story in document.map_stories():
        for element in document.get_story(story).iter(qualify_name("w:drawing"), qualify_name("w:pict")):
            image = (
                find_element(element, ".//a:blip")
                if element.tag == qualify_name("w:drawing")
                else find_element(element, ".//v:imagedata")
            )
            outer = next(element.iterancestors(qualify_name("w:drawing"), qualify_name("w:pict")), None)
            if image is not None and not in_fallback(element) and outer is None:
                drawing_elements.append(element)
    return drawing_elements


def _is_worth_naming(known_field: Any) -> bool:
    """Whether a field is worth naming: not the page numbers inside of a table of contents."""
    return not (known_field.kind in ("PAGEREF", "HYPERLINK") and "_Toc" in known_field.code)


def _list_bookmarks(element: Any) -> list[str]:
    return [get_attribute(mark, "w:name") or "" for mark in element.iter(qualify_name("w:bookmarkStart"))]


def _list_changes(element: Any) -> list[str]:
    """Tracked changes in a block: "ins by Ann", "del by Bob"; their texts are told by the tool of changes."""
    names = {
        "w:ins": "ins",
        "w:del": "del",
        "w:moveFrom": "moved away",
        "w:moveTo": "moved here",
        "w:rPrChange": "format",
    }
    change_texts = {
        f"{word} by {get_attribute(change, 'w:author') or 'unknown'}"
        for name, word in names.items()
        for change in element.iter(qualify_name(name))
    }
    return sorted(change_texts)


def _inserted_by(run: Any) -> str:
    around = next(run.iterancestors(qualify_name("w:ins"), qualify_name("w:moveTo")), None)
    return "" if around is None else f"ins by {get_attribute(around, 'w:author') or 'unknown'}"


def _get_break(element: Any) -> str:
    """Which break a paragraph holds."""
    section = find_element(element, "w:pPr/w:sectPr")
    if section is not None:
        return "section"
    kinds = [get_attribute(line_break, "w:type") for line_break in element.iter(qualify_name("w:br"))]
    return "page" if "page" in kinds else "column" if "column" in kinds else ""
