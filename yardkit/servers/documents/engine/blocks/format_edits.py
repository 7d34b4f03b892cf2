"""Styles and direct formats of blocks, and of texts in them."""

from __future__ import annotations

import copy
from typing import Any

from yardkit.servers.documents.engine.blocks.block_edits import list_span
from yardkit.servers.documents.engine.formatting import looks
from yardkit.servers.documents.engine.formatting.styles import Styles, set_styles
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import (
    SDT,
    TBL,
    P,
    ensure_child,
    find_element,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import isolate_runs, list_runs, text_of
from yardkit.servers.documents.engine.markup.specs import FormatEdit, Look, StyleEdit
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.search_replace import Query
from yardkit.world import Problem

_PRESERVED_PROPERTIES = {
    "w:rPr": ("w:rStyle", "w:lang"),
    "w:pPr": ("w:pStyle", "w:numPr", "w:sectPr", "w:rPr", "w:pPrChange"),
}


def format_blocks(writer: Writer, edits: list[FormatEdit]) -> int:
    """Apply edits in order, those of styles first; how many blocks, places of a text and styles were formatted.

    Raises:
        Problem: an anchor is stale, a style missing, or a text not found.
    """
    for edit in edits:
        if edit.define:
            _define_style(writer, edit)
    targets = [(edit, _choose_paragraphs(writer, edit)) for edit in edits if not edit.define]
    defined = len(edits) - len(targets)
    return defined + sum(_format_paragraphs(writer, edit, paragraphs) for edit, paragraphs in targets)


def format_span(writer: Writer, paragraph: Any, start: int, end: int, look: Look) -> None:
    """Give the characters `start` to `end` of a paragraph a look.

    Raises:
        Problem: the paragraph has no such characters.
    """
    length = len(text_of(paragraph))
    if not 0 <= start < end <= length:
        raise Problem(
            f"characters {start} to {end} are not in the paragraph, which has {length}; give 0 <= start < end"
        )
    for run in isolate_runs(paragraph, start, end):
        _format_run(writer, FormatEdit(look=look), run, "")
    writer.written.append(paragraph)


def apply_look(paragraph: Any, look: Look) -> None:
    """Give a new paragraph a look."""
    for run in list_runs(paragraph) if looks.concerns_text(look) else ():
        looks.set_text_look(ensure_child(run, "w:rPr"), look)
    if looks.concerns_paragraphs(look):
        looks.set_paragraph_look(ensure_child(paragraph, "w:pPr"), look)


def _define_style(writer: Writer, edit: FormatEdit) -> None:
    if edit.anchors or edit.find or edit.style:
        raise Problem(
            f"define {edit.define!r} must be the only action of its edit; apply it to blocks by `style` in another edit"
        )
    style = StyleEdit(edit.define, edit.kind, edit.based_on, edit.next, edit.look)
    writer.notes += set_styles(writer.document, [style])


def _choose_paragraphs(writer: Writer, edit: FormatEdit) -> list[Any]:
    if not edit.anchors:
        raise Problem("give at least one anchor")
    if edit.to and len(edit.anchors) > 1:
        raise Problem("`to` needs exactly one anchor, the start of its range")
    chosen_paragraphs: list[Any] = []
    for anchor in edit.anchors:
        for block in list_span(writer.document, anchor, edit.to):
            chosen_paragraphs += list(block.iter(P)) if block.tag in (TBL, SDT) else [block]
    return chosen_paragraphs


def _format_paragraphs(writer: Writer, edit: FormatEdit, paragraphs: list[Any]) -> int:
    if edit.find:
        return _format_texts(writer, edit, paragraphs)
    paragraph_style, text_style = _style_ids(writer, edit)
    for paragraph in paragraphs:
        if paragraph_style or edit.clear or looks.concerns_paragraphs(edit.look):
            _format_paragraph(writer, edit, paragraph, paragraph_style)
        if text_style or edit.clear or looks.concerns_text(edit.look):
            for run in list_runs(paragraph):
                _format_run(writer, edit, run, text_style)
    writer.written += paragraphs
    return len(paragraphs)


def _style_ids(writer: Writer, edit: FormatEdit) -> tuple[str, str]:
    """Ids of the paragraph style and the character style that the name means; one of them at most."""
    styles = Styles(writer.document)
    if not edit.style:
        return "", ""
    character = styles.by_name(edit.style, "character")
    if character is not None and styles.by_name(edit.style, "paragraph") is None:
        return "", styles.ensure(edit.style, "character")
    return styles.ensure(edit.style, "paragraph"), ""


def _format_texts(writer: Writer, edit: FormatEdit, paragraphs: list[Any]) -> int:
    if looks.concerns_paragraphs(edit.look):
        raise Problem("alignment, spacing and so on apply to entire paragraphs; leave out `find_element` for them")
    style = Styles(writer.document).ensure(edit.style, "character") if edit.style else ""
    finder, count = Query(edit.find).make_finder(), 0
    for paragraph in paragraphs:
        matches = finder(text_of(paragraph))
        for match in matches:
            for run in isolate_runs(paragraph, match.start, match.end):
                _format_run(writer, edit, run, style)
        count += len(matches)
        writer.written += [paragraph] if matches else []
    if not count:
        blocks = "the block" if len(edit.anchors) == 1 else "any of the blocks"
        raise Problem(
            f"{edit.find!r} is not in {blocks} {', '.join(edit.anchors[:5])}; use search_document to find texts"
        )
    return count


def _format_run(writer: Writer, edit: FormatEdit, run: Any, style: str) -> None:
    properties = ensure_child(run, "w:rPr")
    before = copy.deepcopy(properties)
    if edit.clear:
        _clear_properties(properties, "w:rPr")
    if style:
        insert_child(properties, make_element("w:rStyle", val=style))
    looks.set_text_look(properties, edit.look)
    if writer.tracker is not None:
        tracking.mark_format(run, before, writer.tracker)
    elif not len(properties):
        run.remove(properties)


def _format_paragraph(writer: Writer, edit: FormatEdit, paragraph: Any, style: str) -> None:
    properties = ensure_child(paragraph, "w:pPr")
    before = copy.deepcopy(properties)
    if edit.clear:
        _clear_properties(properties, "w:pPr")
    if style:
        insert_child(properties, make_element("w:pStyle", val=style))
    looks.set_paragraph_look(properties, edit.look)
    if writer.tracker is not None:
        tracking.mark_format(paragraph, before, writer.tracker)
    elif not len(properties):
        paragraph.remove(properties)


def _clear_properties(properties: Any, kind: str) -> None:
    protected_tags = {qualify_name(name) for name in _PRESERVED_PROPERTIES[kind]}
    for child in list(properties):
        if child.tag not in protected_tags:
            properties.remove(child)


def look_of(block: Any) -> dict[str, object]:
    """The direct formats of a paragraph."""
    return looks.paragraph_look(find_element(block, "w:pPr"))
