"""Read text, tables and places of text from images, without MCP."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable
from pathlib import Path

from yardkit.servers.ocr.backends import BackendChoice, BackendName, Line, Quad, get_recogniser
from yardkit.servers.ocr.engine.layout import Placed, PlacedWord, rows_of
from yardkit.servers.ocr.engine.pages import Page, read_page
from yardkit.servers.ocr.engine.results import (
    BackendLanguages,
    ImageTable,
    ImageText,
    OcrLanguages,
    Reading,
    TextMatch,
    TextMatches,
    TextPiece,
)
from yardkit.servers.ocr.engine.search import find_all
from yardkit.servers.ocr.engine.tables import find_grid, looks_like_header
from yardkit.servers.ocr.languages import LANGUAGES, language_name
from yardkit.world import Problem, save_bytes

__all__ = ["TextPiece", "find_text", "list_languages", "read_page", "read_table", "read_text"]

_LEVEL_PX = 1.5


def read_text(
    path: Path,
    *,
    level: str = "lines",
    backend: BackendChoice = "auto",
    languages: list[str] | None = None,
    bbox_px: list[int] | None = None,
    zoom: float | None = None,
    min_confidence: float = 0.0,
    offset: int = 0,
    limit: int = 400,
    number: int = 1,
) -> ImageText:
    """The text of an image in reading order, as lines or words with boxes in pixels of the image as displayed.

    `number` is the page of a TIFF, or the frame of a moving picture, from 1.

    Raises:
        Problem: no image, too large, an unknown language, no backend that reads it, or `offset` beyond the end.
    """
    page = read_page(path, backend, languages, bbox_px, zoom, number)
    pieces = [piece for piece in _list_pieces(page, level) if piece.confidence >= min_confidence]
    if offset and offset >= len(pieces):
        raise Problem(f"offset {offset} is beyond the end: there are {len(pieces)} {level}; start with offset=0")
    end = offset + limit
    return ImageText(
        _build_reading(page, path), level, pieces[offset:end], len(pieces), offset, end if end < len(pieces) else None
    )


def find_text(
    path: Path,
    query: str,
    *,
    min_similarity: float = 0.8,
    backend: BackendChoice = "auto",
    languages: list[str] | None = None,
    bbox_px: list[int] | None = None,
    limit: int = 20,
    number: int = 1,
) -> TextMatches:
    """The places of `query` in an image, letter case and spaces aside, recognition errors allowed; best first.

    A match lies within one row of text.

    Raises:
        Problem: as `read_text`; or an empty query.
    """
    search_text = "".join(query.split())
    if not search_text:
        raise Problem("the query is empty; give the text to look for")
    page = read_page(path, backend, languages, bbox_px, None, number)
    matches = [
        match
        for row in (*page.rows, *page.turned_rows)
        for match in _row_matches(page, row, search_text, min_similarity)
    ]
    matches.sort(key=lambda match: -match.similarity)
    return TextMatches(_build_reading(page, path), query, matches[:limit], len(matches))


def read_table(
    path: Path,
    *,
    backend: BackendChoice = "auto",
    languages: list[str] | None = None,
    bbox_px: list[int] | None = None,
    zoom: float | None = None,
    number: int = 1,
) -> ImageTable:
    """The table of an image, or of the part `bbox_px`, as rows of cells.

    Raises:
        Problem: as `read_text`; or no table was found.
    """
    page = read_page(path, backend, languages, bbox_px, zoom, number)
    lines = [line for row in page.rows for line in row]
    grid = find_grid(lines, page.picture.pixels)
    if grid is None:
        raise Problem(
            f"no table was found in {path.name!r}: no ruled grid and no words aligned in columns; pass "
            "bbox_px of the table, or use read_image_text"
        )
    rows = [[_cell_text(cell) for cell in row] for row in grid.cells]
    boxes = [[_get_box(page, cell) if cell else None for cell in row] for row in grid.cells]
    everything = [word for row in grid.cells for cell in row for word in cell]
    header = looks_like_header(rows)
    turned = [line.line.text for row in page.turned_rows for line in row]
    return ImageTable(
        _build_reading(page, path),
        grid.ruled,
        header,
        rows,
        _get_box(page, everything),
        boxes,
        [*grid.outside, *turned],
    )


def save_table(table: ImageTable, path: Path) -> None:
    """Write the cells of a table as CSV (UTF-8, comma, CRLF as in RFC 4180)."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows(table.rows)
    save_bytes(path, buffer.getvalue().encode("utf-8"))


