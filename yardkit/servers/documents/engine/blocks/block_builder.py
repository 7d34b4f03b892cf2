"""New blocks: from what a tool is told to paragraphs and tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import takewhile
from typing import Any

from yardkit.servers.documents.engine.blocks import picture_parts
from yardkit.servers.documents.engine.fields import toc
from yardkit.servers.documents.engine.formatting.looks import set_paragraph_look, to_twips
from yardkit.servers.documents.engine.formatting.numbering import ListKind, Numbering
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import (
    P,
    add_in_order,
    ensure_child,
    find_all,
    find_element,
    get_attribute,
    get_value,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import text_nodes, text_of
from yardkit.servers.documents.engine.markup.specs import Look, NewBlock
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import (
    build_field,
    build_inline,
    checked_text,
    wrap_in_bookmark,
)
from yardkit.servers.documents.engine.text.inline_markup import Span, parse_spans
from yardkit.world import Problem

MAX_CELLS = 100_000
SHORT_TABLE = 12
"""Rows up to which a new table is kept on one page."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LABEL = re.compile(r"[^\W\d]\w*")
_MEASURED = re.compile(r"[+\-\u2212]?\d[\d.,\u00a0 ]*[\u00a0 ]([^\W\d_]{1,4}[²³]?(?:/[^\W\d_]{1,4}[²³]?)?)")
"""A figure with a unit: 220 km, 1.5 m³/h."""


