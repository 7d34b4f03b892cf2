"""Tables of contents, lists of figures and caption numbers: their entries as they would be updated in Word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.servers.documents.engine.formatting.numbering import Numbering
from yardkit.servers.documents.engine.formatting.styles import Styles, set_tabs
from yardkit.servers.documents.engine.markup.names import (
    P,
    drop_children,
    find_element,
    get_attribute,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, text_nodes, text_of
from yardkit.servers.documents.engine.package import field_values, page_sections
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.field_values import UNKNOWN_PAGE, Field, iter_fields
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import build_field, wrap_in_bookmark

_RANGE = re.compile(r'\\o\s+"?(\d)\s*-\s*(\d)')
_CAPTIONS = re.compile(r'\\[ct]\s+"?([^"\\]+?)"?(?:\s|$)')


@dataclass(frozen=True)
class Entry:
    """A line of a table of contents; `paragraph` is the heading or caption it leads to."""

    level: int
    text: str
    paragraph: Any


def new_toc(writer: Writer, levels: int, title: str) -> list[Any]:
    """A heading and an empty table of contents; `refresh_all` fills it."""
    styles = Styles(writer.document)
    heading = make_element("w:p", make_element("w:pPr", make_element("w:pStyle", val=styles.ensure("TOC Heading"))))
    heading.append(make_element("w:r", *text_nodes(title)))
    return [heading, *_make_empty_toc(f'TOC \\o "1-{levels}" \\h \\z \\u')]


def new_figures(writer: Writer, label: str, title: str) -> list[Any]:
    """An empty list of the captions with a label, under a heading if it has a title."""
    heading = []
    if title:
        style = make_element("w:pStyle", val=Styles(writer.document).ensure("TOC Heading"))
        heading = [make_element("w:p", make_element("w:pPr", style), make_element("w:r", *text_nodes(title)))]
    return [*heading, *_make_empty_toc(f'TOC \\h \\z \\c "{label}"')]


def _make_empty_toc(code: str) -> list[Any]:
    runs = build_field(code, "")
    return [make_element("w:p", *runs[:-1]), make_element("w:p", runs[-1])]


def refresh_all(writer: Writer, numbers: dict[str, str] | None = None) -> int:
    """Write the entries of all tables of contents and lists of figures anew; how many there are.

    `numbers` gives the page of each bookmark; pages that are not known keep the number that stood there, if any.
    """
    toc_fields = [
        candidate
        for candidate in iter_fields(writer.document.body)
        if candidate.kind == "TOC" and candidate.end is not None
    ]
    for word_field in toc_fields:
        _refresh_toc(writer, word_field, numbers or {})
    return len(toc_fields)


def _refresh_toc(writer: Writer, toc: Field, numbers: dict[str, str]) -> None:
    entries = list(_iter_entries(writer.document, toc.code))
    marks = [_ensure_mark(writer, entry) for entry in entries]
    known = _known_pages(toc) | numbers
    last = next((element for element in toc.end.iterancestors(P)), None)
    if last is None or last.getparent() is not toc.paragraph.getparent():
        writer.notes.append("a table of contents spans several containers; it was left as it is")
        return
    _clear_toc(toc, last)
    lines = [
        _make_line(writer, entry, mark, known.get(mark, UNKNOWN_PAGE), toc)
        for entry, mark in zip(entries, marks, strict=True)
    ]
    if not lines:
        text = "No entries found." if "\\c" not in toc.code else "No captions found."
        lines = [make_element("w:p", make_element("w:r", *text_nodes(text)))]
    _merge_into(toc.paragraph, lines[0])
    for line in reversed(lines[1:]):
        toc.paragraph.addnext(line)
    for line in lines[1:]:
        writer.name_paragraphs(line)
    _merge_end(toc, lines)


def _merge_end(toc: Field, lines: list[Any]) -> None:
    """The mark of the end stands in the last line, where nothing else stands in its paragraph (which goes)."""
    end_run = toc.end.getparent()
    last = next(end_run.iterancestors(P))
    if (
        all(child is end_run or child.tag == qualify_name("w:pPr") for child in last)
        and find_element(last, "w:pPr/w:sectPr") is None
    ):
        (lines[-1] if len(lines) > 1 else toc.paragraph).append(end_run)
        last.getparent().remove(last)


def _known_pages(toc: Field) -> dict[str, str]:
    """The page numbers that stand in a table of contents."""
    paragraphs = [toc.paragraph, *toc.paragraph.itersiblings(P)]
    pages_by_entry = {}
    for paragraph in paragraphs:
        for reference in iter_fields(paragraph):
            words = reference.code.split()
            if reference.kind == "PAGEREF" and len(words) > 1 and reference.text not in ("", UNKNOWN_PAGE):
                pages_by_entry[words[1]] = reference.text
        if toc.end in paragraph.iter(toc.end.tag):
            break
    return pages_by_entry


def _clear_toc(toc: Field, last: Any) -> None:
    """Take out all between the separator and the end of the field; the end stands in a paragraph of its own."""
    begin_run, end_run = toc.separator.getparent(), toc.end.getparent()
    if last is toc.paragraph:
        last = make_element("w:p")
        toc.paragraph.addnext(last)
        last.extend([end_run, *end_run.itersiblings()])
    for between in list(toc.paragraph.itersiblings()):
        if between is last:
            break
        between.getparent().remove(between)
    for around in (begin_run, *begin_run.iterancestors()):  # a tracked insertion may stand around it
        if around is toc.paragraph:
            break
        for after in list(around.itersiblings()):
            after.getparent().remove(after)
    for child in list(last):
        if child is end_run or end_run in child.iter(end_run.tag):
            break
        if child.tag != qualify_name("w:pPr"):
            last.remove(child)


def _merge_into(first: Any, line: Any) -> None:
    """The first line of a table of contents stands in the paragraph in which the field begins."""
    drop_children(first, "w:pPr")
    properties = find_element(line, "w:pPr")
    first.extend(child for child in list(line) if child is not properties)
    if properties is not None:
        first.insert(0, properties)


def _iter_entries(document: Document, code: str) -> Iterator[Entry]:
    label = _CAPTIONS.search(code)
    if label:
        yield from (Entry(1, text_of(caption), caption) for caption in list_captions(document, label[1]))
        return
    stated = _RANGE.search(code)
    least, most = (int(stated[1]), int(stated[2])) if stated else (1, 9)
    styles = Styles(document)
    labels = Numbering(document).labels(document.body)
    for paragraph in document.body.iter(P):
        level = 0 if in_fallback(paragraph) else styles.heading_level(paragraph)
        text = " ".join(text_of(paragraph).split())
        if least <= level <= most and text:
            number = labels.get(paragraph, "")
            yield Entry(level, f"{number}\t{text}" if number else text, paragraph)


def list_captions(document: Document, label: str) -> list[Any]:
    """The paragraphs of the body that hold a SEQ field of a label."""
    return [candidate.paragraph for candidate in iter_fields(document.body) if _is_seq(candidate, label)]


def _is_seq(known_field: Field, label: str) -> bool:
    words = known_field.code.split()
    return known_field.kind == "SEQ" and len(words) > 1 and words[1].lower() == label.lower()


def next_number(document: Document, label: str) -> int:
    return len(list_captions(document, label)) + 1


def renumber_captions(writer: Writer) -> None:
    """Count all SEQ fields anew, in the order of the body, and let REF fields show what they refer to."""
    counts: dict[str, int] = {}
    for caption in iter_fields(writer.document.body):
        words = caption.code.split()
        if caption.kind == "SEQ" and len(words) > 1:
            reset = re.search(r"\\r\s+(\d+)", caption.code)
            counts[words[1]] = int(reset[1]) if reset else counts.get(words[1], 0) + ("\\c" not in caption.code)
            set_result(caption, str(counts[words[1]]))
    marks = {name.lower(): mark for name, mark in field_values.map_bookmarks(writer.document).items()}
    for story in writer.document.map_stories():
        for reference in iter_fields(writer.document.get_story(story)):
            words = field_values.split_arguments(reference.code)
            has_no_switches = not {"\\n", "\\r", "\\w", "\\p", "\\f"} & set(words)
            if reference.kind == "REF" and len(words) > 1 and words[1].lower() in marks and has_no_switches:
                set_result(reference, field_values.bookmark_text(marks[words[1].lower()]))


def set_result(word_field: Field, text: str) -> None:
    """Put `text` in place of what a field shows; its first run's format stays."""
    if word_field.text == text:
        return
    if not word_field.result:
        if word_field.end is not None and word_field.separator is not None:
            word_field.end.getparent().addprevious(make_element("w:r", *text_nodes(text)))
        elif word_field.start.tag == qualify_name("w:fldSimple"):
            word_field.start.append(make_element("w:r", *text_nodes(text)))
        return
    first, *others = word_field.result
    for run in word_field.result:
        for node in list(run):
            if node.tag in (qualify_name("w:t"), qualify_name("w:tab"), qualify_name("w:br")):
                run.remove(node)
    first.extend(text_nodes(text))
    for run in others:
        if all(node.tag == qualify_name("w:rPr") for node in run):
            run.getparent().remove(run)


