"""Paragraphs, headings, lists, pictures, tables and breaks written, deleted and replaced."""

from typing import Any, Literal

from yardkit.compat.toolathlon.documents.app import (
    Color,
    Doc,
    edit_text,
    find_near_paragraph,
    is_contents,
    list_paragraphs,
    open_writer,
    paragraph_at,
    style_of,
)
from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.blocks import block_edits, format_edits
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import P
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import BlockEdit, Look, NewBlock
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text import search_replace
from yardkit.servers.documents.engine.text.search_replace import Query
from yardkit.world import InFile, Problem
from yardkit.world.wording import format_count

CM_PER_INCH = 2.54


def add_paragraph(
    filename: Doc,
    text: str,
    style: str | None = None,
    font_name: str | None = None,
    font_size: float | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    color: Color | None = None,
) -> Text:
    look = Look(bold=bold, italic=italic, color=color, size_pt=font_size, font=font_name)
    with open_writer(filename) as writer:
        _append_block(writer, NewBlock(text=text, literal=True, style=style), look)
    return edit_text(f"Paragraph added to {filename.name}", writer)


def add_heading(
    filename: Doc,
    text: str,
    level: int = 1,
    font_name: str | None = None,
    font_size: float | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    border_bottom: bool = False,
) -> Text:
    border: Literal["bottom"] | None = "bottom" if border_bottom else None
    look = Look(bold=bold, italic=italic, size_pt=font_size, font=font_name, border=border)
    with open_writer(filename) as writer:
        _append_block(writer, NewBlock("heading", text, literal=True, level=level), look)
    return edit_text(f"Heading '{text}' (level {level}) added to {filename.name}", writer)


def add_picture(filename: Doc, image_path: InFile, width: float | None = None) -> Text:
    widths = [width * CM_PER_INCH] if width else []
    with open_writer(filename) as writer:
        _append_block(writer, NewBlock("image", image=image_path, widths_cm=widths, align="left", alt=image_path.stem))
    return edit_text(f"Picture {image_path.name} added to {filename.name}", writer)


def add_table(filename: Doc, rows: int, cols: int, data: list[list[str]] | None = None) -> Text:
    given = data or []
    if len(given) > rows or any(len(row) > cols for row in given):
        widest = max(len(row) for row in given)
        raise Problem(f"the data have {len(given)} rows of up to {widest} texts; the table has {rows} x {cols} cells")
    filled = [[*row, *[""] * (cols - len(row))] for row in [*given, *[[]] * (rows - len(given))]]
    with open_writer(filename) as writer:
        _append_block(writer, NewBlock("table", rows=filled, header_rows=0, style="Table Grid", literal=True))
    return edit_text(f"Table ({rows}x{cols}) added to {filename.name}", writer)


def add_page_break(filename: Doc) -> Text:
    with open_writer(filename) as writer:
        _append_block(writer, NewBlock("page_break"))
    return edit_text(f"Page break added to {filename.name}.", writer)


def insert_header_near_text(
    filename: Doc,
    target_text: str | None = None,
    header_title: str = "",
    position: Literal["before", "after"] = "after",
    header_style: str = "Heading 1",
    target_paragraph_index: int | None = None,
) -> Text:
    if not header_title.strip():
        raise Problem("header_title is empty; give the text of the header")
    with open_writer(filename) as writer:
        target = find_near_paragraph(writer.document, target_text, target_paragraph_index)
        block = NewBlock("heading", header_title, literal=True, style=header_style)
        _insert_blocks(writer, target, position, [block])
    return edit_text(
        f"Header '{header_title}' (style: {header_style}) inserted {position} '{_shorten_paragraph(target)}'.", writer
    )


def insert_line_or_paragraph_near_text(
    filename: Doc,
    target_text: str | None = None,
    line_text: str = "",
    position: Literal["before", "after"] = "after",
    line_style: str | None = None,
    target_paragraph_index: int | None = None,
) -> Text:
    with open_writer(filename) as writer:
        target = find_near_paragraph(writer.document, target_text, target_paragraph_index)
        style = line_style or style_of(writer.document, target) or None
        _insert_blocks(writer, target, position, [NewBlock(text=line_text, literal=True, style=style)])
    return edit_text(
        f"Paragraph inserted {position} '{_shorten_paragraph(target)}' with style '{style or 'Normal'}'.", writer
    )


def insert_numbered_list_near_text(
    filename: Doc,
    target_text: str | None = None,
    list_items: list[str] | None = None,
    position: Literal["before", "after"] = "after",
    target_paragraph_index: int | None = None,
    bullet_type: Literal["bullet", "number"] = "bullet",
) -> Text:
    if not list_items:
        raise Problem("list_items is empty; give at least one text")
    items = [NewBlock(bullet_type, text, literal=True, restart=not number) for number, text in enumerate(list_items)]
    with open_writer(filename) as writer:
        target = find_near_paragraph(writer.document, target_text, target_paragraph_index)
        _insert_blocks(writer, target, position, items)
    return edit_text(
        f"{bullet_type.capitalize()} list of {len(items)} items inserted {position} '{_shorten_paragraph(target)}'.",
        writer,
    )