class Builder:
    """Builds blocks for one place: `part` gets the relationships, `near` is the block beside which they will stand."""

    def __init__(self, writer: Writer, part: str, near: Any = None) -> None:
        self.writer = writer
        self.part = part
        self.near = near
        self._list: dict[str, str] = {}
        self._before: NewBlock | None = None

    @cached_property
    def styles(self) -> Styles:
        return Styles(self.writer.document)

    def build(self, specs: list[NewBlock]) -> list[Any]:
        """The elements of new blocks, in order.

        Raises:
            Problem: what is asked for does not go together.
        """
        makers: dict[str, Callable[[NewBlock], list[Any]]] = {
            "bullet": self._build_item,
            "number": self._build_item,
            "table": self._build_table,
            "image": self._build_image,
            "page_break": self._page_break,
            "section_break": self._section_break,
            "toc": self._build_toc,
            "figures": self._build_toc,
            "caption": self._build_caption,
            "rule": self._build_rule,
            "code": self._build_code,
        }
        built: list[Any] = []
        for spec in specs:
            new_elements = makers.get(spec.kind, self._build_text_block)(spec)
            built += new_elements
            self._before = spec
        return built

    def _build_text_block(self, spec: NewBlock) -> list[Any]:
        """A paragraph, heading or quote."""
        default = {"heading": f"heading {spec.level or 1}", "quote": "Quote"}.get(spec.kind)
        return [
            self._build_paragraph(spec, default, build_inline(self.writer, self.part, spec.text, literal=spec.literal))
        ]

    def _build_paragraph(self, spec: NewBlock, default_style: str | None, content: list[Any]) -> Any:
        if spec.bookmark:
            content = wrap_in_bookmark(self.writer, spec.bookmark, content)
        paragraph = make_element("w:p")
        style = spec.style or default_style
        if style:
            insert_child(ensure_child(paragraph, "w:pPr"), make_element("w:pStyle", val=self.styles.ensure(style)))
        if spec.align:
            set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(align=spec.align))
        paragraph.extend(content)
        return paragraph

    def _build_item(self, spec: NewBlock) -> list[Any]:
        content = build_inline(self.writer, self.part, spec.text, literal=spec.literal)
        level = (spec.level or 1) - 1
        identity = self._list_id(spec, level)
        paragraph = self._build_paragraph(spec, self._style_beside(identity, level), content)
        number = make_element("w:numPr", make_element("w:ilvl", val=level), make_element("w:numId", val=identity))
        add_in_order(ensure_child(paragraph, "w:pPr"), number)
        return [paragraph]

    def _style_beside(self, identity: str, level: int) -> str:
        """The style of the items at a level of the list that new ones join."""
        numbering = Numbering(self.writer.document)

        def is_in_list(block: Any) -> bool:
            return block.tag == P and (numbering.level_of(block) or ("",))[0] == identity

        near = [] if self.near is None else [self.near]
        ways = [paragraph.itersiblings(preceding=back) for paragraph in near for back in (True, False)]
        items = [paragraph for way in (near, *ways) for paragraph in takewhile(is_in_list, way)]
        sibling_item = next((item for item in items if numbering.level_of(item) == (identity, level)), None)
        return (
            "List Paragraph" if sibling_item is None else self.styles.name_of(get_value(sibling_item, "w:pPr/w:pStyle"))
        )

    def _list_id(self, spec: NewBlock, level: int) -> str:
        """The list that an item joins: that of the item before it, if it has such a level, else a new one."""
        kind: ListKind = "bullet" if spec.kind == "bullet" else "number"
        follows = self._before is not None and self._before.kind in ("bullet", "number")
        if spec.restart or (not follows and self._before is not None):
            self._list.pop(kind, None)
        numbering = Numbering(self.writer.document)
        if kind not in self._list:
            joined = None if spec.restart or self._before is not None else self._neighbour_list(kind)
            self._list[kind] = joined or numbering.new_list(kind)
        within = f"{kind} within"  # the items below an item of a list that has no levels for them
        if numbering.level(self._list[kind], level) is not None:
            self._list.pop(within, None)
            return self._list[kind]
        if within not in self._list:
            self._list[within] = numbering.new_list(kind)
        return self._list[within]

    def _neighbour_list(self, kind: str) -> str | None:
        """The list of the item beside which the new one will stand, if it is of the same kind and no heading."""
        numbering = Numbering(self.writer.document)
        place_of = numbering.level_of(self.near) if self.near is not None and self.near.tag == P else None
        if place_of is None or self.styles.heading_level(self.near):
            return None
        bullet = numbering.format_of(*place_of) == "bullet"
        return place_of[0] if bullet == (kind == "bullet") else None

    def _build_code(self, spec: NewBlock) -> list[Any]:
        lines = checked_text(spec.text).rstrip("\n").split("\n")
        return [self._build_paragraph(spec, "Code", [make_element("w:r", *text_nodes(line))]) for line in lines]

    def _build_rule(self, spec: NewBlock) -> list[Any]:
        paragraph = self._build_paragraph(spec, None, [])
        set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(border="bottom", before_pt=0, after_pt=8))
        return [paragraph]

    def _page_break(self, spec: NewBlock) -> list[Any]:
        return [self._build_paragraph(spec, None, [make_element("w:r", make_element("w:br", type="page"))])]

    def _section_break(self, spec: NewBlock) -> list[Any]:
        """The paragraph that ends a section: it takes the layout that held here so far; what follows gets the start."""
        import copy

        section = page_sections.section_of(self.writer.document, self.near)
        own = copy.deepcopy(section)
        paragraph = self._build_paragraph(
            spec, None, build_inline(self.writer, self.part, spec.text, literal=spec.literal)
        )
        insert_child(ensure_child(paragraph, "w:pPr"), own)
        insert_child(section, make_element("w:type", val=page_sections.STARTS[spec.start]))
        return [paragraph]

    def _build_caption(self, spec: NewBlock) -> list[Any]:
        """Label and number, then the text, numbered by a SEQ field; the bookmark spans label and number."""
        if not _LABEL.fullmatch(spec.label):
            raise Problem(f"{spec.label!r} is not a valid caption label; use one word, such as Figure or Table")
        number = toc.next_number(self.writer.document, spec.label)
        name = spec.bookmark or toc.free_bookmark(self.writer, "_Ref")
        label = make_element("w:r", *text_nodes(f"{spec.label} "))
        numbered = [label, *build_field(f"SEQ {spec.label} \\* ARABIC", str(number))]
        content = wrap_in_bookmark(self.writer, name, numbered)
        if spec.text:
            content += build_inline(self.writer, self.part, f": {spec.text}", literal=spec.literal)
        below_image = self._before is not None and self._before.kind == "image"
        caption_block = NewBlock(style=spec.style, align=spec.align or ("center" if below_image else None))
        paragraph = self._build_paragraph(caption_block, "caption", content)
        if spec.label.lower() == "table":
            set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(keep_next=True))
        return [paragraph]

    def _build_toc(self, spec: NewBlock) -> list[Any]:
        if spec.kind == "toc":
            return toc.new_toc(self.writer, spec.level or 3, spec.text or "Contents")
        return toc.new_figures(self.writer, spec.label, spec.text)

    def _build_image(self, spec: NewBlock) -> list[Any]:
        if spec.image is None:
            raise Problem("a block of kind image needs the file in `image`")
        picture = picture_parts.load_picture(spec.image)
        room = page_sections.text_width_cm(self.writer.document, self.near)
        width, height = picture_parts.fit_picture(picture, next(iter(spec.widths_cm), None), None, room)
        tallest = page_sections.text_height_cm(self.writer.document, self.near) * 0.9
        if height > tallest and not spec.widths_cm:
            width, height = width * tallest / height, tallest
        relation = picture_parts.add_media(self.writer, self.part, picture)
        run = picture_parts.drawing_run(self.writer, relation, (width, height), spec.alt, spec.image.name)
        if not spec.alt:
            self.writer.notes.append(f"the image {spec.image.name} has no alternative text; give `alt`")
        image_block = NewBlock(style=spec.style, align=spec.align or "center", bookmark=spec.bookmark)
        paragraph = self._build_paragraph(image_block, None, [run])
        set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(keep_next=True))
        return [paragraph]

    def _build_table(self, spec: NewBlock) -> list[Any]:
        columns = max((len(row) for row in spec.rows), default=0)
        if not columns:
            raise Problem("a table needs `rows` with at least one cell")
        if len(spec.rows) * columns > MAX_CELLS or columns > 63:
            raise Problem(f"a table of {len(spec.rows):,} x {columns:,} cells is too large; Word takes 63 columns")
        widths = self._choose_widths(spec, columns)
        table = make_element("w:tbl", self._table_properties(spec, sum(widths)))
        table.append(make_element("w:tblGrid", *(make_element("w:gridCol", w=width) for width in widths)))
        figures = [is_figures(spec.rows[spec.header_rows :], column) for column in range(columns)]
        for number, row in enumerate(spec.rows):
            cells = [*row, *[""] * (columns - len(row))]
            table.append(self._build_row(spec, cells, widths, figures, header=number < spec.header_rows))
        short = len(spec.rows) <= SHORT_TABLE
        for row in find_all(table, "w:tr")[: len(spec.rows) - 1 if short else spec.header_rows]:
            for paragraph in row.iter(P):
                set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(keep_next=True))
        return [table]

    def _choose_widths(self, spec: NewBlock, columns: int) -> list[int]:
        """Widths in twips; where none are given by the length of what stands in the columns, within bounds."""
        if spec.widths_cm:
            if len(spec.widths_cm) != columns:
                raise Problem(f"{len(spec.widths_cm)} widths for {columns} columns; give one for each")
            return [to_twips(width) for width in spec.widths_cm]
        room = to_twips(page_sections.text_width_cm(self.writer.document, self.near))
        return proportional_widths(spec.rows, columns, room)

    def _table_properties(self, spec: NewBlock, width: int) -> Any:
        style = spec.style or self._usual_table_style()
        properties = make_element("w:tblPr", make_element("w:tblStyle", val=self.styles.ensure(style, "table")))
        add_in_order(properties, make_element("w:tblW", w=width, type="dxa"))
        add_in_order(properties, make_element("w:tblLayout", type="fixed"))
        add_in_order(properties, _table_look(header=spec.header_rows > 0))
        if spec.align in ("center", "right"):
            add_in_order(properties, make_element("w:jc", val=spec.align))
        if spec.alt:
            add_in_order(properties, make_element("w:tblDescription", val=spec.alt))
        return properties

    def _usual_table_style(self) -> str:
        """The style of the last table before here; without: ours where the document has it, else a plain grid."""
        used = [
            get_value(table, "w:tblPr/w:tblStyle") for table in self.writer.document.body.iter(qualify_name("w:tbl"))
        ]
        named = [identity for identity in used if identity and self.styles.by_id(identity) is not None]
        if named:
            return str(named[-1])
        return "Report Table" if self.styles.by_name("Report Table") is not None else "Table Grid"

    def _build_row(
        self, spec: NewBlock, cells: list[str], widths: list[int], figures: list[bool], *, header: bool
    ) -> Any:
        row = make_element("w:tr", make_element("w:trPr", make_element("w:cantSplit")))
        if header:
            row[0].append(make_element("w:tblHeader"))
        for text, width, right in zip(cells, widths, figures, strict=True):
            cell = make_element("w:tc", make_element("w:tcPr", make_element("w:tcW", w=width, type="dxa")))
            for line in checked_text(text).split("\n") if spec.literal else lines_of(text):
                paragraph = make_element("w:p", *build_inline(self.writer, self.part, line, literal=spec.literal))
                if right:
                    set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(align="right"))
                cell.append(paragraph)
            row.append(cell)
        return row


