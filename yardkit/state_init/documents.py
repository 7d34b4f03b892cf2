"""Word documents for seeded worlds: the same bytes for the same content.

    paper = Paper("Minutes of the board", author="Ada Berg", now=world.now)
    paper.heading("Decisions", 1)
    paper.paragraph("The budget is ", Deleted("4", by="Ada Berg"), Inserted("5", by="Ada Berg"), " million euros.")
    paper.paragraph(Commented("Please check.", comment="With whom?", by="Bo Lind"), style="List Bullet")
    paper.table([["Item", "Euros"], ["Rent", "1,200"]])
    paper.save(world.files / "minutes.docx")

A paragraph is made of pieces: plain text, `Text`, `Inserted`, `Deleted`, `Commented`, `Noted`, `Link`, `FieldCode`.
"""

import datetime
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.state_init.document_parts import Extras, append_child, qualify_name
from yardkit.state_init.packages import settle_package
from yardkit.world import save_bytes

A4_MM = (210.0, 297.0)


@dataclass(frozen=True)
class Text:
    """Text with a format; `color` is RRGGBB."""

    text: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    color: str = ""
    size_pt: float = 0
    highlight: str = ""


@dataclass(frozen=True)
class Inserted:
    """An open insertion; `on` is when, ISO 8601, by default two days before the world's time."""

    text: str
    by: str
    on: str = ""


@dataclass(frozen=True)
class Deleted:
    """An open deletion."""

    text: str
    by: str
    on: str = ""


@dataclass(frozen=True)
class Commented:
    """Pieces with a comment; `replies` are pairs of author and text in the same thread."""

    about: "str | Sequence[Piece]"
    comment: str
    by: str
    resolved: bool = False
    replies: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Noted:
    """Text followed by a footnote."""

    text: str
    note: str


@dataclass(frozen=True)
class Link:
    """Text that leads to an address."""

    text: str
    address: str


@dataclass(frozen=True)
class FieldCode:
    """A field such as ``PAGE`` or ``DATE`` with its result, which it shows until it is updated."""

    code: str
    result: str = "1"


Piece = str | Text | Inserted | Deleted | Commented | Noted | Link | FieldCode