def delete_paragraph(filename: Doc, paragraph_index: int) -> Text:
    with open_writer(filename) as writer:
        paragraph = paragraph_at(writer.document, paragraph_index)
        text = _shorten_paragraph(paragraph)
        block_edits.edit_blocks(writer, [BlockEdit("delete", writer.document.anchor(paragraph))])
    return edit_text(f"Paragraph at index {paragraph_index} ('{text}') deleted successfully.", writer)


def search_and_replace(filename: Doc, find_text: str, replace_text: str) -> Text:
    with open_writer(filename) as writer:
        counts = search_replace.replace_text(writer, Query(find_text), replace_text, None)
        if not counts:
            raise Problem(f"no occurrences of {find_text!r} found; use find_text_in_document to see the text")
    return edit_text(
        f"Replaced {format_count(sum(counts.values()), 'occurrence')} of '{find_text}' with '{replace_text}'.", writer
    )


def replace_paragraph_block_below_header(
    filename: Doc, header_text: str, new_paragraphs: list[str], detect_block_end_fn: str | None = None
) -> Text:
    with open_writer(filename) as writer:
        document = writer.document
        start = _find_line(document, header_text)
        old = [block for block in _list_until(document, start, detect_block_end_fn) if block.tag == P]
        style = style_of(document, old[0]) if old else ""
        _replace_blocks(
            writer, start, old, [NewBlock(text=text, literal=True, style=style or None) for text in new_paragraphs]
        )
    replaced, new = format_count(len(old), "paragraph"), format_count(len(new_paragraphs), "new paragraph")
    return edit_text(f"Replaced {replaced} below '{_shorten_paragraph(start)}' with {new}.", writer)


def replace_block_between_manual_anchors(
    filename: Doc,
    start_anchor_text: str,
    new_paragraphs: list[str],
    end_anchor_text: str | None = None,
    match_fn: str | None = None,
    new_paragraph_style: str | None = None,
) -> Text:
    how = match_fn or "exact"
    with open_writer(filename) as writer:
        start = _find_line(writer.document, start_anchor_text, how)
        old = _list_until(writer.document, start, end_anchor_text, how)
        new = [NewBlock(text=text, literal=True, style=new_paragraph_style) for text in new_paragraphs]
        _replace_blocks(writer, start, old, new)
    return edit_text(
        f"Replaced {format_count(len(old), 'block')} below '{_shorten_paragraph(start)}' with"
        f" {format_count(len(new), 'new paragraph')}.",
        writer,
    )


def _append_block(writer: Writer, block: NewBlock, look: Look | None = None) -> None:
    """Write a block at the end; a look is for a paragraph."""
    before = len(writer.written)
    block_edits.append_blocks(writer, [block])
    if look is not None:
        format_edits.apply_look(writer.written[before], look)


def _insert_blocks(writer: Writer, beside: Any, position: Literal["before", "after"], new: list[NewBlock]) -> None:
    anchor = writer.document.anchor(beside)
    block_edits.edit_blocks(writer, [BlockEdit("insert", anchor, position=position, blocks=new)])


def _replace_blocks(writer: Writer, start: Any, old: list[Any], new: list[NewBlock]) -> None:
    """Write new blocks below `start` in place of old ones, as one change."""
    anchors = writer.document.get_blocks()
    edits = [BlockEdit("insert", anchors.anchor(start), blocks=new)]
    block_edits.edit_blocks(writer, edits + [BlockEdit("delete", anchors.anchor(block)) for block in old])


def _matches_text(paragraph: Any, text: str, how: str) -> bool:
    own, searched_text = text_of(paragraph).strip().casefold(), text.strip().casefold()
    return {
        "exact": own == searched_text,
        "contains": searched_text in own,
        "starts_with": own.startswith(searched_text),
    }[how]


def _find_line(document: Document, text: str, how: str = "exact") -> Any:
    """The first paragraph with a text that is no line of a table of contents.

    Raises:
        Problem: there is none.
    """
    for paragraph in list_paragraphs(document):
        if _matches_text(paragraph, text, how) and not is_contents(document, paragraph):
            return paragraph
    near_by = [
        text_of(paragraph)
        for paragraph in list_paragraphs(document)
        if text.strip().casefold() in text_of(paragraph).casefold()
    ]
    hint = f"; near it comes {near_by[0][:80]!r}" if near_by else ""
    raise Problem(f"no paragraph of the body says {text!r}{hint}. find_text_in_document says where a text stands")


def _list_until(document: Document, start: Any, end: str | None, how: str = "exact") -> list[Any]:
    """The blocks behind `start` up to the paragraph with the text `end`, or else to the next heading.

    Raises:
        Problem: the text `end` does not follow.
    """
    styles, every = Styles(document), document.get_blocks()
    blocks_between: list[Any] = []
    for block in start.itersiblings():
        if block not in every:
            continue
        if block.tag == P and (_matches_text(block, end, how) if end else styles.heading_level(block)):
            return blocks_between
        blocks_between.append(block)
    if end:
        raise Problem(
            f"no paragraph below {_shorten_paragraph(start)!r} says {end!r}; find_text_in_document says where a text is"
        )
    return blocks_between


def _shorten_paragraph(paragraph: Any) -> str:
    text = text_of(paragraph)
    return text if len(text) <= 50 else f"{text[:50]}..."