def space_after_table(styles: Styles, above: Any, below: Any) -> None:
    """Room between a table and the paragraph below it, unless that brings some: Word gives a table none."""
    if above is None or above.tag != qualify_name("w:tbl") or below.tag != P:
        return
    chain = styles.iter_chain(get_value(below, "w:pPr/w:pStyle"))
    places = [below, *chain]
    stated = (get_attribute(find_element(paragraph, "w:pPr/w:spacing"), "w:before") for paragraph in places)
    if not int(next((name for name in stated if name is not None), "0")):
        set_paragraph_look(ensure_child(below, "w:pPr"), Look(before_pt=8))


def separate_tables(blocks: list[Any]) -> list[Any]:
    """Blocks with a paragraph between tables: two in a row would become one."""
    separated_blocks: list[Any] = []
    for block in blocks:
        if separated_blocks and separated_blocks[-1].tag == block.tag == qualify_name("w:tbl"):
            separated_blocks.append(make_element("w:p", make_element("w:pPr", make_element("w:spacing", after=0))))
        separated_blocks.append(block)
    return separated_blocks


def _table_look(*, header: bool) -> Any:
    """Which bands of its style a table shows."""
    return make_element(
        "w:tblLook",
        val="0420" if header else "0400",
        firstRow=int(header),
        lastRow=0,
        firstColumn=0,
        lastColumn=0,
        noHBand=0,
        noVBand=1,
    )