@dataclass
class Paper:
    """A document in the making, A4, in Calibri; `accent` (RRGGBB) colours its headings and the heads of its tables."""

    title: str
    author: str
    now: datetime.datetime
    font: str = "Calibri"
    size_pt: float = 11
    accent: str = "1F3864"
    docx: Any = field(init=False, repr=False)
    _extras: Extras = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import docx
        from docx.shared import Mm

        self.docx = docx.Document()
        self._extras = Extras(self.docx, self.now)
        facts = self.docx.core_properties
        facts.title, facts.author, facts.last_modified_by, facts.comments = self.title, self.author, self.author, ""
        facts.created = facts.modified = self.now.replace(tzinfo=None)
        facts.revision = 1
        section = self.docx.sections[0]
        section.page_width, section.page_height = (Mm(value) for value in A4_MM)
        for side in ("left", "right", "top", "bottom"):
            setattr(section, f"{side}_margin", Mm(25))
        self._restyle()

    def _restyle(self) -> None:
        from docx.shared import Pt, RGBColor

        sizes = {"Normal": self.size_pt, "Title": 24.0, "Heading 1": 16.0, "Heading 2": 13.0, "Heading 3": 11.5}
        for name, size in sizes.items():
            style = self.docx.styles[name]
            style.font.name, style.font.size = self.font, Pt(size)
            fonts = style.element.rPr.rFonts
            for attribute in list(fonts.attrib):
                if attribute.endswith("Theme"):
                    del fonts.attrib[attribute]
            if name != "Normal":
                style.font.color.rgb = RGBColor.from_string(self.accent)
        self.docx.styles["Normal"].paragraph_format.space_after = Pt(6)

    def add_heading(self, text: str, level: int = 1) -> Any:
        """A heading; level 0 is the title."""
        return self.docx.add_heading(text, level)

    def add_paragraph(
        self, *pieces: Piece, style: str | None = None, align: str = "", mark: Piece | None = None
    ) -> Any:
        """A paragraph of pieces; `mark` (an `Inserted` or `Deleted` with any text) makes its end a tracked change."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH

        new_paragraph = self.docx.add_paragraph(style=style)
        if align:
            new_paragraph.alignment = WD_ALIGN_PARAGRAPH[align.upper()]
        self.write(new_paragraph, *pieces)
        if isinstance(mark, Inserted | Deleted):
            kind = "ins" if isinstance(mark, Inserted) else "del"
            properties = new_paragraph._p.get_or_add_pPr()
            holder = append_child(properties, "rPr")
            holder.append(self._extras.make_change(kind, mark.by, mark.on))
        return new_paragraph

    def add_bullets(self, items: Sequence[str | Sequence[Piece]], level: int = 1) -> None:
        """A list with bullets."""
        for item in items:
            style = "List Bullet" if level == 1 else f"List Bullet {level}"
            self.add_paragraph(*_to_pieces(item), style=style)

    def add_numbered(self, items: Sequence[str | Sequence[Piece]]) -> None:
        """A list that counts from 1."""
        number = self._extras.new_list()
        for item in items:
            numbered_paragraph = self.add_paragraph(*_to_pieces(item), style="List Number")
            properties = numbered_paragraph._p.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = 0
            properties.get_or_add_numId().val = number

    def table(
        self,
        rows: Sequence[Sequence[str | Sequence[Piece]]],
        *,
        widths_mm: Sequence[float] = (),
        style: str = "Table Grid",
        header: bool = True,
        align_right: Sequence[int] = (),
    ) -> Any:
        """A table; its first row is a head on every page. Columns counted from 0 in `align_right` hold numbers."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Mm

        new_table = self.docx.add_table(len(rows), len(rows[0]), style=style)
        for row, cells in zip(new_table.rows, rows, strict=True):
            for column, (cell, content) in enumerate(zip(row.cells, cells, strict=True)):
                self.write(cell.paragraphs[0], *_to_pieces(content))
                cell.paragraphs[0].paragraph_format.space_after = 0
                if column in align_right:
                    cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
                if widths_mm:
                    cell.width = Mm(widths_mm[column])
        for column, width in zip(new_table.columns, widths_mm, strict=False):
            column.width = Mm(width)
        if header:
            self._dress_head(new_table.rows[0])
        self.docx.add_paragraph()
        return new_table

    def _dress_head(self, row: Any) -> None:
        from docx.shared import RGBColor

        append_child(row._tr.get_or_add_trPr(), "tblHeader")
        for cell in row.cells:
            shade = append_child(cell._tc.get_or_add_tcPr(), "shd")
            shade.attrib.update(
                {qualify_name("val"): "clear", qualify_name("color"): "auto", qualify_name("fill"): self.accent}
            )
            for run in cell.paragraphs[0].runs:
                run.bold, run.font.color.rgb = True, RGBColor(255, 255, 255)

    def add_picture(self, data: bytes, width_mm: float, alt: str = "", align: str = "center") -> Any:
        """A picture (PNG or JPEG) in a paragraph of its own."""
        from docx.shared import Mm

        picture_paragraph = self.add_paragraph(align=align)
        drawing = picture_paragraph.add_run().add_picture(io.BytesIO(data), width=Mm(width_mm))
        drawing._inline.docPr.set("descr", alt)
        return picture_paragraph

    def header(self, *pieces: Piece, section: int = -1) -> None:
        """The text of the page header."""
        self.write(self.docx.sections[section].header.paragraphs[0], *pieces)

    def footer(self, *pieces: Piece, section: int = -1) -> None:
        """The text of the page footer; ``FieldCode("PAGE")`` is the page number."""
        self.write(self.docx.sections[section].footer.paragraphs[0], *pieces)

    def contents(self, entries: Sequence[tuple[int, str, int]]) -> None:
        """A table of contents; each entry has level, text and the page that it shows until it is updated."""
        for number, (level, text, page) in enumerate(entries):
            contents_paragraph = self.docx.add_paragraph()
            contents_paragraph.paragraph_format.left_indent = (level - 1) * 180_000
            self._extras.toc_entry(contents_paragraph._p, f"{text}\t{page}", number == 0, number == len(entries) - 1)

    def page_break(self) -> None:
        """The next block begins a page."""
        self.docx.add_page_break()

    def new_section(self, *, landscape: bool = False) -> Any:
        """What follows stands on pages of its own, across if `landscape`."""
        section = self.docx.add_section()
        long, short = sorted((section.page_width, section.page_height), reverse=True)
        section.page_width, section.page_height = (long, short) if landscape else (short, long)
        section.orientation = int(landscape)
        return section

    def write(self, paragraph: Any, *pieces: Piece) -> None:
        """Append pieces to a paragraph of python-docx."""
        for piece in pieces:
            _WRITERS[type(piece)](self, paragraph, piece)

    def bytes(self) -> bytes:
        """The document."""
        buffer = io.BytesIO()
        self._extras.attach_parts()
        self.docx.save(buffer)
        return settle_package(buffer.getvalue(), self.now)

    def save(self, path: Path) -> None:
        """Write the document to `path`."""
        save_bytes(path, self.bytes())

    def _write_string(self, paragraph: Any, piece: str) -> None:
        paragraph.add_run(piece)

    def _write_text(self, paragraph: Any, piece: Text) -> None:
        from docx.enum.text import WD_COLOR_INDEX
        from docx.shared import Pt, RGBColor

        run = paragraph.add_run(piece.text)
        run.bold, run.italic, run.underline = piece.bold or None, piece.italic or None, piece.underline or None
        if piece.color:
            run.font.color.rgb = RGBColor.from_string(piece.color)
        if piece.size_pt:
            run.font.size = Pt(piece.size_pt)
        if piece.highlight:
            run.font.highlight_color = WD_COLOR_INDEX[piece.highlight.upper()]

    def _write_tracked(self, paragraph: Any, piece: Inserted | Deleted) -> None:
        kind = "ins" if isinstance(piece, Inserted) else "del"
        change = self._extras.make_change(kind, piece.by, piece.on)
        run = paragraph.add_run(piece.text)
        paragraph._p.append(change)
        change.append(run._r)
        if kind == "del":
            for text in change.iter(qualify_name("t")):
                text.tag = qualify_name("delText")
                text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")

    def _write_commented(self, paragraph: Any, piece: Commented) -> None:
        identities = self._extras.add_thread(piece.comment, piece.by, piece.resolved, piece.replies)
        for identity in identities:
            append_child(paragraph._p, "commentRangeStart").set(qualify_name("id"), identity)
        self.write(paragraph, *_to_pieces(piece.about))
        for identity in identities:
            append_child(paragraph._p, "commentRangeEnd").set(qualify_name("id"), identity)
            reference = append_child(paragraph.add_run()._r, "commentReference")
            reference.set(qualify_name("id"), identity)

    def _write_noted(self, paragraph: Any, piece: Noted) -> None:
        paragraph.add_run(piece.text)
        self._note_styles()
        run = paragraph.add_run()
        # Not by its style: then LibreOffice 7.4 swallows the tab before a page number where a section ends in a note
        run.font.superscript = True
        append_child(run._r, "footnoteReference").set(qualify_name("id"), self._extras.add_footnote(piece.note))

    def _note_styles(self) -> None:
        """The styles of Word for notes, which python-docx's template has not: small, and their numbers raised."""
        from docx.enum.style import WD_STYLE_TYPE
        from docx.shared import Pt

        if "footnote text" in self.docx.styles:
            return
        text = self.docx.styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH, builtin=True)
        text.base_style, text.font.size = self.docx.styles["Normal"], Pt(9)
        text.paragraph_format.space_after, text.paragraph_format.line_spacing = Pt(2), 1.0
        mark = self.docx.styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER, builtin=True)
        mark.base_style, mark.font.superscript = self.docx.styles["Default Paragraph Font"], True

    def _write_link(self, paragraph: Any, piece: Link) -> None:
        from docx.opc.constants import RELATIONSHIP_TYPE
        from docx.shared import RGBColor

        run = paragraph.add_run(piece.text)
        run.font.color.rgb, run.underline = RGBColor(5, 99, 193), True
        link = append_child(paragraph._p, "hyperlink")
        identity = paragraph.part.relate_to(piece.address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        link.set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id", identity)
        link.append(run._r)

    def _write_field(self, paragraph: Any, piece: FieldCode) -> None:
        simple = append_child(paragraph._p, "fldSimple")
        simple.set(qualify_name("instr"), f" {piece.code} ")
        simple.append(paragraph.add_run(piece.result)._r)


_WRITERS: dict[type, Any] = {
    str: Paper._write_string,
    Text: Paper._write_text,
    Inserted: Paper._write_tracked,
    Deleted: Paper._write_tracked,
    Commented: Paper._write_commented,
    Noted: Paper._write_noted,
    Link: Paper._write_link,
    FieldCode: Paper._write_field,
}


def _to_pieces(content: "str | Sequence[Piece]") -> Sequence[Piece]:
    return [content] if isinstance(content, str) else content
