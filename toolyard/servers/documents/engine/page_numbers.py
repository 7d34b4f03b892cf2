"""On which page bookmarks lie: LibreOffice lays the document out, and the PDF's outline tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from toolyard.servers.documents.engine.document import Document
from toolyard.servers.documents.engine.field_values import bookmarks
from toolyard.servers.documents.engine.names import P, ensure, make, place, q
from toolyard.world import Problem


def pages_of_bookmarks(path: Path, document: Document) -> dict[str, str] | None:
    """Bookmark -> number of the page it lies on; None where nothing here can lay pages out.

    A copy is laid out in which the paragraphs of the bookmarks, and they alone, are headings: LibreOffice then lists
    them in the outline of the PDF, in order, each with its page.
    """
    marked = [mark for mark in bookmarks(document).values() if _in_body(document, mark)]
    paragraphs = list(dict.fromkeys(next(mark.iterancestors(P)) for mark in marked))
    places = document.blocks()
    ordered = sorted(paragraphs, key=places.place)
    pages = _outline_pages(path, {places.place(each) for each in ordered})
    if pages is None or len(pages) != len(ordered):
        return None
    page_of = dict(zip(ordered, pages, strict=True))
    return {mark.get(q("w:name")): str(page_of[next(mark.iterancestors(P))] + 1) for mark in marked}


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
