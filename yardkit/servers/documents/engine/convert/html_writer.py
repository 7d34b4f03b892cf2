"""A document as an HTML tree: headings, lists, tables, formats, links, pictures, notes, equations; no comments."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

from yardkit.kit.markdown.task_lists import BOXES
from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.convert.html_elements import add_text, make_element, nest_elements
from yardkit.servers.documents.engine.formatting.code_styles import code_style, language_of
from yardkit.servers.documents.engine.formatting.numbering import Numbering
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex
from yardkit.servers.documents.engine.markup.grids import Grid
from yardkit.servers.documents.engine.markup.names import (
    TBL,
    TXBX,
    VERSIONS,
    P,
    R,
    find_element,
    get_attribute,
    get_value,
    is_on,
    iter_unwrapped,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import (
    DRAWINGS,
    in_fallback,
    iter_pieces,
    outside_fallbacks,
    text_box_of,
    text_of,
)
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import notes
from yardkit.servers.documents.engine.text.drawn_words import DrawnWords, get_description, iter_outermost

ImageSource = Callable[[str, bytes], str]
_MEDIA_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "svg": "image/svg+xml",
}
_QUOTE_STYLES = ("quote", "intense quote", "quotations", "block text")
_INLINE_CODE = ("code char", "html code", "source text", "verbatim char")
_TEXT_ALIGNMENTS = {"center": "center", "right": "right", "end": "right", "both": "justify"}
_STYLE_CLASSES = {
    "subtitle": "subtitle",
    "caption": "caption",
    "toc heading": "toc-heading",
    "table of figures": "toc toc-1",
}
_STYLE_CLASSES |= {f"toc {level}": f"toc toc-{level}" for level in range(1, 10)}
_PICTURE_TAGS = (qualify_name("a:blip"), qualify_name("v:imagedata"))
_LIST_TYPES = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}


def data_uri(name: str, data: bytes) -> str:
    """A picture as an address that holds its bytes, so that the page needs no other file."""
    kind = _MEDIA_TYPES.get(name.rsplit(".", 1)[-1].lower(), "application/octet-stream")
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def to_tree(
    document: Document,
    image: ImageSource = data_uri,
    *,
    story: str = "body",
    blocks: list[Any] | None = None,
    numbers: dict[Any, int] | None = None,
) -> Any:
    """A story, or some of its blocks, as an `article` element.

    ``span.math`` holds LaTeX, ``sup.footnote`` the number of a note, an empty ``span`` with an id the start of a
    bookmark to which something leads, ``data-label`` what stands before an item where that is no plain number,
    ``div.box`` the text of a box, ``p.drawn`` the words of a drawing.

    Args:
        document: the document.
        image: how to keep a picture; its address.
        story: body, header1 ...
        blocks: all without.
        numbers: drawing -> number of its picture, which is then its address.
    """
    writer = _Writer(document, image, story, blocks, numbers or {})
    return writer.write_article()


class _Writer:
    def __init__(
        self,
        document: Document,
        image: ImageSource,
        story: str = "body",
        blocks: list[Any] | None = None,
        numbers: dict[Any, int] | None = None,
    ) -> None:
        self.document = document
        self.root = document.get_story(story)
        part = document.map_stories()[story]
        marked = {node.get(qualify_name("w:name")) for node in document.body.iter(qualify_name("w:bookmarkStart"))}
        self.anchors = marked & {
            node.get(qualify_name("w:anchor")) for node in document.body.iter(qualify_name("w:hyperlink"))
        }
        self.image = image
        self.pictures = numbers or {}
        self.styles = Styles(document)
        self.numbering = Numbering(document)
        self.chosen = self.root if blocks is None else blocks
        self.items = self.numbering.items(self.root, blocks[-1] if blocks else None)
        self.links = rels.read_relations(document.package, part)
        self.drawn_words = DrawnWords(document, part)
        self.notes = _number_notes(document, self.root)
        self.used: list[int] = []

    def write_article(self) -> Any:
        article = make_element("article")
        article.extend(self.write_blocks(self.chosen))
        if self.used:
            section = make_element("section", **{"class": "footnotes"})
            items = make_element("ol")
            texts = {number: note.note for number, note in self.notes.values()}
            for number in self.used:
                items.append(make_element("li", texts[number], id=f"note-{number}", value=str(number)))
            section.append(items)
            article.append(section)
        return article

    def write_blocks(self, container: Any) -> list[Any]:
        """The blocks of a container; items, code and quotes that follow each other come together."""
        html_elements: list[Any] = []
        lists: list[tuple[int, Any]] = []
        for block in iter_unwrapped(container):
            if block.tag == TBL:
                lists = []
                html_elements.append(self.table(block))
            elif block.tag == P:
                place = None if self.styles.heading_level(block) else self.numbering.level_of(block)
                if place is not None:
                    self.item(block, place, lists, html_elements)
                elif lists and self._inside_item(block, lists):
                    _end_deeper(block, lists)
                    lists[-1][1][-1].extend(self.code(block, lists[-1][1][-1]))
                elif lists and self._is_continuation(block):
                    _end_deeper(block, lists)
                    new_paragraph = make_element("p")
                    self.inline(block, new_paragraph)
                    lists[-1][1][-1].append(new_paragraph)
                else:
                    lists = []
                    html_elements += self.write_paragraph(block, html_elements)
                (lists[-1][1][-1] if lists else html_elements).extend(self.write_boxes(block))
        return html_elements

    def write_boxes(self, block: Any) -> Iterator[Any]:
        """The text boxes that hang on a paragraph, and the words of its drawings."""
        for box in (box for drawing in iter_outermost(block) for box in _iter_boxes(drawing)):
            box_element = make_element("div", **{"class": "box"})
            box_element.extend(self.write_blocks(box))
            yield box_element
        others = (drawing for drawing in iter_outermost(block) if next(drawing.iter(*_PICTURE_TAGS), None) is None)
        described = [f"description: {words}" for drawing in others if (words := get_description(drawing))]
        for line in [*described, *self.drawn_words.list_lines(block)]:
            yield make_element("p", line, **{"class": "drawn"})

    def _is_continuation(self, block: Any) -> bool:
        """Whether a paragraph without a number is a further one of the item before it."""
        style = self.styles.name_of(get_value(block, "w:pPr/w:pStyle")).lower()
        return style.startswith(("list paragraph", "list continue")) and bool(text_of(block).strip())

    def _inside_item(self, block: Any, lists: list[tuple[int, Any]]) -> bool:
        """Whether code stands in the item before it: indented, or where a list goes on below its first level."""
        if self._is_code(block) and _get_indent_level(block) >= 0:
            return True
        following = block
        while following is not None and self._is_code(following):
            following = following.getnext()
        if following is block or following is None or following.tag != P:
            return False
        item = self.items.get(following)
        return item is not None and 0 < item.level <= lists[-1][0]

    def _is_code(self, block: Any) -> bool:
        return code_style(self.styles, block) is not None

    def item(self, block: Any, place: tuple[str, int], lists: list[tuple[int, Any]], html_elements: list[Any]) -> None:
        level = place[1]
        tag = "ul" if self.numbering.format_of(*place) == "bullet" else "ol"
        number = self.items[block].counts[min(level, len(self.items[block].counts) - 1)] if tag == "ol" else None
        while lists and lists[-1][0] > level:
            lists.pop()
        if lists and lists[-1][0] == level and not (lists[-1][1].tag == tag and _goes_on(lists[-1][1], number)):
            lists.pop()
        if not lists or lists[-1][0] < level:
            list_element = make_element(tag)
            if lists:
                lists[-1][1][-1].append(list_element)
            else:
                html_elements.append(list_element)
            lists.append((level, list_element))
            if number not in (None, 1):
                list_element.set("start", str(number))
            form = _LIST_TYPES.get(self.numbering.format_of(*place))
            if form:
                list_element.set("type", form)
        label = self.items[block].label
        has_default_label = label in ("", "\u2022", f"{number}.")
        item = make_element(
            "li",
            **({} if has_default_label else {"data-label": label}),
            **({"class": "task"} if text_of(block).startswith(tuple(BOXES.values())) else {}),
        )
        self.inline(block, item)
        lists[-1][1].append(item)

    def write_paragraph(self, block: Any, html_elements: list[Any]) -> Iterator[Any]:
        style = self.styles.name_of(get_value(block, "w:pPr/w:pStyle")).lower()
        level = self.styles.heading_level(block)
        if self._is_code(block):
            yield from self.code(block, html_elements)
            return
        tag = f"h{min(level, 6)}" if level else "h1" if style == "title" else "p"
        label = self.items[block].label if block in self.items else ""
        paragraph_element = make_element(
            tag,
            f"{label} " if label else None,
            **({"class": _STYLE_CLASSES[style]} if tag == "p" and style in _STYLE_CLASSES else {}),
        )
        self.inline(block, paragraph_element)
        align = _TEXT_ALIGNMENTS.get(get_value(block, "w:pPr/w:jc") or "")
        if align:
            paragraph_element.set("style", f"text-align:{align}")
        if not len(paragraph_element) and not (paragraph_element.text or "").strip():
            if find_element(block, "w:pPr/w:pBdr/w:bottom") is not None:
                yield make_element("hr")
        elif style in _QUOTE_STYLES:
            if html_elements and html_elements[-1].tag == "blockquote":
                html_elements[-1].append(paragraph_element)
            else:
                quote = make_element("blockquote")
                quote.append(paragraph_element)
                yield quote
        else:
            yield paragraph_element

    def code(self, block: Any, code_element: Any) -> Iterator[Any]:
        """A line of code, as one more of the code that ends `found` (blocks, or an item with them), else as its own."""
        language = language_of(code_style(self.styles, block) or "")
        named = {"class": f"language-{language}"} if language else {}
        if len(code_element) and code_element[-1].tag == "pre" and code_element[-1][0].attrib == named:
            code = code_element[-1][0]
            code.text = f"{code.text or ''}{text_of(block)}\n"
            return
        pre = make_element("pre")
        pre.append(make_element("code", f"{text_of(block)}\n", **named))
        yield pre

    def table(self, block: Any) -> Any:
        grid = Grid(block)
        table = make_element("table")
        look = find_element(block, "w:tblPr/w:tblLook")
        first_is_header = look is not None and look.get(qualify_name("w:firstRow")) in ("1", "true", "on")
        for number, row in enumerate(grid.cells):
            line = make_element("tr")
            repeated = bool(is_on(grid.rows[number], "w:trPr/w:tblHeader"))
            header = repeated or (number == 0 and first_is_header)
            for cell in row:
                if cell.merge not in ("", "restart"):
                    continue
                cell_element = make_element("th" if header else "td")
                if cell.span > 1:
                    cell_element.set("colspan", str(cell.span))
                height = _measure_height(grid, cell) if cell.merge == "restart" else 1
                if height > 1:
                    cell_element.set("rowspan", str(height))
                self._fill_cell(cell_element, cell.element)
                line.append(cell_element)
            table.append(line)
        return table

    def _fill_cell(self, cell_element: Any, cell: Any) -> None:
        inner = self.write_blocks(cell)
        if len(inner) == 1 and inner[0].tag == "p":
            cell_element.text = inner[0].text
            cell_element.attrib.update(inner[0].attrib)
            cell_element.extend(list(inner[0]))
        else:
            cell_element.extend(inner)

    def inline(self, block: Any, into: Any) -> None:
        """The content of a paragraph; neighbours of one look share their element."""
        visible_texts = {piece.node: piece.text for piece in iter_pieces(block)}
        self._walk_content(block, into, visible_texts)

    def _walk_content(self, container: Any, into: Any, visible_texts: dict[Any, str]) -> None:
        for child in container:
            if child.tag == R:
                self._write_run(child, into, visible_texts)
            elif child.tag == qualify_name("m:oMath"):
                into.append(self._write_math(child, display=False))
            elif child.tag == qualify_name("m:oMathPara"):
                for formula in child.iterfind(qualify_name("m:oMath")):
                    into.append(self._write_math(formula, display=True))
            elif child.tag == qualify_name("w:bookmarkStart") and child.get(qualify_name("w:name")) in self.anchors:
                into.append(make_element("span", id=child.get(qualify_name("w:name"))))
            elif child.tag == qualify_name("w:hyperlink"):
                self._write_link(child, into, visible_texts)
            elif child.tag not in _LEFT_OUT_TAGS and isinstance(child.tag, str):
                self._walk_content(child, into, visible_texts)

    def _write_math(self, formula: Any, *, display: bool) -> Any:
        return make_element("span", to_latex(formula), **{"class": "math display" if display else "math inline"})

    def _write_link(self, node: Any, into: Any, visible_texts: dict[Any, str]) -> None:
        relation = self.links.get(node.get(qualify_name("r:id"), ""))
        name = node.get(qualify_name("w:anchor"))
        target = relation.target if relation is not None and relation.external else f"#{name}" if name else ""
        if name == "_top":
            target = "#"
        if not target or (name and name != "_top" and name not in self.anchors):
            self._walk_content(node, into, visible_texts)
            return
        link_element = make_element("a", href=target)
        self._walk_content(node, link_element, visible_texts)
        into.append(link_element)

    def _write_run(self, run: Any, into: Any, visible_texts: dict[Any, str]) -> None:
        tags = self._list_tags(run, inside=into)
        for node in run:
            if node in visible_texts:
                text = visible_texts[node]
                holder = nest_elements(into, tags) if text.strip() else into
                for number, line in enumerate(text.split("\n")):
                    if number:
                        holder.append(make_element("br"))
                    add_text(holder, line)
            elif node.tag in DRAWINGS or node.tag == VERSIONS:
                self._write_pictures(node, into)
            elif node.tag == qualify_name("w:ruby"):
                self._write_ruby(node, into, visible_texts)
            elif node.tag in (qualify_name("w:footnoteReference"), qualify_name("w:endnoteReference")):
                self._write_note(node, into)

    def _list_tags(self, run: Any, *, inside: Any) -> list[str]:
        properties = find_element(run, "w:rPr")
        style = (
            self.styles.name_of(get_value(properties, "w:rStyle"), "character").lower()
            if properties is not None
            else ""
        )
        tags = ["code"] if style in _INLINE_CODE else []
        tags += ["strong"] if is_on(properties, "w:b") or style == "strong" else []
        tags += ["em"] if is_on(properties, "w:i") or style == "emphasis" else []
        tags += ["del"] if is_on(properties, "w:strike") else []
        raised = {"superscript": "sup", "subscript": "sub"}.get(get_value(properties, "w:vertAlign") or "")
        tags += [raised] if raised else []
        underlined = (get_value(properties, "w:u") or "none") != "none"
        return [*tags, "u"] if underlined and inside.tag != "a" and style != "hyperlink" else tags

    def _write_ruby(self, node: Any, into: Any, visible_texts: dict[Any, str]) -> None:
        """Characters, and in small letters above them how they are read."""
        ruby_element = make_element("ruby")
        self._walk_content(find_element(node, "w:rubyBase"), ruby_element, visible_texts)
        ruby_element.append(make_element("rt", "".join(find_element(node, "w:rt").itertext(qualify_name("w:t")))))
        into.append(ruby_element)

    def _write_pictures(self, node: Any, into: Any) -> None:
        own = text_box_of(node)
        for blip in node.iter(*_PICTURE_TAGS):
            relation = self.links.get(blip.get(qualify_name("r:embed")) or blip.get(qualify_name("r:id")) or "")
            if in_fallback(blip) or text_box_of(blip) is not own or relation is None:
                continue
            drawing = next(iter([*blip.iterancestors(*DRAWINGS)][::-1]), node)
            alt = get_description(drawing)
            if drawing in self.pictures:
                source = f"image-{self.pictures[drawing]}"
                alt = alt or source.replace("-", " ")
            elif relation.target in self.document.package:
                source = self.image(relation.target, self.document.package.read(relation.target))
            else:
                continue
            into.append(make_element("img", src=source, alt=alt))

    def _write_note(self, node: Any, into: Any) -> None:
        number, note = self.notes.get(_note_id(node), (0, None))
        if note is None:
            return
        self.used.append(number)
        mark = make_element("sup", **{"class": "footnote"})
        mark.append(make_element("a", str(number), href=f"#note-{number}"))
        into.append(mark)


def _number_notes(document: Document, root: Any) -> dict[str, tuple[int, notes.Note]]:
    """The notes of a story by id, numbered in the order of their marks."""
    notes_by_id = {note.id: note for note in notes.read_notes(document)}
    marks = dict.fromkeys(
        map(_note_id, outside_fallbacks(root, qualify_name("w:footnoteReference"), qualify_name("w:endnoteReference")))
    )
    return {
        name: (number, notes_by_id[name]) for number, name in enumerate((m for m in marks if m in notes_by_id), start=1)
    }


def _note_id(mark: Any) -> str:
    kind = "footnote" if mark.tag == qualify_name("w:footnoteReference") else "endnote"
    return f"{kind}-{mark.get(qualify_name('w:id'))}"


def _iter_boxes(drawing: Any) -> Iterator[Any]:
    """The text boxes of a drawing that stand in no other, in their newer version."""
    for box in outside_fallbacks(drawing, TXBX):
        if text_box_of(box) is text_box_of(drawing):
            yield box


_LEFT_OUT_TAGS = {qualify_name(f"w:{name}") for name in ("pPr", "rPr", "del", "moveFrom", "sdtPr", "sdtEndPr")}


def _get_indent_level(block: Any) -> int:
    """The level of the item below whose words a paragraph itself says to begin, negative for none."""
    left = get_attribute(find_element(block, "w:pPr/w:ind"), "w:left") or "0"
    return int(left) // 720 - 1 if left.isdigit() else -1


def _end_deeper(block: Any, lists: list[tuple[int, Any]]) -> None:
    """End the lists below the item to which a further block is indented."""
    level = _get_indent_level(block)
    while level >= 0 and len(lists) > 1 and lists[-1][0] > level:
        lists.pop()


def _goes_on(list_element: Any, number: int | None) -> bool:
    """Whether an item with a number is the next one of a list; one without is taken to be."""
    return (
        list_element.tag == "ul" or number is None or number == int(list_element.get("start", "1")) + len(list_element)
    )


def _measure_height(grid: Grid, cell: Any) -> int:
    height = 1
    while cell.row + height < len(grid.cells) and any(
        other.column == cell.column and other.merge == "continue" for other in grid.cells[cell.row + height]
    ):
        height += 1
    return height
