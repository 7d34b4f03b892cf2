"""Blocks inserted, replaced, deleted, moved: all edits of a batch, or none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from yardkit.servers.documents.engine.blocks.block_builder import Builder, separate_tables, space_after_table
from yardkit.servers.documents.engine.fields import toc
from yardkit.servers.documents.engine.markup import moved_copies, tracking
from yardkit.servers.documents.engine.markup.names import SDT, SDT_CONTENT, TBL, TC, P, ensure, find, make, place, q
from yardkit.servers.documents.engine.markup.specs import BlockEdit, NewBlock
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import Document, story_of
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import dependents
from yardkit.servers.documents.engine.text.inline_content import checked_text
from yardkit.servers.documents.engine.text.rewording import reword
from yardkit.world import Problem

_BLOCK_TAGS = {P, TBL}


def edit_blocks(writer: Writer, edits: list[BlockEdit]) -> int:
    """Apply edits in order; anchors are those before the first of them. How many blocks were touched.

    Raises:
        Problem: an anchor is stale or an edit lacks something; then nothing was saved.
    """
    resolved = [_Resolved(writer.document, edit) for edit in edits]
    count = sum(_apply(writer, change) for change in resolved)
    dependents.remove_orphans(writer)
    if any(block.kind in ("toc", "figures", "caption", "heading") for edit in edits for block in edit.blocks):
        finish(writer)
    return count


def append_blocks(writer: Writer, specs: list[NewBlock]) -> None:
    """Write blocks at the end of the body."""
    _insert(writer, None, "after", specs)
    finish(writer)


def finish(writer: Writer) -> None:
    """Bring captions and, where new ones were written, tables of contents up to date."""
    toc.renumber(writer)
    toc.refresh(writer)


class _Resolved:
    """An edit with the blocks that it names."""

    def __init__(self, document: Document, edit: BlockEdit) -> None:
        self.edit = edit
        if not edit.anchor and edit.op != "insert":
            raise Problem(f"{edit.op} needs the `anchor` of a block")
        self.block = document.find(edit.anchor) if edit.anchor else None
        self.range = [] if self.block is None else span(document, edit.anchor, edit.to)
        self.beside = document.find(edit.beside) if edit.beside else None


def span(document: Document, first: str, last: str) -> list[Any]:
    """The blocks from one anchor to another, which must stand in the same container; the first only without `last`.

    Raises:
        Problem: they do not stand in one container, or in the wrong order.
    """
    start = document.find(first)
    if not last or last == first:
        return [start]
    end = document.find(last)
    found = [start]
    for block in start.itersiblings():
        found.append(block)
        if block is end:
            return [member for member in found if member.tag in (*_BLOCK_TAGS, SDT)]
    if story_of(first) == story_of(last) and start in end.itersiblings():
        raise Problem(f"{last!r} comes before {first!r}; give the first block first")
    raise Problem(f"{first!r} and {last!r} are not in the same container (body, cell); choose blocks of one container")


def _apply(writer: Writer, resolved: _Resolved) -> int:
    edit, block = resolved.edit, resolved.block
    for element in [*resolved.range, *([resolved.beside] if resolved.beside is not None else [])]:
        if element.getparent() is None:
            raise Problem(f"an earlier edit removed the block {edit.anchor!r} of {edit.op}")
    if edit.op == "insert":
        return _insert(writer, block, edit.position, _needed(edit))
    if edit.op == "replace":
        count = _insert(writer, resolved.range[-1], "after", _needed(edit))
        delete(writer, resolved.range)
        return count
    if edit.op == "delete":
        return delete(writer, resolved.range)
    if edit.op == "move":
        return _move(writer, resolved)
    return _set_text(writer, block, edit.text)


def _needed(edit: BlockEdit) -> list[NewBlock]:
    if not edit.blocks:
        raise Problem(f"{edit.op} needs `blocks`")
    return edit.blocks


def _insert(writer: Writer, beside: Any, position: str, specs: list[NewBlock]) -> int:
    part = writer.document.main if beside is None else writer.document.part_of(beside)
    body = writer.document.body
    near = beside if beside is not None else next(body.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    builder = Builder(writer, part, near)
    place_at = beside
    made: list[Any] = []
    for spec in specs:
        new = builder.build([spec])
        if place_at is None:
            last = page_sections.sections(writer.document)[-1]
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
            writer.inserted(block)
        made += new
        builder.near = new[-1]
    _part_tables(writer, made)
    if place_at is not None:
        _close_cell(place_at)
    return len(specs)


def _close_cell(block: Any) -> None:
    """A cell and a text box end with a paragraph; two tables in a row would become one."""
    parent = block.getparent()
    last = next(parent.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    if parent.tag in (TC, q("w:txbxContent"), q("w:hdr"), q("w:ftr")) and (last is None or last.tag == TBL):
        parent.append(make("w:p"))


def delete(writer: Writer, blocks: list[Any]) -> int:
    """Take blocks out, or mark them as deleted; a section that ended in one of them keeps its layout."""
    for block in blocks:
        if writer.tracker is not None:
            tracking.mark_blocks(block, "del", writer.tracker)
        else:
            dependents.remember_marks(writer, block)
            _remove(block)
    return len(blocks)


def _remove(block: Any) -> None:
    parent = block.getparent()
    section = find(block, "w:pPr/w:sectPr")
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
    if parent.tag not in (TC, q("w:hdr"), q("w:ftr"), q("w:txbxContent")):
        return
    last = next(parent.iterchildren(*_BLOCK_TAGS, reversed=True), None)
    if last is None or last.tag == TBL:
        parent.append(make("w:p"))


def _keep_section(block: Any, section: Any) -> None:
    """The section that ended in a deleted paragraph ends in the one before it; with none it ends no more."""
    before = next((element for element in block.itersiblings(preceding=True) if element.tag == P), None)
    if before is not None and find(before, "w:pPr/w:sectPr") is None:
        place(ensure(before, "w:pPr"), section)


def _keep_marks(block: Any) -> None:
    """Ends of comments and bookmarks that began elsewhere stay in the text, so that those stay whole."""
    starts = {"commentRangeStart": "commentRangeEnd", "bookmarkStart": "bookmarkEnd"}
    for start, end in starts.items():
        begun = {range_mark.get(q("w:id")) for range_mark in block.iter(q(f"w:{start}"))}
        ended = {range_mark.get(q("w:id")) for range_mark in block.iter(q(f"w:{end}"))}
        for name, identities in ((start, begun - ended), (end, ended - begun)):
            for mark in [
                candidate for candidate in block.iter(q(f"w:{name}")) if candidate.get(q("w:id")) in identities
            ]:
                block.addprevious(mark)


def _move(writer: Writer, resolved: _Resolved) -> int:
    edit, target = resolved.edit, resolved.beside
    if target is None:
        raise Problem("move needs `beside`, the anchor that the blocks go to")
    if any(target is block or target in block.iter(P, TBL) for block in resolved.range):
        raise Problem(f"{edit.beside!r} is one of the blocks to move; choose another anchor")
    if writer.document.part_of(target) != writer.document.part_of(resolved.range[0]):
        raise Problem("blocks can only move within one story; use insert and delete to move text to another")
    moved = resolved.range if writer.tracker is None else moved_copies.copies(resolved.range)
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
    authors = moved_copies.authors(blocks)
    gone = moved_copies.deleted_marks(copies)
    for block in copies:
        writer.inserted(block)
    for properties, mark in gone:
        properties.insert(1, mark)
    delete(writer, blocks)
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
        for before, made in pairwise(separate_tables(there)):
            if made not in there:
                before.addnext(made)
                writer.inserted(made)


def _set_text(writer: Writer, block: Any, text: str) -> int:
    if block.tag != P:
        raise Problem("set_text is for paragraphs; use edit_document_table for cells")
    if writer.tracker is None:
        dependents.remember_marks(writer, block)
    reword(block, checked_text(text), writer.tracker)
    writer.written.append(block)
    return 1
