"""On which page bookmarks lie: LibreOffice lays the document out, and the PDF's outline tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from toolyard.servers.documents.engine.document import Document
from toolyard.servers.documents.engine.field_values import bookmarks
from toolyard.servers.documents.engine.names import P, ensure, find, get, make, place, q
from toolyard.servers.documents.engine.numbering import shown
from toolyard.servers.documents.engine.text import text_of
from toolyard.world import Problem


def pages_of_bookmarks(path: Path, document: Document) -> dict[str, str] | None:
    """Bookmark -> the number that its page bears; None where nothing here can lay pages out.

    A copy is laid out in which the paragraphs of the bookmarks, and they alone, are headings: LibreOffice then lists
    them in the outline of the PDF, in order, each with its page.
    """
    marked = [mark for mark in bookmarks(document).values() if _in_body(document, mark)]
    holders = [next(mark.iterancestors(P)) for mark in marked]
    starts = _starts(document)
    places = document.blocks()
    ordered = sorted(dict.fromkeys([*holders, *(first for first, _ in starts)]), key=places.place)
    pages = _outline_pages(path, {places.place(each) for each in ordered})
    if pages is None or len(pages) != len(ordered):
        return None
    page_of = dict(zip(ordered, pages, strict=True))
    counts = [(page_of[first], numbers) for first, numbers in starts]
    named = zip(marked, holders, strict=True)
    return {mark.get(q("w:name")): _numbered(page_of[holder], counts) for mark, holder in named}


def _starts(document: Document) -> list[tuple[Any, Any]]:
    """The first paragraph with text of each section, with how its pages are numbered (w:pgNumType, or None)."""
    found, first = [], None
    last = find(document.body, "w:sectPr")
    for block in document.body:
        if first is None and block.tag == P and text_of(block).strip():
            first = block
        ends = block is last or find(block, "w:pPr/w:sectPr") is not None
        if ends and first is not None:
            section = last if block is last else find(block, "w:pPr/w:sectPr")
            found.append((first, find(section, "w:pgNumType")))
            first = None
    return found if any(numbers is not None for _, numbers in found) else []


def _numbered(page: int, counts: list[tuple[int, Any]]) -> str:
    """The number that stands on a page (counted from 0) where sections count anew and in formats of their own."""
    number, before, style = 1, 0, "decimal"
    for first, numbers in counts:
        if first > page:
            break
        number += first - before
        start, style = get(numbers, "w:start"), get(numbers, "w:fmt", "decimal") or "decimal"
        number, before = (int(start) if start and start.isdigit() else number), first
    return shown(number + page - before, style)


def _in_body(document: Document, mark: Any) -> bool:
    paragraph = next(mark.iterancestors(P), None)
    return paragraph is not None and paragraph in document.blocks()


def _outline_pages(path: Path, headings: set[int]) -> list[int] | None:
    """The pages of the outline of the PDF of a copy in which only the blocks `headings` have an outline level."""
    try:
        import pypdfium2

        from toolyard.servers.pages import libreoffice
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "copy.docx", Path(folder) / "copy.pdf"
        probe = Document.open(path)
        for place_of, block in enumerate(probe.blocks().all):
            if block.tag == P:
                level = make("w:outlineLvl", val=0 if place_of in headings else 9)
                place(ensure(block, "w:pPr"), level)
        probe.save(source)
        try:
            libreoffice.convert(source, target)
        except Problem:
            return None
        with pypdfium2.PdfDocument(target) as pdf:
            return [item.get_dest().get_index() for item in pdf.get_toc()]