def _ensure_mark(writer: Writer, entry: Entry) -> str:
    """The name of the _Toc bookmark around a heading, made if it has none."""
    for mark in entry.paragraph.iter(qualify_name("w:bookmarkStart")):
        name = get_attribute(mark, "w:name") or ""
        if name.startswith("_Toc"):
            return name
    name = free_bookmark(writer, "_Toc")
    content = [child for child in entry.paragraph if child.tag != qualify_name("w:pPr")]
    entry.paragraph.extend(wrap_in_bookmark(writer, name, content))
    return name


def free_bookmark(writer: Writer, stem: str) -> str:
    taken = field_values.map_bookmarks(writer.document)
    number = 100_000_001 + sum(name.startswith(stem) for name in taken)
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def _make_line(writer: Writer, entry: Entry, mark: str, page: str, toc: Field) -> Any:
    style = "table of figures" if _CAPTIONS.search(toc.code) else f"toc {entry.level}"
    paragraph = make_element(
        "w:p", make_element("w:pPr", make_element("w:pStyle", val=Styles(writer.document).ensure(style)))
    )
    room = page_sections.text_width_cm(writer.document, toc.paragraph)
    stops = ["1" if entry.level < 3 else "1.6"] if "\t" in entry.text else []
    set_tabs(writer.document, paragraph, [*stops, f"{room:.2f} right dot"])
    reference = build_field(f"PAGEREF {mark} \\h", page)
    content = [make_element("w:r", *text_nodes(entry.text)), make_element("w:r", make_element("w:tab")), *reference]
    paragraph.append(make_element("w:hyperlink", *content, anchor=mark, history=1))
    return paragraph


