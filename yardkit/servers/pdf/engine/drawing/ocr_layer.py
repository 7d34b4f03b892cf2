"""A text layer for scans: what the ocr engine reads, as invisible text in its place."""

from __future__ import annotations

import math
import tempfile
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.pdf.engine.drawing import fonts
from yardkit.servers.pdf.engine.drawing.overlay import Sheets, put_sheet, sheets_in
from yardkit.servers.pdf.engine.package.document import open_pdf, render_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import select_pages, space_of
from yardkit.servers.pdf.engine.package.raster import render_pages
from yardkit.servers.pdf.engine.reading.words import turn_upright
from yardkit.world import Problem
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from yardkit.servers.ocr.engine import TextPiece

PRELOAD = ("pikepdf", "pypdfium2", "pypdfium2.raw", "reportlab.pdfgen.canvas", "reportlab.pdfbase.ttfonts", "PIL.Image")
MAX_PAGES = 50
_INVISIBLE = 3
_LARGEST_PX = 12_000_000
# In heights of a word's box.
_NARROWEST_SPACE = 0.2
_WIDEST_SPACE = 1.5


@dataclass(frozen=True)
class ReadWord:
    """A recognised word.

    Attributes:
        text: what it says.
        box: in points on the page as shown, turned back so that the word runs from left to right (`words.upright`).
        space: width of the space after it, 0 for none.
        turn: how far it is turned: 0, 90, 180 or 270 degrees clockwise.
    """

    text: str
    box: list[float]
    space: float = 0.0
    turn: int = 0


@dataclass(frozen=True)
class Layer:
    """What was recognised.

    Attributes:
        words: per page.
        skipped: pages that had text already.
        confidence: mean per page, 0 to 1.
    """

    words: dict[int, int]
    skipped: list[int]
    confidence: dict[int, float]
    reader: str = ""
    warnings: list[str] = field(default_factory=list)


def pages_to_read(path: Path, password: str, pages: str | None, force: bool) -> tuple[list[int], list[int]]:
    """Pages that need a text layer, and those that have text.

    Raises:
        Problem: the file cannot be read, a page does not exist, or there are more than `MAX_PAGES`.
    """
    with render_pdf(path, password) as document:
        numbers = list(dict.fromkeys(select_pages(pages, len(document))))
        with_text = [n for n in numbers if not force and document[n - 1].get_textpage().get_text_range().strip()]
    unread_pages = [number for number in numbers if number not in with_text]
    if len(unread_pages) > MAX_PAGES:
        raise Problem(f"{len(unread_pages)} pages have no text; the limit is {MAX_PAGES} at once: give `pages`")
    return unread_pages, with_text


def recognise_words(data: bytes, dpi: float, languages: list[str] | None) -> tuple[list[ReadWord], float, str]:
    """The words of a page's picture, by the ocr engine: boxes in points, mean confidence, and who read it.

    Raises:
        Problem: no reader is installed, or an unknown language.
    """
    from yardkit.servers.ocr.engine import read_text

    with tempfile.TemporaryDirectory(prefix="yardkit-pdf-") as folder:
        path = Path(folder) / "page.png"
        path.write_bytes(data)
        read_pieces = read_text(path, level="words", languages=languages, limit=100_000)
    words = [
        _to_read_word(piece, after, 72 / dpi)
        for piece, after in zip(read_pieces.pieces, [*read_pieces.pieces[1:], None], strict=True)
    ]
    return (
        words,
        read_pieces.reading.mean_confidence,
        f"{read_pieces.reading.backend} {read_pieces.reading.model}".strip(),
    )


def _to_read_word(word: TextPiece, after: TextPiece | None, scale: float) -> ReadWord:
    """A word in points; its box ends where a space of some width begins, as boxes that were read may touch."""
    turn = _detect_turn(word)
    x0, y0, x1, y1 = _to_upright(word, turn)
    space = 0.0
    if after is not None and _has_space(word, after, turn):
        begins = _to_upright(after, turn)[0]
        space = max(begins - x1, _NARROWEST_SPACE * (y1 - y0))
        x1 = round(max(begins - space, (x0 + x1) / 2))
    return ReadWord(word.text, [value * scale for value in (x0, y0, x1, y1)], space * scale, turn)


