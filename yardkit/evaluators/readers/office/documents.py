"""Reading delivered Word documents (docx): blocks in reading order, formats, notes, comments, tracked changes, pages.

Texts are read with all tracked changes accepted; `original` is the text with all of them rejected.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.evaluators.readers.office import document_parts
from yardkit.evaluators.readers.office.document_parts import Change, Comment, Field, Note, Picture, Section
from yardkit.evaluators.readers.office.document_styles import (
    Look,
    Styles,
    is_on,
    qualify_word_name,
    read_attribute,
    read_styles,
)
from yardkit.evaluators.readers.office.document_text import Tracked, read_both_texts, text_of
from yardkit.evaluators.readers.office.packages import Parts, open_parts, parse_file, read_core_properties
from yardkit.evaluators.submission import Submission

__all__ = [
    "Cell",
    "Change",
    "Comment",
    "Document",
    "Field",
    "Look",
    "Note",
    "Paragraph",
    "Picture",
    "Run",
    "Section",
    "Table",
    "read_document",
]


@dataclass(frozen=True)
class Run:
    """A run of text with one look.

    Attributes:
        tracked: whether the text is an open insertion or deletion, by `author`.
        link: the address or bookmark of its link.
    """

    text: str
    look: Look
    style: str = ""
    link: str = ""
    tracked: Tracked = ""
    author: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    Attributes:
        text: the text with tracked changes accepted; ``original`` with all rejected.
        style: the style's name, such as ``Heading 1``.
        level: the heading level from 1; None for body text.
        list_kind: ``bullet``, ``number`` or empty; `list_level` counts from 0; `list_id` identifies the list.
        under: the texts of the headings above it, outermost first.
        mark: whether the end of the paragraph is itself an open insertion or deletion.
        page_break: whether a page begins before or inside it.
        indent_mm: the indent from the left margin, and of the first line from there, without that of lists.
    """

    text: str
    original: str
    style: str
    level: int | None
    list_kind: str
    list_level: int
    list_id: str
    alignment: str
    runs: tuple[Run, ...] = field(repr=False)
    under: tuple[str, ...] = ()
    mark: Tracked = ""
    page_break: bool = False
    indent_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def look(self) -> Look | None:
        """The look of its text if all of it looks the same."""
        looks = {run.look for run in self.runs if run.text.strip() and run.tracked != "deleted"}
        return looks.pop() if len(looks) == 1 else None


@dataclass(frozen=True)
class Cell:
    """A cell; `span` is its number of columns, `fill` is RRGGBB or empty, `merged` continues the cell above."""

    paragraphs: tuple[Paragraph, ...]
    span: int = 1
    fill: str = ""
    merged: bool = False

    @property
    def text(self) -> str:
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


@dataclass(frozen=True)
class Table:
    """A table without rows of tracked deletions; `row_changes` says which rows are insertions.

    Attributes:
        header_rows: rows repeated on each page.
        nested: the tables inside its cells.
        unsplit_rows: for each row, whether it must not break over pages.
    """

    cells: tuple[tuple[Cell, ...], ...]
    style: str
    header_rows: int
    row_changes: tuple[Tracked, ...]
    under: tuple[str, ...] = ()
    nested: tuple["Table", ...] = ()
    unsplit_rows: tuple[bool, ...] = ()

    @property
    def rows(self) -> list[list[str]]:
        """The texts of the cells by row."""
        return [[cell.text for cell in row] for row in self.cells]

    @property
    def originals(self) -> list[list[str]]:
        """The texts of the cells by row, with all changes rejected."""
        original_rows = (row for row, how in zip(self.cells, self.row_changes, strict=True) if how != "inserted")
        return [
            ["\n".join(paragraph.original for paragraph in cell.paragraphs) for cell in row] for row in original_rows
        ]


