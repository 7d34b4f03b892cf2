"""HTML to blocks of a document: headings, lists, tables, pictures, code, quotes, links, notes, equations."""

from __future__ import annotations

import base64
import binascii
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.servers.documents.engine.blocks import picture_parts
from yardkit.servers.documents.engine.blocks.block_builder import Builder, separate_tables, space_after_table
from yardkit.servers.documents.engine.convert import html_attributes
from yardkit.servers.documents.engine.convert.html_links import Marks
from yardkit.servers.documents.engine.formatting.code_styles import code_style, ensure_code, stated_language
from yardkit.servers.documents.engine.formatting.looks import set_paragraph_look
from yardkit.servers.documents.engine.formatting.numbering import ListKind, Numbering
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.formulas.equations import display_paragraph
from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.markup.names import (
    TC,
    TR,
    P,
    add_in_order,
    ensure_child,
    get_attribute,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import text_nodes
from yardkit.servers.documents.engine.markup.specs import Look, NewBlock
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import notes
from yardkit.servers.documents.engine.text.inline_content import build_link, checked_text
from yardkit.world import Problem

FindImage = Callable[[str], Path]
_SPACE = re.compile(r"[ \t\r\n\f]+")
_DATA = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
_BLOCK_TAGS = {
    *("p", "div", "ul", "ol", "table", "pre", "blockquote", "hr", "section", "article", "main", "header", "footer"),
    *("figure", "figcaption", "dl", "dt", "dd", "address", "aside", "nav", "body", "html", "form", "details"),
    *("summary", "center", "fieldset", "legend", "hgroup", "dialog", "search", "menu"),
    *_HEADING_LEVELS,
}
_SKIPPED_TAGS = {
    "script",
    "style",
    "head",
    "template",
    "noscript",
    "iframe",
    "object",
    "svg",
    "button",
    "input",
    "select",
}
_TAG_LOOKS = {
    "strong": "bold", "b": "bold", "em": "italic", "i": "italic", "del": "strike", "s": "strike", "strike": "strike",
    "u": "underline", "ins": "underline", "code": "code", "kbd": "code", "samp": "code", "tt": "code",
    "sup": "superscript", "sub": "subscript",
}  # fmt: skip


@dataclass(frozen=True)
class _Look:
    names: frozenset[str] = frozenset()
    preformatted: bool = False
    linked: bool = False


@dataclass
class Imported:
    """What came of an HTML text.

    Attributes:
        blocks: the elements, in order.
        notes: what could not be taken over.
    """

    blocks: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def build_blocks(
    writer: Writer, html: str, footnotes: dict[str, str], find_image: FindImage, moved: str = ""
) -> Imported:
    """The blocks of an HTML text for the main part of a document; `moved` is how its folder sees that of the text.

    Raises:
        Problem: it holds nothing, or a formula that is not understood.
    """
    from lxml import etree
    from lxml import html as parser

    try:
        root = parser.document_fromstring(html)
    except (etree.ParserError, ValueError) as error:
        raise Problem(f"the text is not valid HTML ({error})") from error
    html_attributes.show_controls(root)
    importer = _Importer(writer, footnotes | _own_notes(root), find_image, Marks(writer, root), moved)
    importer.import_container(root)
    importer.blocks = separate_tables(importer.blocks)
    _give_air(importer.styles, importer.blocks)
    return Imported(importer.blocks, importer.notes)


def _give_air(styles: Styles, blocks: list[Any]) -> None:
    """Space between a table or code and what follows, which the styles leave to their neighbours."""
    for first_block, two in pairwise(blocks):
        code = code_style(styles, first_block)
        if code and code != code_style(styles, two):
            add_in_order(ensure_child(first_block, "w:pPr"), make_element("w:spacing", after=160))
        space_after_table(styles, first_block, two)


def _own_notes(root: Any) -> dict[str, str]:
    """Footnotes that stand as a list at the end of the text, which is taken out: id -> HTML."""
    from lxml import etree

    notes_by_id: dict[str, str] = {}
    for section in [
        candidate for candidate in root.iter("section") if "footnotes" in (candidate.get("class") or "").split()
    ]:
        for item in section.iter("li"):
            inner = "".join(etree.tostring(child, encoding="unicode") for child in item)
            notes_by_id[item.get("id", "")] = escape(item.text or "", quote=False) + inner
        section.drop_tree()
    return notes_by_id


class _Importer:
    def __init__(
        self, writer: Writer, footnotes: dict[str, str], find_image: FindImage, marks: Marks, moved: str = ""
    ) -> None:
        self.writer = writer
        self.marks = marks
        self.moved = moved
        self.part = writer.document.main
        self.footnotes = footnotes
        self.find_image = find_image
        self.builder = Builder(writer, self.part)
        self.styles = Styles(writer.document)
        self.blocks: list[Any] = []
        self.notes: list[str] = []
        self.pending: Any = None

    def import_container(self, node: Any, style: str | None = None) -> None:
        """The children of an element: blocks one by one, stretches of inline content as paragraphs."""
        self._import_text(node.text, style)
        for child in node:
            if isinstance(child.tag, str) and child.tag not in _SKIPPED_TAGS:
                if _is_block(child):
                    self._close_paragraph()
                    self.block(child, style)
                    self._close_paragraph()
                else:
                    self.inline(child, self._open_paragraph(style), _Look())
            self._import_text(child.tail, style)
        self._close_paragraph()

    def _close_paragraph(self) -> None:
        if self.pending is not None:
            _trim_end(self.pending)
        self.pending = None

    def _open_paragraph(self, style: str | None) -> Any:
        if self.pending is None:
            self.pending = self.start_paragraph(style)
        return self.pending

    def _import_text(self, text: str | None, style: str | None) -> None:
        if text and (text.strip() or self.pending is not None):
            self.words(text, self._open_paragraph(style), _Look())

    def start_paragraph(self, style: str | None) -> Any:
        new_paragraph = make_element("w:p")
        if style:
            insert_child(ensure_child(new_paragraph, "w:pPr"), make_element("w:pStyle", val=self.styles.ensure(style)))
        self.blocks.append(new_paragraph)
        return new_paragraph

    def block(self, node: Any, style: str | None) -> None:
        first = len(self.blocks)
        self._build_block(node, style)
        self.marks.mark_beginning(node, self.blocks[first:])

    def _build_block(self, node: Any, style: str | None) -> None:
        tag = node.tag
        if tag in _HEADING_LEVELS:
            self.fill(node, self.start_paragraph(f"heading {_HEADING_LEVELS[tag]}"))
        elif tag in ("p", "dt", "figcaption", "address", "summary", "legend") and not _holds_blocks(node):
            self.import_simple(node, "caption" if tag == "figcaption" else style)
        elif tag in ("ul", "ol", "menu"):
            self.import_list(node, 0, {})
        elif tag == "table":
            self.table(node)
        elif tag == "pre":
            style = ensure_code(self.styles, stated_language(node))
            code = NewBlock(kind="code", text="".join(node.itertext()), literal=True, style=style)
            self.blocks += self.builder.build([code])
        elif tag == "hr":
            self.blocks += self.builder.build([NewBlock(kind="rule")])
        elif tag == "a" and node.get("href"):
            self.linked_blocks(node, style)
        else:
            self.import_container(node, "Quote" if tag == "blockquote" else style)

    def linked_blocks(self, node: Any, style: str | None) -> None:
        """A link around blocks: each paragraph leads there."""
        first = len(self.blocks)
        self.import_container(node, style)
        for paragraph in [block for block in self.blocks[first:] if block.tag == P]:
            content = [child for child in paragraph if child.tag != qualify_name("w:pPr")]
            if not any(child.tag == qualify_name("w:hyperlink") for child in content):
                self._add_link(node.get("href"), content, paragraph)

    def import_simple(self, node: Any, style: str | None) -> None:
        """A paragraph; formulas that are alone in it stand on lines of their own."""
        formulas = [child for child in node if _is_math(child)]
        alone = not (node.text or "").strip() and len(formulas) == len(node)
        display = [child for child in formulas if "display" in child.get("class", "")]
        if display and alone and not any((child.tail or "").strip() for child in node):
            self.blocks += [display_paragraph(to_omml(_get_latex(child))) for child in formulas]
        else:
            self.fill(node, self.start_paragraph(style))

    def fill(self, node: Any, paragraph: Any, look: _Look | None = None, skip: frozenset[str] = frozenset()) -> None:
        if align := html_attributes.get_alignment(node):
            set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(align=align))
        look = look or _Look()
        paragraph.extend(self.marks.make_marks(node))
        self.words(node.text, paragraph, look)
        for child in node:
            if isinstance(child.tag, str) and child.tag not in _SKIPPED_TAGS and child.tag not in skip:
                self.inline(child, paragraph, look)
            self.words(child.tail, paragraph, look)
        _trim_end(paragraph)

    def import_list(self, node: Any, level: int, lists: dict[tuple[str, int], str]) -> None:
        kind: ListKind = "number" if node.tag == "ol" else "bullet"
        numbering, form = Numbering(self.writer.document), html_attributes.number_form(node)
        known = lists.get((kind, 0)) if level else None
        goes_on = known and form in ("", numbering.format_of(known, min(level, 8)))
        before = 0 if goes_on else None
        for item, number in html_attributes.number_items(node):
            own: ListKind = "task" if kind == "bullet" and html_attributes.is_task(item) else kind
            ended = before is None or (kind == "number" and number != before + 1)
            if ended if own == kind else (own, 0) not in lists:
                lists = {**lists, (own, 0): numbering.new_list(own, number, min(level, 8), form)}
            before = number if own == kind else before
            paragraph = self.start_paragraph("List Paragraph")
            place_in_list = make_element(
                "w:numPr", make_element("w:ilvl", val=min(level, 8)), make_element("w:numId", val=lists[own, 0])
            )
            add_in_order(ensure_child(paragraph, "w:pPr"), place_in_list)
            paragraph.extend(self.marks.make_marks(item))
            self._import_item(item, paragraph, level, lists)

    def _import_item(self, item: Any, paragraph: Any, level: int, lists: dict[tuple[str, int], str]) -> None:
        """What an item holds, from a paragraph that is empty on (None: from a further one of the item on)."""
        open_ = paragraph
        for text, child in [(item.text, None), *((child.tail, child) for child in item)]:
            if child is not None and isinstance(child.tag, str) and child.tag not in _SKIPPED_TAGS:
                if _is_block(child):
                    _trim_end([] if open_ is None else open_)
                    filled = open_ is None or any(node.tag != qualify_name("w:pPr") for node in open_)
                    self._block_in_item(child, None if filled else open_, level, lists)
                    open_ = None
                else:
                    open_ = self._start_further_paragraph(level) if open_ is None else open_
                    self.inline(child, open_, _Look())
            if (text or "").strip():
                open_ = self._start_further_paragraph(level) if open_ is None else open_
            if open_ is not None:
                self.words(text, open_, _Look())
        if open_ is not None:
            _trim_end(open_)

    def _block_in_item(self, node: Any, empty: Any, level: int, lists: dict[tuple[str, int], str]) -> None:
        if node.tag in ("ul", "ol"):
            self.import_list(node, level + 1, lists)
        elif node.tag in ("p", "div") and not _holds_blocks(node):
            self.fill(node, self._start_further_paragraph(level) if empty is None else empty)
        elif node.tag == "div":
            self._import_item(node, empty, level, lists)
        else:
            first = len(self.blocks)
            self.block(node, None)
            for line in self.blocks[first:] if node.tag == "pre" else []:
                add_in_order(ensure_child(line, "w:pPr"), _make_indent(level))

    def _start_further_paragraph(self, level: int) -> Any:
        continued_paragraph = self.start_paragraph("List Paragraph")
        add_in_order(ensure_child(continued_paragraph, "w:pPr"), _make_indent(level))
        return continued_paragraph

    def table(self, node: Any) -> None:
        for caption in node.iterchildren("caption"):
            self.fill(caption, self.start_paragraph("caption"))
        grid = html_attributes.build_grid(node)
        if not grid.rows:
            return
        header = sum(1 for row in grid.rows if row and all(cell is None or cell.tag == "th" for cell in row))
        texts = [
            ["" if cell is None else _SPACE.sub(" ", "".join(cell.itertext())) for cell in row] for row in grid.rows
        ]
        spec = NewBlock(kind="table", rows=texts, literal=True, header_rows=min(header, len(texts)))
        new_table = self.builder.build([spec])
        table = next(block for block in new_table if block.tag == qualify_name("w:tbl"))
        for row, cells in zip(table.findall(TR), grid.rows, strict=True):
            for target, cell in zip(row.findall(TC), cells, strict=True):
                if cell is not None:
                    self._import_cell(target, cell)
        _join_cells(table, grid.spans)
        self.blocks += new_table

    def _import_cell(self, target: Any, cell: Any) -> None:
        paragraph = target.find(P)
        for run in [child for child in paragraph if child.tag != qualify_name("w:pPr")]:
            paragraph.remove(run)
        if not _holds_blocks(cell):
            self.fill(cell, paragraph)
            return
        outer_blocks, self.blocks = self.blocks, []
        self.import_container(cell)
        cell_blocks, self.blocks = self.blocks, outer_blocks
        if cell_blocks and cell_blocks[-1].tag == P:
            target.remove(paragraph)
        for block in cell_blocks:
            target.append(block)

    def inline(self, node: Any, paragraph: Any, look: _Look) -> None:
        tag = node.tag
        paragraph.extend(self.marks.make_marks(node))
        if _is_math(node):
            paragraph.append(to_omml(_get_latex(node)))
        elif tag == "sup" and "footnote" in node.get("class", ""):
            self.add_footnote(node, paragraph)
        elif tag == "br":
            paragraph.append(make_element("w:r", make_element("w:br")))
        elif tag == "img":
            self.image(node, paragraph)
        elif tag == "a" and node.get("href") and not look.linked:
            self.import_link(node, paragraph, look)
        else:
            name = _TAG_LOOKS.get(tag)
            self._import_inside(node, paragraph, replace(look, names=look.names | {name}) if name else look)

    def _import_inside(self, node: Any, paragraph: Any, look: _Look) -> None:
        self.words(node.text, paragraph, look)
        for child in node:
            if isinstance(child.tag, str) and child.tag not in _SKIPPED_TAGS:
                self.inline(child, paragraph, look)
            self.words(child.tail, paragraph, look)

    def import_link(self, node: Any, paragraph: Any, look: _Look) -> None:
        holder = make_element("w:p")
        self._import_inside(node, holder, replace(look, linked=True))
        self._add_link(node.get("href"), list(holder), paragraph)

    def _add_link(self, address: str, content: list[Any], paragraph: Any) -> None:
        try:
            address = self.marks.address(address.strip(), self.moved)
            paragraph.append(build_link(self.writer, self.part, address, content, relative=True))
        except Problem as problem:
            self.notes.append(f"a link was left out: {problem}")
            for look in [style for part in content for style in part.iter(qualify_name("w:rStyle"))]:
                if get_attribute(look, "w:val") == self.styles.ensure("Hyperlink", "character"):
                    look.getparent().remove(look)
            paragraph.extend(content)

    def add_footnote(self, node: Any, paragraph: Any) -> None:
        identity = node.get("data-id") or next((anchor.get("href", "")[1:] for anchor in node.iter("a")), "")
        text = self.footnotes.get(identity)
        if text is None:
            self.notes.append(f"the footnote {identity!r} has no text")
            return
        from lxml import html as parser

        content = make_element("w:p")
        part, self.part = self.part, notes.ensure_part(self.writer.document, "footnote")
        self.fill(parser.fragment_fromstring(text or " ", create_parent="div"), content)
        self.part = part
        number = notes.write_into(self.writer.document, "footnote", [content])
        paragraph.append(notes.make_reference(self.writer.document, "footnote", number))

    def image(self, node: Any, paragraph: Any) -> None:
        source, alt = node.get("src", ""), node.get("alt", "")
        try:
            picture = _load_picture(source, self.find_image)
        except Problem as problem:
            self.notes.append(f"the picture {source[:80]!r} was left out: {problem}")
            self.words(f"[{alt or source[:80]}]", paragraph, _Look())
            return
        size = picture_parts.fit_picture(
            picture,
            html_attributes.parse_pixels(node.get("width")),
            None,
            page_sections.text_width_cm(self.writer.document),
        )
        relation = picture_parts.add_media(self.writer, self.part, picture)
        paragraph.append(
            picture_parts.drawing_run(self.writer, relation, size, alt, Path(source[:40]).name or "picture")
        )

    def words(self, text: str | None, paragraph: Any, look: _Look) -> None:
        """Text in a look; white space as browsers show it."""
        if not text:
            return
        normalized_text = checked_text(_SPACE.sub(" ", text))
        if _ends_open(paragraph):
            normalized_text = normalized_text.lstrip(" ")
        if normalized_text:
            paragraph.append(make_element("w:r", *self._build_properties(look), *text_nodes(normalized_text)))

    def _build_properties(self, look: _Look) -> list[Any]:
        run_properties = make_element("w:rPr")
        style = "Hyperlink" if look.linked else "Code Char" if "code" in look.names else None
        if style:
            run_properties.append(make_element("w:rStyle", val=self.styles.ensure(style, "character")))
        for name, tag in (("bold", "w:b"), ("italic", "w:i"), ("strike", "w:strike")):
            if name in look.names:
                run_properties.append(make_element(tag))
        if "underline" in look.names:
            run_properties.append(make_element("w:u", val="single"))
        for name in ("superscript", "subscript"):
            if name in look.names:
                run_properties.append(make_element("w:vertAlign", val=name))
        return [run_properties] if len(run_properties) else []


