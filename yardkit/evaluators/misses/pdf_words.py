"""Near misses in PDF files with changed lines of text. Drawings and pictures stay, and the letters are set again."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median_low
from typing import Any

from yardkit.evaluators.readers.pages.pdf import Page, Word, parse_pdf
from yardkit.evaluators.readers.pages.printed_rows import find_rows, row_text


def reset_pdf(path: Path, change: Callable[[str], str] = lambda text: text) -> bool:
    """Set the lines of a PDF file again as `change` returns them, in Helvetica; return whether any was changed.

    Unchanged lines keep the places of their words. The letters must be in the pages themselves, not in forms.
    """
    import pikepdf

    pages = parse_pdf(path).pages
    rows = [[(row, change(row_text(row))) for row in find_rows(page)] for page in pages]
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        for page, page_view, lines in zip(document.pages, pages, rows, strict=True):
            _strip_letters(document, page)
            with pikepdf.open(io.BytesIO(_draw_letters(page_view, lines))) as letters:
                page.add_overlay(letters.pages[0])
        document.save(path, deterministic_id=True)
    return any(row_text(row) != text for lines in rows for row, text in lines)


def _strip_letters(document: Any, page: Any) -> None:
    """Remove all letters from a page."""
    import pikepdf

    remaining_operators, within = [], False
    for operation in pikepdf.parse_content_stream(page):
        name = str(operation.operator)
        within = name == "BT" or within
        if not within:
            remaining_operators.append(operation)
        within = within and name != "ET"
    page.Contents = document.make_stream(pikepdf.unparse_content_stream(remaining_operators))


def _draw_letters(page: Page, lines: Sequence[tuple[list[Word], str]]) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(page.width, page.height), invariant=True)
    for row, text in lines:
        base = page.height - median_low(word.box[3] for word in row)
        if row_text(row) == text:
            for word in row:
                _write_word(canvas, base, word, word.text, word.box[2] - word.box[0])
        else:
            _write_word(canvas, base, row[0], text)
    canvas.save()
    return buffer.getvalue()


def _write_word(canvas: Any, base_pt: float, word: Word, text: str, width_pt: float = 0.0) -> None:
    """Write a text from the start of a word, in its size, on a base line; no wider than `width_pt`, if given."""
    canvas.saveState()
    canvas.setFont(f"Helvetica{'-Bold' if 'Bold' in word.font else ''}", word.size_pt or 10)
    canvas.translate(word.box[0], base_pt)
    canvas.scale(min(1.0, width_pt / canvas.stringWidth(text)) if width_pt else 1.0, 1.0)
    canvas.drawString(0, 0, text)
    canvas.restoreState()