@dataclass(frozen=True)
class Document:
    """A document; `blocks` are its paragraphs and tables in reading order."""

    blocks: tuple[Paragraph | Table, ...] = field(repr=False)
    sections: tuple[Section, ...]
    comments: tuple[Comment, ...]
    changes: tuple[Change, ...]
    notes: tuple[Note, ...]
    fields: tuple[Field, ...]
    pictures: tuple[Picture, ...]
    bookmarks: tuple[str, ...]
    text_boxes: tuple[str, ...]
    properties: Mapping[str, str]
    style_looks: Mapping[str, Look] = field(repr=False)
    tracking: bool = False

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs outside tables, in order."""
        return [block for block in self.blocks if isinstance(block, Paragraph)]

    @property
    def tables(self) -> list[Table]:
        """The tables outside other tables, in order."""
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and text of each heading, in order."""
        return [
            (paragraph.level, paragraph.text.strip())
            for paragraph in self.paragraphs
            if paragraph.level and paragraph.text.strip()
        ]

    @property
    def text(self) -> str:
        """The text of the body with all changes accepted, a line per paragraph, tabs between cells."""
        return self._join_flow("accepted")

    @property
    def original(self) -> str:
        """The text of the body with all changes rejected; deleted rows of tables are missing."""
        return self._join_flow("rejected")

    def list_section(self, heading: str) -> list[Paragraph | Table]:
        """List the blocks below the heading with this text (in any case), including deeper headings."""
        sought_heading = heading.strip().casefold()
        return [block for block in self.blocks if sought_heading in (name.strip().casefold() for name in block.under)]

    def _join_flow(self, view: Literal["accepted", "rejected"]) -> str:
        lines: list[str] = []
        joined = False
        vanished = "deleted" if view == "accepted" else "inserted"
        for block in self.blocks:
            if isinstance(block, Table):
                lines += ["\t".join(row) for row in (block.rows if view == "accepted" else block.originals)]
                joined = False
                continue
            text = block.text if view == "accepted" else block.original
            if joined:
                lines[-1] += text
            else:
                lines.append(text)
            joined = block.mark == vanished
        return "\n".join(lines[:-1] if joined and lines and not lines[-1] else lines)


def read_document(submission: Submission, relative: str) -> Document:
    """Read a delivered Word document.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable Word document.
    """
    return parse_file(submission, relative, parse_document, "Word document")


def parse_document(path: Path) -> Document:
    """Parse the document at `path`; it may raise any exception."""
    parts = open_parts(path)
    main = parts.find_main()
    root = parts.xml(main)
    styles = read_styles(parts, main)
    links = {
        identity: relation.target
        for identity, relation in parts.read_relations(main).items()
        if relation.kind == "hyperlink"
    }
    body = root.find(qualify_word_name("body"))
    return Document(
        blocks=tuple(_Blocks(styles, links).read(body)),
        sections=document_parts.read_sections(parts, main, root),
        comments=document_parts.read_comments(parts, main, root),
        changes=document_parts.read_changes(parts, main, root),
        notes=document_parts.read_notes(parts, main, root),
        fields=document_parts.read_fields(parts, main, root),
        pictures=document_parts.read_pictures(parts, main, root),
        bookmarks=tuple(
            bookmark.get(qualify_word_name("name"), "") for bookmark in root.iter(qualify_word_name("bookmarkStart"))
        ),
        text_boxes=tuple(
            "\n".join(text_of(p) for p in box.iter(qualify_word_name("p")))
            for box in document_parts.find_text_boxes(root)
        ),
        properties=read_core_properties(parts),
        style_looks={styles.name(name): styles.style_look(name) for name in styles.by_id},
        tracking=_is_tracking(parts, main),
    )


def _is_tracking(parts: Parts, main: str) -> bool:
    setting_parts = parts.list_related(main, "settings")
    setting = parts.xml(setting_parts[0]).find(qualify_word_name("trackRevisions")) if setting_parts else None
    return setting is not None and setting.get(qualify_word_name("val"), "1") not in ("0", "false", "off")