def is_figures(rows: list[list[str]], column: int) -> bool:
    """Whether a column holds nothing but figures and gaps; figures may bear a unit, one for the whole column."""
    texts = [row[column].strip() for row in rows if column < len(row)]
    words = [text for text in texts if text not in ("", "-", "\u2013", "n/a") and not is_number(text)]
    measured = [_MEASURED.fullmatch(text) for text in words]
    return any(texts) and all(measured) and len({number_kind[1] for number_kind in measured if number_kind}) <= 1


def is_number(text: str) -> bool:
    """Whether a cell holds a figure, which stands to the right."""
    return bool(re.fullmatch(r"[(+\-\u2212]?\s?[$€£¥]?\s?\d[\d.,\u00a0 ]*\s?(%|[A-Z]{3}|[$€£¥])?\)?", text.strip()))


def proportional_widths(rows: list[list[str]], columns: int, room: int) -> list[int]:
    """Widths of columns that fill `room`: by the longest line of each, between a narrow and a wide bound."""
    longest = [1] * columns
    for row in rows[:200]:
        for column, text in enumerate(row):
            longest[column] = max(longest[column], *(len(line) for line in text.split("\n")))
    shares = [min(max(length, 6), 40) ** 0.75 for length in longest]
    widths = [int(room * share / sum(shares)) for share in shares]
    widths[-1] += room - sum(widths)
    return widths


def lines_of(text: str) -> list[str]:
    """The lines of a cell: a line feed ends one, or <br>, as Markdown shows it."""
    return _BREAK.sub("\n", checked_text(text)).split("\n")


def set_inline(writer: Writer, part: str, paragraph: Any, text: str) -> None:
    """Put text with markup in place of what a paragraph holds; its properties and first run's format stay."""
    content = build_inline(writer, part, text, like=_format_of(paragraph))
    paragraph_properties = [child for child in paragraph if child.tag == qualify_name("w:pPr")]
    for child in list(paragraph):
        paragraph.remove(child)
    paragraph.extend([*paragraph_properties, *content])


def _format_of(paragraph: Any) -> Any:
    """The w:rPr of the first run, unless that is of a character style."""
    first = find_element(paragraph, ".//w:r/w:rPr")
    return first if first is not None and find_element(first, "w:rStyle") is None else None


def set_tracked(writer: Writer, part: str, paragraph: Any, text: str) -> None:
    """The same as a tracked change; of text without markup only what differs is marked."""
    text_spans = parse_spans(text)
    words_only = (
        all(span == Span(span.text) for span in text_spans)
        and next(paragraph.iter(qualify_name("m:oMath")), None) is None
    )
    if writer.tracker is not None and words_only:
        joined_text = "".join(span.text for span in text_spans)
        tracking.replace_span(paragraph, 0, len(text_of(paragraph)), joined_text, writer.tracker)
    elif writer.tracker is not None:
        new = make_element("w:p", *build_inline(writer, part, text, like=_format_of(paragraph)))
        tracking.mark_content(paragraph, "del", writer.tracker)
        tracking.mark_content(new, "ins", writer.tracker)
        paragraph.extend(list(new))
