"""What stands on the pages of a PDF. Everything here opens a file that may be hostile: it is called `apart`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.pages import raster
from yardkit.kit.pages.space import space_in_pdfium
from yardkit.servers.render.engine.results import Finding, PageInfo, TextHit
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

PRELOAD = (*raster.PRELOAD, "pypdfium2.raw")
MM_PER_POINT = 25.4 / 72
_WORDS = 80
_TINY_PT = 5.5
_EDGE_PT = 1.0
_OVERLAP = 0.35
_TEXT = 1
_SMALL = 0.3
_MAX_PIECES = 3000
_MAX_FINDINGS_A_KIND = 6
_BOXES = re.compile("[\\ufffd\\u25a1\\uffff\\ufffe]")


def describe_pages(pdf: bytes | Path, numbers: Sequence[int], shift: int) -> list[PageInfo]:
    """Size and first words of pages, whose numbers are lower by `shift` in the PDF."""
    with raster.open_pdf(pdf) as document:
        return [_read_page_info(document, number, shift) for number in numbers]


def _read_page_info(document: Any, number: int, shift: int) -> PageInfo:
    width, height = document.get_page_size(number - shift - 1)
    page = document[number - shift - 1]
    words = " ".join(page.get_textpage().get_text_range(0, 4 * _WORDS, errors="ignore").split())
    page.close()
    return PageInfo(number, round(width * MM_PER_POINT, 1), round(height * MM_PER_POINT, 1), words[:_WORDS])


def find_places(pdf: bytes | Path, text: str, match_case: bool, limit: int) -> tuple[list[TextHit], int]:
    """The places where a text stands, at most `limit`, and how many there are in all."""
    matches: list[TextHit] = []
    total = 0
    with raster.open_pdf(pdf) as document:
        for number, page in enumerate(document, start=1):
            for place in _find_on_page(page, text, match_case=match_case):
                total += 1
                if len(matches) < limit:
                    matches.append(TextHit(number, place[0], place[1]))
            page.close()
    return matches, total


def _find_on_page(page: Any, text: str, *, match_case: bool) -> Iterator[tuple[Box, str]]:
    words = page.get_textpage()
    search = words.search(text, match_case=match_case)
    space = space_in_pdfium(page)
    while (hit := search.get_next()) is not None:
        start, count = hit
        boxes = [words.get_charbox(index) for index in range(start, start + count)]
        left, bottom = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, top = max(box[2] for box in boxes), max(box[3] for box in boxes)
        around = words.get_text_range(max(0, start - 25), count + 50, errors="ignore")
        yield _round_box(space.convert_box((left, bottom, right, top))), " ".join(around.split())


def _round_box(box: Box) -> Box:
    return round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1)


def find_faults(pdf: bytes | Path, numbers: Sequence[int]) -> list[Finding]:
    """Things that look wrong on pages."""
    findings: list[Finding] = []
    with raster.open_pdf(pdf) as document:
        for number in numbers:
            page = document[number - 1]
            findings += [Finding(number, *finding) for finding in _page_findings(page)]
            page.close()
    return findings


def _page_findings(page: Any) -> Iterator[tuple[str, str, Box | None]]:
    words = page.get_textpage()
    text = words.get_text_range(errors="ignore")
    if not text.strip() and page.render(scale=_SMALL).to_pil().convert("RGB").getcolors(1):
        yield "empty page", "this page is empty", None
        return
    if _BOXES.search(text):
        yield "missing signs", f"{format_count(len(_BOXES.findall(text)), 'sign')} that no font could show", None
    faults: Counter[str] = Counter()
    for kind, message, box in _text_findings(page, words):
        faults[kind] += 1
        if faults[kind] <= _MAX_FINDINGS_A_KIND:
            yield kind, message, box


@dataclass(frozen=True)
class _Piece:
    """A piece of text on the page as shown, in points from its top left."""

    words: str
    left: float
    top: float
    right: float
    bottom: float
    size: float

    @property
    def box(self) -> Box:
        return _round_box((self.left, self.top, self.right, self.bottom))

    def share_under(self, other: _Piece) -> float:
        """How much of the smaller piece the other one covers, from 0 to 1."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        smaller = min(self.area, other.area)
        return width * height / smaller if width > 0 and height > 0 and smaller > 0 else 0.0

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def _list_text_pieces(page: Any, words: Any) -> list[_Piece]:
    text_pieces, space = [], space_in_pdfium(page)
    for part in page.get_objects(filter=[_TEXT], max_depth=3, textpage=words):
        text = part.extract().strip()
        if text:
            matrix = part.get_matrix()
            size = part.get_font_size() * math.hypot(matrix.c, matrix.d)
            text_pieces.append(_Piece(text, *space.convert_box(part.get_bounds()), size))
    return text_pieces


def _text_findings(page: Any, words: Any) -> Iterator[tuple[str, str, Box | None]]:
    width, height = page.get_size()
    pieces = _list_text_pieces(page, words)
    for piece in pieces:
        kind = _describe_fault(piece, width, height)
        if kind:
            yield kind, piece.words[:60], piece.box
    for first_piece, other in _find_overlapping(pieces):
        message = f"{first_piece.words[:40]!r} and {other.words[:40]!r}"
        yield "texts overlap", message, first_piece.box


def _describe_fault(piece: _Piece, width: float, height: float) -> str:
    if min(piece.left, piece.top) < -_EDGE_PT or piece.right > width + _EDGE_PT or piece.bottom > height + _EDGE_PT:
        return "over the edge"
    if set(piece.words) == {"#"} and len(piece.words) > 2:
        return "column too narrow"
    return "tiny text" if 0 < piece.size < _TINY_PT else ""


def _find_overlapping(pieces: list[_Piece]) -> Iterator[tuple[_Piece, _Piece]]:
    """Pairs of texts that are drawn over each other; the same text twice is a shadow."""
    ordered = sorted(pieces, key=lambda piece: piece.left)[:_MAX_PIECES]
    for index, first_piece in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.left >= first_piece.right:
                break
            if first_piece.words != other.words and first_piece.share_under(other) > _OVERLAP:
                yield first_piece, other