def set_page_numbers(document: Document, numbers: dict[str, str]) -> int:
    """Let PAGEREF fields show the pages of their bookmarks, relative ones left out; how many changed."""
    changed = 0
    for story in document.map_stories():
        for reference in iter_fields(document.get_story(story)):
            words = reference.code.split()
            known = reference.kind == "PAGEREF" and len(words) > 1 and not is_relative(reference)
            if known and numbers.get(words[1], reference.text) != reference.text:
                set_result(reference, numbers[words[1]])
                changed += 1
    return changed


def is_relative(word_field: Field) -> bool:
    """Whether a PAGEREF field says where its page is, seen from its own."""
    return "\\p" in field_values.split_arguments(word_field.code)


def bookmarks_of_pages(document: Document) -> set[str]:
    """The bookmarks whose pages fields show, in all stories."""
    bookmark_names = [
        reference
        for story in document.map_stories()
        for reference in iter_fields(document.get_story(story))
        if reference.kind == "PAGEREF"
    ]
    return {words[1] for words in (reference.code.split() for reference in bookmark_names) if len(words) > 1}


def needs_pages(document: Document) -> bool:
    """Whether a field shows a page that is not known."""
    return any(
        reference.kind == "PAGEREF" and reference.text in ("", UNKNOWN_PAGE) for reference in iter_fields(document.body)
    )