def _join_cells(table: Any, spans: list[tuple[int, int, int, int]]) -> None:
    """Join cells: first downwards, then across from the right, so that places stay right."""
    rows = [row.findall(TC) for row in table.findall(TR)]
    for y, x, width, height in spans:
        for dy in range(height):
            cell = rows[y + dy][x]
            if height > 1:
                insert_child(
                    ensure_child(cell, "w:tcPr"), make_element("w:vMerge", val="restart" if not dy else "continue")
                )
            if width > 1:
                insert_child(ensure_child(cell, "w:tcPr"), make_element("w:gridSpan", val=width))
                for covered in rows[y + dy][x + 1 : x + width]:
                    covered.getparent().remove(covered)


def _is_math(node: Any) -> bool:
    return node.tag == "math" or (node.tag == "span" and "math" in (node.get("class") or "").split())


def _get_latex(node: Any) -> str:
    """The LaTeX of a formula: of MathML what it states beside itself, else the text."""
    for inner in node.iter("math"):
        stated = inner.get("alttext") or next((annotation.text for annotation in inner.iter("annotation")), None)
        return (stated or "".join(inner.itertext())).strip()
    return str(node.text_content()).strip()


def _is_block(node: Any) -> bool:
    return node.tag in _BLOCK_TAGS or _holds_blocks(node)