class _Blocks:
    """Walks a body and keeps track of the headings above the current block."""

    def __init__(self, styles: Styles, links: Mapping[str, str]) -> None:
        self._styles = styles
        self._links = links
        self._above: dict[int, str] = {}

    def read(self, container: Any) -> Iterator[Paragraph | Table]:
        for child in container:
            if child.tag == qualify_word_name("p"):
                paragraph = self.read_paragraph(child)
                if paragraph.level:
                    headings_above = {level: text for level, text in self._above.items() if level < paragraph.level}
                    self._above = {**headings_above, paragraph.level: paragraph.text.strip()}
                yield paragraph
            elif child.tag == qualify_word_name("tbl"):
                yield self.table(child)
            elif child.tag not in (qualify_word_name("sectPr"), qualify_word_name("tcPr")):
                yield from self.read(child)

    def _list_headings_above(self, level: int | None = None) -> tuple[str, ...]:
        return tuple(text for number, text in sorted(self._above.items()) if level is None or number < level)

    def read_paragraph(self, element: Any) -> Paragraph:
        properties = element.find(qualify_word_name("pPr"))
        listed = self._styles.find_list(properties)
        kind, list_level, list_id = listed or ("", 0, "")
        level = self._styles.level(properties)
        accepted, rejected = read_both_texts(element)
        breaks = is_on(element, "pPr/pageBreakBefore") or any(
            line_break.get(qualify_word_name("type")) == "page" for line_break in element.iter(qualify_word_name("br"))
        )
        return Paragraph(
            text=accepted,
            original=rejected,
            style=self._styles.name(read_attribute(properties, "pStyle")),
            level=level,
            list_kind=kind,
            list_level=list_level,
            list_id=list_id,
            alignment=self._styles.alignment(properties),
            runs=tuple(self._read_runs(element, properties)),
            under=self._list_headings_above(level),
            mark=_read_mark(properties, "rPr"),
            page_break=breaks,
            indent_mm=self._styles.indent_mm(properties),
        )

    def _read_runs(self, element: Any, properties: Any) -> Iterator[Run]:
        for run in element.iter(qualify_word_name("r")):
            holders = [ancestor for ancestor in run.iterancestors() if ancestor.tag != qualify_word_name("p")][:4]
            tracked, author = document_parts.read_tracking(run)
            text = text_of(run, "deleted" if tracked == "deleted" else "accepted")
            if not text or document_parts.is_in_drawing(run, element):
                continue
            link = next((holder for holder in holders if holder.tag == qualify_word_name("hyperlink")), None)
            look = self._styles.look(properties, run.find(qualify_word_name("rPr")))
            style = self._styles.name(read_attribute(run, "rPr/rStyle")) if read_attribute(run, "rPr/rStyle") else ""
            yield Run(text, look, style, self._read_link(link), tracked, author)

    def _read_link(self, link: Any) -> str:
        if link is None:
            return ""
        relation = link.get("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id")
        return self._links.get(relation, "") if relation else f"#{link.get(qualify_word_name('anchor'), '')}"

    def table(self, element: Any) -> Table:
        rows, marks, row_flags, headers = [], [], [], 0
        nested: list[Table] = []
        for row in element.iter(qualify_word_name("tr")):
            if next(row.iterancestors(qualify_word_name("tbl"))) is not element:
                continue
            mark = _read_mark(row, "trPr")
            if mark == "deleted":
                continue
            cells = [
                cell
                for cell in row.iter(qualify_word_name("tc"))
                if next(cell.iterancestors(qualify_word_name("tr"))) is row
            ]
            rows.append(tuple(self._read_cell(cell, nested) for cell in cells))
            marks.append(mark)
            headers += is_on(row, "trPr/tblHeader")
            row_flags.append(is_on(row, "trPr/cantSplit"))
        style = (
            self._styles.name(read_attribute(element, "tblPr/tblStyle"))
            if read_attribute(element, "tblPr/tblStyle")
            else ""
        )
        return Table(
            tuple(rows), style, headers, tuple(marks), self._list_headings_above(), tuple(nested), tuple(row_flags)
        )

    def _read_cell(self, element: Any, nested: list[Table]) -> Cell:
        content = list(self.read(element))
        nested += [table for table in content if isinstance(table, Table)]
        fill = (read_attribute(element, "tcPr/shd", "fill") or "").upper()
        merge = element.find(f"{qualify_word_name('tcPr')}/{qualify_word_name('vMerge')}")
        return Cell(
            tuple(paragraph for paragraph in content if isinstance(paragraph, Paragraph)),
            span=int(read_attribute(element, "tcPr/gridSpan") or "1"),
            fill="" if fill == "AUTO" else fill,
            merged=merge is not None and merge.get(qualify_word_name("val"), "continue") == "continue",
        )


def _read_mark(element: Any, properties: str) -> Tracked:
    properties_element = element.find(qualify_word_name(properties)) if element is not None else None
    if properties_element is None:
        return ""
    if properties_element.find(qualify_word_name("del")) is not None:
        return "deleted"
    return "inserted" if properties_element.find(qualify_word_name("ins")) is not None else ""
