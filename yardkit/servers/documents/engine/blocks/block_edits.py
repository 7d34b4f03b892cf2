"""Blocks inserted, replaced, deleted, moved: all edits of a batch, or none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from yardkit.servers.documents.engine.blocks.block_builder import Builder, separate_tables, space_after_table
from yardkit.servers.documents.engine.fields import toc
from yardkit.servers.documents.engine.markup import moved_copies, tracking
from yardkit.servers.documents.engine.markup.names import (
    SDT,
    SDT_CONTENT,
    TBL,
    TC,
    P,
    ensure_child,
    find_element,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.specs import BlockEdit, NewBlock
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import Document, story_of
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import dependents
from yardkit.servers.documents.engine.text.inline_content import checked_text
from yardkit.servers.documents.engine.text.rewording import reword_paragraph
from yardkit.world import Problem

_BLOCK_TAGS = {P, TBL}


def edit_blocks(writer: Writer, edits: list[BlockEdit]) -> int:
    """Apply edits in order; anchors are those before the first of them. How many blocks were touched.

    Raises:
        Problem: an anchor is stale or an edit lacks something; then nothing was saved.
    """
    resolved = [_Resolved(writer.document, edit) for edit in edits]
    count = sum(_apply_edit(writer, change) for change in resolved)
    dependents.remove_orphans(writer)
    if any(block.kind in ("toc", "figures", "caption", "heading") for edit in edits for block in edit.blocks):
        finish_edits(writer)
    return count


def append_blocks(writer: Writer, specs: list[NewBlock]) -> None:
    """Write blocks at the end of the body."""
    _insert_blocks(writer, None, "after", specs)
    finish_edits(writer)


def finish_edits(writer: Writer) -> None:
    """Bring captions and, where new ones were written, tables of contents up to date."""
    toc.renumber_captions(writer)
    toc.refresh_all(writer)


class _Resolved:
    """An edit with the blocks that it names."""

    def __init__(self, document: Document, edit: BlockEdit) -> None:
        self.edit = edit
        if not edit.anchor and edit.op != "insert":
            raise Problem(f"{edit.op} needs the `anchor` of a block")
        self.block = document.find(edit.anchor) if edit.anchor else None
        self.range = [] if self.block is None else list_span(document, edit.anchor, edit.to)
        self.beside = document.find(edit.beside) if edit.beside else None


def list_span(document: Document, first: str, last: str) -> list[Any]:
    """The blocks from one anchor to another, which must stand in the same container; the first only without `last`.

    Raises:
        Problem: they do not stand in one container, or in the wrong order.
    """
    start = document.find(first)
    if not last or last == first:
        return [start]
    end = document.find(last)
    span_blocks = [start]
    for block in start.itersiblings():
        span_blocks.append(block)
        if block is end:
            return [member for member in span_blocks if member.tag in (*_BLOCK_TAGS, SDT)]
    if story_of(first) == story_of(last) and start in end.itersiblings():
        raise Problem(f"{last!r} comes before {first!r}; give the first block first")
    raise Problem(f"{first!r} and {last!r} are not in the same container (body, cell); choose blocks of one container")


def _apply_edit(writer: Writer, resolved: _Resolved) -> int:
    edit, block = resolved.edit, resolved.block
    for element in [*resolved.range, *([resolved.beside] if resolved.beside is not None else [])]:
        if element.getparent() is None:
            raise Problem(f"an earlier edit removed the block {edit.anchor!r} of {edit.op}")
    if edit.op == "insert":
        return _insert_blocks(writer, block, edit.position, _require_blocks(edit))
    if edit.op == "replace":
        count = _insert_blocks(writer, resolved.range[-1], "after", _require_blocks(edit))
        delete_blocks(writer, resolved.range)
        return count
    if edit.op == "delete":
        return delete_blocks(writer, resolved.range)
    if edit.op == "move":
        return _move_blocks(writer, resolved)
    return _set_text(writer, block, edit.text)


def _require_blocks(edit: BlockEdit) -> list[NewBlock]:
    if not edit.blocks:
        raise Problem(f"{edit.op} needs `blocks`")
    return edit.blocks


def _insert_blocks(writer: Writer, beside: Any, position: str, specs: list[NewBlock]) -> int:
    part = writer.document.main if beside is None else writer.document.part_of(beside)
    body = writer.document.body
    near = beside if beside is not None else next(body.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    builder = Builder(writer, part, near)
    place_at = beside
    inserted_blocks: list[Any] = []
    for spec in specs:
        new = builder.build([spec])
        if place_at is None:
            last = page_sections.read_sections(writer.document)[-1]
            for block in new:
                last.addprevious(block)
        elif position == "before":
            for block in new:
                place_at.addprevious(block)
        else:
            for block in reversed(new):
                place_at.addnext(block)
            place_at = new[-1]
        space_after_table(builder.styles, new[0].getprevious(), new[0])
        for block in new:
            writer.note_inserted(block)
        inserted_blocks += new
        builder.near = new[-1]
    _part_tables(writer, inserted_blocks)
    if place_at is not None:
        _close_cell(place_at)
    return len(specs)


def _close_cell(block: Any) -> None:
    """A cell and a text box end with a paragraph; two tables in a row would become one."""
    parent = block.getparent()
    last = next(parent.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    if parent.tag in (TC, qualify_name("w:txbxContent"), qualify_name("w:hdr"), qualify_name("w:ftr")) and (
        last is None or last.tag == TBL
    ):
        parent.append(make_element("w:p"))


def delete_blocks(writer: Writer, blocks: list[Any]) -> int:
    """Take blocks out, or mark them as deleted; a section that ended in one of them keeps its layout."""
    for block in blocks:
        if writer.tracker is not None:
            tracking.mark_blocks(block, "del", writer.tracker)
        else:
            dependents.remember_marks(writer, block)
            _remove_block(block)
    return len(blocks)


def _remove_block(block: Any) -> None:
    parent = block.getparent()
    section = find_element(block, "w:pPr/w:sectPr")
    if section is not None:
        _keep_section(block, section)
    dependents.keep_comments_beyond(block)
    _keep_marks(block)
    parent.remove(block)
    _close_after(parent)


def _close_after(parent: Any) -> None:
    """Close what a block has left: a content control that is empty goes, a cell or header ends with a paragraph."""
    if parent.tag == SDT_CONTENT and not len(parent):
        control = parent.getparent()
        around = control.getparent()
        around.remove(control)
        _close_after(around)
    if parent.tag not in (TC, qualify_name("w:hdr"), qualify_name("w:ftr"), qualify_name("w:txbxContent")):
        return
    last = next(parent.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    if last is None or last.tag == TBL:
        parent.append(make_element("w:p"))


def _keep_section(block: Any, section: Any) -> None:
    """The section that ended in a deleted paragraph ends in the one before it; with none it ends no more."""
    before = next((element for element in block.itersiblings(preceding=True) if element.tag == P), None)
    if before is not None and find_element(before, "w:pPr/w:sectPr") is None:
        insert_child(ensure_child(before, "w:pPr"), section)


def _keep_marks(block: Any) -> None:
    """Ends of comments and bookmarks that began elsewhere stay in the text, so that those stay whole."""
    starts = {"commentRangeStart": "commentRangeEnd", "bookmarkStart": "bookmarkEnd"}
    for start, end in starts.items():
        begun = {range_mark.get(qualify_name("w:id")) for range_mark in block.iter(qualify_name(f"w:{start}"))}
        ended = {range_mark.get(qualify_name("w:id")) for range_mark in block.iter(qualify_name(f"w:{end}"))}
        for name, identities in ((start, begun - ended), (end, ended - begun)):
            for mark in [
                candidate
                for candidate in block.iter(qualify_name(f"w:{name}"))
                if candidate.get(qualify_name("w:id")) in identities
            ]:
                block.addprevious(mark)


def _move_blocks(writer: Writer, resolved: _Resolved) -> int:
    edit, target = resolved.edit, resolved.beside
    if target is None:
        raise Problem("move needs `beside`, the anchor that the blocks go to")
    if any(target is block or target in block.iter(P, TBL) for block in resolved.range):
        raise Problem(f"{edit.beside!r} is one of the blocks to move; choose another anchor")
    if writer.document.part_of(target) != writer.document.part_of(resolved.range[0]):
        raise Problem("blocks can only move within one story; use insert and delete to move text to another")
    moved = resolved.range if writer.tracker is None else moved_copies.copy_blocks(resolved.range)
    for block in moved if edit.position == "before" else reversed(moved):
        parent = block.getparent()
        (target.addprevious if edit.position == "before" else target.addnext)(block)
        if parent is not None:
            _close_after(parent)
    if writer.tracker is not None:
        _mark_moved(writer, resolved.range, moved)
    else:
        writer.written += moved
    if moved:
        _part_tables(writer, moved)
    return len(resolved.range)


def _mark_moved(writer: Writer, blocks: list[Any], copies: list[Any]) -> None:
    """Mark the copies at the new place as inserted, the blocks at the old one as deleted."""
    authors = moved_copies.list_authors(blocks)
    gone = moved_copies.deleted_marks(copies)
    for block in copies:
        writer.note_inserted(block)
    for properties, mark in gone:
        properties.insert(1, mark)
    delete_blocks(writer, blocks)
    if authors:
        writer.notes.append(
            f"the moved text has tracked changes of {', '.join(authors)}: the new place shows the text "
            "with them applied, the old one keeps them; accept or reject them together with the move"
        )


def _part_tables(writer: Writer, new: list[Any]) -> None:
    """Put paragraphs between new tables and those beside them."""
    ends = ([new[0].getprevious(), *new], [new[-1], new[-1].getnext()])
    for blocks in ends:
        there = [block for block in blocks if block is not None]
        for before, new_paragraph in pairwise(separate_tables(there)):
            if new_paragraph not in there:
                before.addnext(new_paragraph)
                writer.note_inserted(new_paragraph)


def _set_text(writer: Writer, block: Any, text: str) -> int:
    if block.tag != P:
        raise Problem("set_text is for paragraphs; use edit_document_table for cells")
    if writer.tracker is None:
        dependents.remember_marks(writer, block)
    reword_paragraph(block, checked_text(text), writer.tracker)
    writer.written.append(block)
    return 1