def _holds_blocks(node: Any) -> bool:
    """Whether there are blocks in an element, such as a link around a whole card."""
    return any(element.tag in _BLOCK_TAGS for element in node.iterdescendants() if isinstance(element.tag, str))


def _ends_open(paragraph: Any) -> bool:
    """Whether a space at this place would not show: at the start, after a space or a line break."""
    last = paragraph[-1] if len(paragraph) else None
    if last is None or last.tag == qualify_name("w:pPr"):
        return True
    if last.tag != qualify_name("w:r"):
        return False
    node = last[-1]
    return node.tag == qualify_name("w:br") or (node.tag == qualify_name("w:t") and (node.text or "").endswith(" "))


def _make_indent(level: int) -> Any:
    return make_element("w:ind", left=720 * (level + 1))


def _trim_end(paragraph: Any) -> None:
    """Take off the space at the end."""
    last = paragraph[-1] if len(paragraph) else None
    if last is not None and last.tag == qualify_name("w:r") and len(last) and last[-1].tag == qualify_name("w:t"):
        last[-1].text = (last[-1].text or "").rstrip(" ")
        if not last[-1].text:
            paragraph.remove(last)


def _load_picture(source: str, find_image: FindImage) -> picture_parts.Picture:
    match = _DATA.fullmatch(source)
    if match is None:
        if re.match(r"[a-z][a-z0-9+.-]*:", source, re.IGNORECASE):
            raise Problem("pictures are not downloaded; save it next to the text")
        return picture_parts.load_picture(find_image(source))
    try:
        data = base64.b64decode(match.group(1), validate=False)
    except binascii.Error as error:
        raise Problem(f"its data is damaged ({error})") from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        return picture_parts.load_picture(path)