def _detect_turn(word: TextPiece) -> int:
    """Of the nearest quarter of a turn: a page may be scanned on its side."""
    if word.quad_px is None:
        return 0
    (x0, y0), (x1, y1) = word.quad_px[:2]
    return round(math.degrees(math.atan2(y1 - y0, x1 - x0)) / 90) * 90 % 360


def _to_upright(word: TextPiece, turn: int) -> Box:
    x0, y0, x1, y1 = word.bbox_px
    return turn_upright((x0, y0, x1, y1), turn)


def _has_space(word: TextPiece, after: TextPiece, turn: int) -> bool:
    """Whether a space stands between two words: not at the end of a row or column, nor in scripts without spaces."""
    box = _to_upright(word, turn)
    gap = (_to_upright(after, turn)[0] - box[2]) / (box[3] - box[1] or 1)
    return after.row == word.row and abs(gap) < _WIDEST_SPACE and not _is_wide(word.text[-1] + after.text[0])


def _is_wide(characters: str) -> bool:
    return any(unicodedata.east_asian_width(character) in "WF" for character in characters)


def page_picture(path: Path, password: str, number: int, dpi: float) -> tuple[bytes, float]:
    """A page for recognition, and the dpi it has: fewer where the page is very large."""
    with render_pdf(path, password) as document:
        wide, tall = document[number - 1].get_size()
    fitting = min(dpi, 72 * (_LARGEST_PX / max(wide * tall, 1)) ** 0.5)
    return render_pages(path, password, str(number), fitting)[0].data, fitting


def add_layer(source: Path, target: Path, password: str, words: dict[int, list[ReadWord]]) -> list[str]:
    """Lay invisible text on the pages; returns warnings.

    Raises:
        Problem: the file cannot be read, or the saved file does not yield the text.
    """
    with open_pdf(source, password, strict=True) as pdf:
        warnings = warnings_of(pdf)
        sheets = Sheets()
        numbers = [number for number in words if words[number]]
        for number in numbers:
            space = space_of(pdf.pages[number - 1])
            with sheets.sheet(space.width, space.height) as canvas:
                for word in words[number]:
                    canvas.saveState()
                    canvas.translate(0, space.height)
                    canvas.rotate(-word.turn)
                    _draw_word(canvas, word)
                    canvas.restoreState()
        with sheets_in(pdf, sheets) as forms:
            for number, form in zip(numbers, forms, strict=True):
                put_sheet(pdf, pdf.pages[number - 1], form, space_of(pdf.pages[number - 1]))
        save_pdf(pdf, target)
    _read_back(target, password, words)
    return warnings


def _draw_word(canvas: Any, word: ReadWord) -> None:
    """A word stretched over its box, origin top left, and the space after it: readers guess spaces from gaps, and miss
    narrow ones.
    """
    x0, y0, x1, y1 = word.box
    size, baseline = max((y1 - y0) * 0.85, 1.0), -y1 + 0.18 * (y1 - y0)
    style = fonts.Style()
    for text, x, width in ((word.text, x0, max(x1 - x0, 1)), (" ", x1, word.space)):
        if width:
            scale = 100 * width / (fonts.measure_width(text, style, size) or 1.0)
            fonts.draw_line(canvas, x, baseline, text, style, size, mode=_INVISIBLE, scale=scale)


def _read_back(target: Path, password: str, words: dict[int, list[ReadWord]]) -> None:
    with render_pdf(target, password) as document:
        for number, read in words.items():
            page_text = "".join(document[number - 1].get_textpage().get_text_range().split())
            missing = [word.text for word in read if "".join(word.text.split()) not in page_text]
            if len(missing) > 0.02 * len(read) + 1:
                raise Problem(
                    f"the text of page {number} could not be read back from the saved file; nothing was changed"
                )