def list_languages() -> OcrLanguages:
    """What each backend reads on this machine, and how to add what none reads."""
    names: tuple[BackendName, ...] = ("rapidocr", "tesseract")
    backends = []
    for name in names:
        entry = get_recogniser(name)
        missing = entry.missing()
        model = "" if missing else entry.model()
        backends.append(BackendLanguages(name, model, not missing, entry.languages(), missing))
    readable = {code for entry in backends for code in entry.languages}
    helper = get_recogniser("tesseract")
    absent = {f"{code} ({language_name(code)})": helper.how_to_add(code) for code in LANGUAGES if code not in readable}
    return OcrLanguages(backends, absent)


def _build_reading(page: Page, path: Path) -> Reading:
    lines = [line.line for row in (*page.rows, *page.turned_rows) for line in row]
    weight = sum(len(line.text) for line in lines)
    mean = sum(line.confidence * len(line.text) for line in lines) / weight if weight else 0.0
    return Reading(
        path.name,
        page.width,
        page.height,
        page.recogniser.name,
        page.recogniser.model(),
        page.rotation_deg,
        page.skew_deg,
        page.zoom,
        round(mean, 3),
        [_get_bounds([page.picture.quad_in_source(quad)]) for quad in page.unread],
        list(page.notes),
    )


def _list_pieces(page: Page, level: str) -> Iterable[TextPiece]:
    for number, row in enumerate((*page.rows, *page.turned_rows), start=1):
        for line in row:
            parts = line.line.words if level == "words" else (line.line,)
            for part in parts:
                quad = page.picture.quad_in_source(part.quad)
                box = _get_bounds([quad])
                yield TextPiece(part.text, round(part.confidence, 3), box, _get_corners(quad, box), number)


def _row_matches(page: Page, row: list[Placed], search_text: str, min_similarity: float) -> Iterable[TextMatch]:
    words = [word for line in row for word in line.words]
    letters = [(index, letter) for index, word in enumerate(words) for letter in word.word.text if not letter.isspace()]
    text = "".join(letter for _, letter in letters)
    for row_hit in find_all(search_text, text, min_similarity):
        hit = [words[index] for index in sorted({index for index, _ in letters[row_hit.start : row_hit.end]})]
        quads = [page.picture.quad_in_source(word.word.quad) for word in hit]
        box = _get_bounds(quads)
        hit_quad = (quads[0][0], quads[-1][1], quads[-1][2], quads[0][3])
        yield TextMatch(
            " ".join(word.word.text for word in hit),
            round(row_hit.similarity, 3),
            round(statistics.fmean(word.word.confidence for word in hit), 3),
            box,
            _get_corners(hit_quad, box),
            " ".join(line.line.text for line in row),
        )


def _cell_text(words: list[PlacedWord]) -> str:
    lines = rows_of([Placed(_as_line(word), word.box, (word,)) for word in words])
    return "\n".join(" ".join(piece.line.text for piece in line) for line in lines)


def _as_line(word: PlacedWord) -> Line:
    return Line(word.word.text, word.word.confidence, word.word.quad, (word.word,))


def _get_box(page: Page, words: list[PlacedWord]) -> list[int]:
    return _get_bounds([page.picture.quad_in_source(word.word.quad) for word in words])


def _get_bounds(quads: list[Quad]) -> list[int]:
    xs = [x for quad in quads for x, _ in quad]
    ys = [y for quad in quads for _, y in quad]
    return [round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))]


def _get_corners(quad: Quad, box: list[int]) -> list[list[float]] | None:
    """The corners of a text that is not level; none where the box says it all."""
    level = [(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])]
    height = max(1.0, abs(quad[3][1] - quad[0][1]))
    reach = max(_LEVEL_PX, 0.12 * height)
    if all(abs(x - a) <= reach and abs(y - b) <= reach for (x, y), (a, b) in zip(quad, level, strict=True)):
        return None
    return [[round(x, 1), round(y, 1)] for x, y in quad]
