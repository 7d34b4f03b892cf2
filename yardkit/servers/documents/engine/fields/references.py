"""Bookmarks, links, fields and cross-references in the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.documents.engine.fields import field_updates, forms, page_numbers, toc
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import (
    P,
    ensure_child,
    find_element,
    get_attribute,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import isolate_runs, list_runs, text_nodes, text_of
from yardkit.servers.documents.engine.markup.specs import ReferenceEdit
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import build_field, build_link, with_quotes, wrap_in_bookmark
from yardkit.servers.documents.engine.text.search_replace import Query
from yardkit.world import Problem

_ALLOWED_FIELDS = {
    *("PAGE", "NUMPAGES", "SECTIONPAGES", "SECTION", "DATE", "TIME", "CREATEDATE", "SAVEDATE", "TITLE", "AUTHOR"),
    *(
        "SUBJECT",
        "KEYWORDS",
        "FILENAME",
        "SEQ",
        "REF",
        "PAGEREF",
        "NOTEREF",
        "STYLEREF",
        "TC",
        "XE",
        "INDEX",
        "MERGEFIELD",
    ),
    *("DOCPROPERTY", "NUMWORDS", "NUMCHARS", "QUOTE", "TOC"),
}


@dataclass(frozen=True)
class FieldInfo:
    """A field: `shows` is its stored result."""

    anchor: str
    code: str
    shows: str = ""


@dataclass(frozen=True)
class BookmarkInfo:
    """A bookmark and the text in it."""

    name: str
    anchor: str
    text: str = ""


def edit_references(writer: Writer, edits: list[ReferenceEdit]) -> int:
    """Apply edits in order; how many.

    Raises:
        Problem: an anchor is stale, or an edit lacks something; then nothing is saved.
    """
    makers: dict[str, Callable[[Writer, ReferenceEdit, Any], None]] = {
        "bookmark": _add_bookmark,
        "remove_bookmark": _remove_bookmark,
        "link": _add_link,
        "unlink": _remove_link,
        "field": _add_field,
        "cross_reference": _cross_reference,
        "remove_field": _remove_field,
        "fill": _fill_field,
    }
    blocks = [writer.document.find(edit.anchor) if edit.anchor else None for edit in edits]
    for edit, block in zip(edits, blocks, strict=True):
        if block is None and edit.op not in ("remove_bookmark", "fill"):
            raise Problem(f"{edit.op} needs the `anchor` of a paragraph")
        if block is not None and block.tag != P:
            raise Problem(f"{edit.anchor!r} is a table; choose a paragraph in it (read_document with show=details)")
        makers[edit.op](writer, edit, block)
        writer.written += [] if block is None else [block]
    return len(edits)


def _fill_field(writer: Writer, edit: ReferenceEdit, _: Any) -> None:
    forms.fill_fields(writer, edit.name, edit.value)


def _target_runs(edit: ReferenceEdit, paragraph: Any) -> list[Any]:
    """The runs of the text that an edit names; all of the paragraph without a text.

    Raises:
        Problem: the text is not in the paragraph.
    """
    text = text_of(paragraph)
    if not edit.find:
        return isolate_runs(paragraph, 0, len(text))
    matches = Query(edit.find).make_finder()(text)
    if not matches:
        raise Problem(f"{edit.find!r} is not in the block {edit.anchor}; it reads {text[:80]!r}")
    return isolate_runs(paragraph, matches[0].start, matches[0].end)


def _add_bookmark(writer: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    target_runs = _target_runs(edit, paragraph)
    start, *_, end = wrap_in_bookmark(writer, edit.name, [None])
    if target_runs:
        _find_outermost(target_runs[0], paragraph).addprevious(start)
        _find_outermost(target_runs[-1], paragraph).addnext(end)
    else:
        paragraph.extend([start, end])


def _find_outermost(run: Any, paragraph: Any) -> Any:
    """The child of the paragraph in which a run stands."""
    while run.getparent() is not paragraph:
        run = run.getparent()
    return run


def _remove_bookmark(writer: Writer, edit: ReferenceEdit, _: Any) -> None:
    mark = _find_mark(writer.document, edit.name)
    number = get_attribute(mark, "w:id")
    root = mark.getroottree().getroot()
    for end in [
        bookmark for bookmark in root.iter(qualify_name("w:bookmarkEnd")) if get_attribute(bookmark, "w:id") == number
    ]:
        end.getparent().remove(end)
    mark.getparent().remove(mark)


def _find_mark(document: Document, name: str) -> Any:
    known = field_values.map_bookmarks(document)
    if name not in known:
        names = [text for text in known if not text.startswith("_")]
        raise Problem(f"the document has no bookmark {name!r}; it has {', '.join(names[:20]) or 'none'}")
    return known[name]


def _add_link(writer: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    if bool(edit.url) == bool(edit.name):
        raise Problem("link needs either `url`, or `name` of a bookmark")
    if edit.name:
        _find_mark(writer.document, edit.name)
    target_runs = _target_runs(edit, paragraph)
    if not target_runs:
        raise Problem(f"the block {edit.anchor} holds no text to link")
    parents = {run.getparent() for run in target_runs}
    if len(parents) > 1 or next(iter(parents)).tag not in (P, qualify_name("w:ins"), qualify_name("w:sdtContent")):
        raise Problem(f"{edit.find or 'the block'!r} is partly linked or partly in a tracked change; unlink it first")
    style = Styles(writer.document).ensure("Hyperlink", "character")
    index, parent = target_runs[0].getparent().index(target_runs[0]), target_runs[0].getparent()
    for run in target_runs:
        insert_child(ensure_child(run, "w:rPr"), make_element("w:rStyle", val=style))
    element = build_link(writer, writer.document.part_of(paragraph), edit.url or f"#{edit.name}", target_runs)
    parent.insert(index, element)


def _remove_link(writer: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    chosen = _target_runs(edit, paragraph)
    links = [
        hyperlink
        for hyperlink in paragraph.iter(qualify_name("w:hyperlink"))
        if any(run in chosen for run in list_runs(hyperlink))
    ]
    if not links:
        raise Problem(f"there is no link in the block {edit.anchor}" + (f" at {edit.find!r}" if edit.find else ""))
    style = Styles(writer.document).by_name("Hyperlink", "character")
    identity = None if style is None else style.get(qualify_name("w:styleId"))
    for linked in links:
        for child in list(linked):
            named = find_element(child, "w:rPr/w:rStyle")
            if named is not None and get_attribute(named, "w:val") == identity:
                named.getparent().remove(named)
            linked.addprevious(child)
        linked.getparent().remove(linked)


def _add_field(writer: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    words = edit.code.split()
    if not words or words[0].upper() not in _ALLOWED_FIELDS:
        raise Problem(f"{edit.code!r} is not a supported field; use {', '.join(sorted(_ALLOWED_FIELDS))}")
    code = with_quotes(edit.code)
    shows = field_values.value_of(writer.document, writer.now, code)
    if words[0].upper() == "NOTEREF" and len(words) > 1:
        shows = (
            field_updates.Numbers(writer.document).note(code, paragraph, _find_mark(writer.document, words[1])) or ""
        )
    _put_field(writer, edit, paragraph, code, shows)
    if words[0].upper() == "SEQ":
        toc.renumber_captions(writer)


def _put_field(writer: Writer, edit: ReferenceEdit, paragraph: Any, code: str, result: str) -> None:
    """Write a field in place of the text that the edit names, or at the end of the paragraph."""
    target_runs = _target_runs(edit, paragraph) if edit.find else []
    if writer.tracker is None:
        _free_runs(target_runs, paragraph)
    like = target_runs[0] if target_runs else next(reversed(list_runs(paragraph)), None)
    properties = find_element(like, "w:rPr")
    new = build_field(code, result, properties)
    if target_runs:
        for run in reversed(new):
            target_runs[-1].addnext(run)
    else:
        before = text_of(paragraph)
        new = (
            [make_element("w:r", *text_nodes(" ")), *new]
            if before and not before[-1].isspace() and before[-1] != "("
            else new
        )
        paragraph.extend(new)
    if writer.tracker is not None:
        tracking.mark_deleted(target_runs, writer.tracker)
        tracking.mark_inserted(new, writer.tracker)
    else:
        for run in target_runs:
            tracking.remove_emptied(run)


def _free_runs(target_runs: list[Any], paragraph: Any) -> None:
    """Turn a field that shows just these runs into plain text, so that the new one does not stand inside of it."""
    for other in field_values.iter_fields(paragraph):
        if target_runs and other.result == target_runs:
            _dissolve_field(other)


def _cross_reference(writer: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    """A REF or PAGEREF field to a bookmark, or to a block that gets a hidden bookmark."""
    if bool(edit.name) == bool(edit.target):
        raise Problem("cross_reference needs either `name` of a bookmark, or `target`, the anchor of a block")
    name = _own_mark(writer, writer.document.find(edit.target)) if edit.target else edit.name
    mark = _find_mark(writer.document, name)
    if edit.show == "page":
        _put_field(writer, edit, paragraph, f"PAGEREF {name} \\h", field_values.UNKNOWN_PAGE)
    elif edit.show == "number":
        numbers, code = field_updates.Numbers(writer.document), f"REF {name} \\r \\h"
        item = numbers.item_at(mark)
        if item is None or not item.label:
            raise Problem("that block has no number; use show=text or show=page")
        _put_field(writer, edit, paragraph, code, numbers.text(code, paragraph, mark) or "")
    else:
        _put_field(writer, edit, paragraph, f"REF {name} \\h", field_values.bookmark_text(mark))


def _own_mark(writer: Writer, block: Any) -> str:
    """The name of the _Ref bookmark of a block: for a caption that of label and number, else one around its text."""
    if block.tag != P:
        raise Problem("a cross-reference to a table goes to its caption; give the caption's anchor as `target`")
    for mark in block.iter(qualify_name("w:bookmarkStart")):
        if (get_attribute(mark, "w:name") or "").startswith("_Ref"):
            return get_attribute(mark, "w:name") or ""
    name = toc.free_bookmark(writer, "_Ref")
    content = [child for child in block if child.tag != qualify_name("w:pPr")]
    number = next((candidate for candidate in field_values.iter_fields(block) if candidate.kind == "SEQ"), None)
    if number is not None:
        end = _find_outermost(number.start if number.end is None else number.end, block)
        content = content[: content.index(end) + 1]
    place_at = block.index(content[0]) if content else len(block)
    for offset, node in enumerate(wrap_in_bookmark(writer, name, content)):
        block.insert(place_at + offset, node)
    return name


def _remove_field(_: Writer, edit: ReferenceEdit, paragraph: Any) -> None:
    """Turn fields into the text that they show."""
    matching_fields = [
        candidate
        for candidate in field_values.iter_fields(paragraph)
        if not edit.code or candidate.code.strip() == edit.code.strip()
    ]
    if not matching_fields:
        raise Problem(f"the block {edit.anchor} holds no field {edit.code}")
    for word_field in matching_fields:
        _dissolve_field(word_field)


def _dissolve_field(word_field: field_values.Field) -> None:
    """Leave of a field only what it shows."""
    if word_field.end is not None:
        for run in _marks_of(word_field):
            run.getparent().remove(run)
        return
    for run in list(word_field.start):
        word_field.start.addprevious(run)
    word_field.start.getparent().remove(word_field.start)


def _marks_of(word_field: field_values.Field) -> list[Any]:
    """The runs with the marks and the code of a field."""
    marks_between, inside = [], False
    stop = word_field.separator if word_field.separator is not None else word_field.end
    for run in word_field.paragraph.iter(qualify_name("w:r")):
        inside = inside or word_field.start in run
        if inside:
            marks_between.append(run)
        if stop in run:
            break
    end = word_field.end.getparent()
    return [*marks_between, end] if end not in marks_between else marks_between


def list_fields(document: Document) -> list[FieldInfo]:
    field_infos: list[FieldInfo] = []
    for story in document.map_stories():
        blocks = document.get_blocks(story)
        field_infos += [
            FieldInfo(blocks.anchor(value.paragraph), value.code.strip(), value.text[:200])
            for value in field_values.iter_fields(document.get_story(story))
            if value.paragraph is not None and "_Toc" not in value.code
        ]
    return field_infos


def list_bookmarks(document: Document) -> list[BookmarkInfo]:
    bookmark_infos = []
    for name, mark in field_values.map_bookmarks(document).items():
        if not name.startswith("_"):
            block = next(mark.iterancestors(P), None)
            anchor = document.anchor(block) if block is not None else ""
            bookmark_infos.append(BookmarkInfo(name, anchor, field_values.bookmark_text(mark)[:200]))
    return bookmark_infos


def update_fields(writer: Writer) -> int:
    """Bring SEQ and REF fields, tables of contents and lists of figures up to date; how many lists there are."""
    toc.renumber_captions(writer)
    lists = toc.refresh_all(writer)
    field_updates.renew_references(writer)
    return lists


def compute_pages(path: Path, writer: Writer) -> bool:
    """Write page numbers, from the laid-out pages, into the fields of the saved file; whether any changed.

    Where LibreOffice is missing the writer's notes say so.
    """
    document = Document.open(path)
    counted = field_updates.page_fields(document)
    elsewhere = field_updates.relative_elsewhere(document)
    if elsewhere:
        where = ", ".join(elsewhere)
        writer.notes.append(
            f"fields that say how far a page is (PAGEREF \\p) are not computed in {where}; Word does with F9"
        )
    if not counted and not toc.bookmarks_of_pages(document):
        return False
    pages = page_numbers.find_pages(path, document, [here for _, here in counted])
    if pages is None:
        writer.notes.append(
            "page numbers are not computed, because no LibreOffice is there; Word computes them with F9"
        )
        return False
    unknown = toc.bookmarks_of_pages(document) & set(field_values.map_bookmarks(document)) - set(pages.bookmarks)
    if unknown:
        names = ", ".join(sorted(unknown)[:20])
        writer.notes.append(f"the pages of {names} cannot be determined (no text, or in a text box); press F9 in Word")
    changed = toc.set_page_numbers(document, pages.bookmarks) + field_updates.set_page_fields(counted, pages)
    if changed:
        document.save(path)
    return changed > 0
