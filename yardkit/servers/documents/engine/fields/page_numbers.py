"""On which page bookmarks lie: LibreOffice lays the document out, and the PDF's outline tells."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from yardkit.servers.documents.engine.formatting.numbering import formatted_number
from yardkit.servers.documents.engine.markup.names import (
    P,
    ensure_child,
    find_element,
    get_attribute,
    get_value,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import text_box_of, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.field_values import map_bookmarks
from yardkit.world import Problem


@dataclass(frozen=True)
class Pages:
    """A document as it is laid out.

    Attributes:
        total: how many pages it has.
        bookmarks: the number on the page of each bookmark of the body.
        marks: where those bookmarks begin.
        page_of: paragraph -> its page, from 0.
        starts: the first paragraph with text of each section, with that section, where they matter.
    """

    total: int
    bookmarks: dict[str, str]
    marks: dict[str, Any]
    page_of: dict[Any, int]
    starts: list[tuple[Any, Any]]

    def number(self, paragraph: Any, style: str | None = None) -> str | None:
        """The number on the page of a paragraph, in a format of its own if one is given; None where it is not known."""
        page = self.page_of.get(paragraph)
        return None if page is None else _format_page_number(page, self._list_counts(), style)

    def _list_counts(self) -> list[tuple[int, Any]]:
        return [(self.page_of[first], find_element(section, "w:pgNumType")) for first, section in self.starts]

    def in_section(self, paragraph: Any) -> int | None:
        """How many pages the section of a paragraph has; None where that is not known."""
        page = self.page_of.get(paragraph)
        if page is None or not self.starts:
            return None if page is None else self.total
        firsts = [self.page_of[first] for first, _ in self.starts]
        at = max((i for i, first in enumerate(firsts) if first <= page), default=0)
        if at + 1 == len(firsts):
            return self.total - firsts[at]
        shares = get_value(self.starts[at + 1][1], "w:type") == "continuous"
        return firsts[at + 1] - firsts[at] + shares


def find_pages(path: Path, document: Document, paragraphs: list[Any]) -> Pages | None:
    """On which pages bookmarks and some paragraphs with text lie; None where nothing here can lay pages out.

    A copy is laid out in which those paragraphs, and they alone, are headings: LibreOffice then lists them in the
    outline of the PDF, in order, each with its page.
    """
    marked = [mark for mark in map_bookmarks(document).values() if _in_body(document, mark)]
    holders = [next(mark.iterancestors(P)) for mark in marked]
    starts = _list_starts(document)
    places = document.get_blocks()
    paragraphs_to_find = dict.fromkeys([*holders, *paragraphs, *(first for first, _ in starts)])
    ordered = sorted(paragraphs_to_find, key=places.place)
    outline = _outline_pages(path, {places.place(paragraph) for paragraph in ordered})
    if outline is None or len(outline[0]) != len(ordered):
        return None
    pages = Pages(outline[1], {}, {}, dict(zip(ordered, outline[0], strict=True)), starts)
    for mark, holder in zip(marked, holders, strict=True):
        name = mark.get(qualify_name("w:name"))
        pages.bookmarks[name], pages.marks[name] = pages.number(holder) or "", mark
    return pages


def _list_starts(document: Document) -> list[tuple[Any, Any]]:
    """The first paragraph with text of each section, with the section; none where pages are just counted through."""
    section_starts, first = [], None
    last = find_element(document.body, "w:sectPr")
    for block in document.body:
        if first is None and block.tag == P and text_of(block).strip():
            first = block
        ends = block is last or find_element(block, "w:pPr/w:sectPr") is not None
        if ends and first is not None:
            section_starts.append((first, last if block is last else find_element(block, "w:pPr/w:sectPr")))
            first = None
    return (
        section_starts
        if len(section_starts) > 1
        or any(find_element(section, "w:pgNumType") is not None for _, section in section_starts)
        else []
    )


def _format_page_number(page: int, counts: list[tuple[int, Any]], style: str | None) -> str:
    """The number that stands on a page (counted from 0) where sections count anew and in formats of their own."""
    number, before, own = 1, 0, "decimal"
    for first, numbers in counts:
        if first > page:
            break
        number += first - before
        start, own = get_attribute(numbers, "w:start"), get_attribute(numbers, "w:fmt", "decimal") or "decimal"
        number, before = (int(start) if start and start.isdigit() else number), first
    return formatted_number(number + page - before, style or own)


def _in_body(document: Document, mark: Any) -> bool:
    paragraph = next(mark.iterancestors(P), None)
    return paragraph is not None and paragraph in document.get_blocks() and is_locatable(paragraph)


def is_locatable(paragraph: Any) -> bool:
    """Whether a paragraph of the body would be in the outline: it has text, and is in no text box."""
    return bool(text_of(paragraph).strip()) and text_box_of(paragraph) is None


def _outline_pages(path: Path, headings: set[int]) -> tuple[list[int], int] | None:
    """The pages of the outline of the PDF of a copy in which only the blocks `headings` have an outline level.

    With how many pages it has.
    """
    if find_spec("pypdfium2") is None:
        return None
    from yardkit.kit.pages import libreoffice, raster

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "copy.docx", Path(folder) / "copy.pdf"
        probe = Document.open(path)
        for place_of, block in enumerate(probe.get_blocks().all):
            if block.tag == P:
                level = make_element("w:outlineLvl", val=0 if place_of in headings else 9)
                insert_child(ensure_child(block, "w:pPr"), level)
        probe.save(source)
        try:
            libreoffice.convert_file(source, target)
            return raster.run_picture_call(raster.outline_pages, target)
        except Problem:
            return None
