"""Two documents side by side: which pages correspond, which words differ, where the pictures differ."""

from __future__ import annotations

import difflib
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.package.document import render_pdf
from yardkit.servers.pdf.engine.package.pages import round_box
from yardkit.servers.pdf.engine.package.raster import Raster, render_image
from yardkit.servers.pdf.engine.reading.page_text import rows_of
from yardkit.servers.pdf.engine.reading.reading_order import lines_of
from yardkit.servers.pdf.engine.reading.words import Word, words_of
from yardkit.world import Problem

PRELOAD = (
    "pypdfium2",
    "pypdfium2.raw",
    "pikepdf",
    "PIL.Image",
    "PIL.ImageChops",
    "PIL.ImageDraw",
    "PIL.PngImagePlugin",
)
MAX_PAGES = 400
MAX_CHANGES = 300
_DPI = 72.0
_TILE = 6
_THRESHOLD = 24


@dataclass(frozen=True)
class Change:
    """Words that differ; boxes in points as displayed, of the first and of the second file.

    Attributes:
        kind: replaced, deleted or added.
    """

    kind: str
    before: str = ""
    after: str = ""
    boxes_before: list[list[float]] = field(default_factory=list)
    boxes_after: list[list[float]] = field(default_factory=list)


@dataclass(frozen=True)
class PagePair:
    """Corresponding pages that differ; one is null where a page was added or deleted."""

    page_before: int | None
    page_after: int | None
    changes: list[Change] = field(default_factory=list)
    visual_boxes: list[list[float]] = field(default_factory=list)
    size_changed: str = ""


@dataclass(frozen=True)
class Comparison:
    """What differs between two documents."""

    same_text: bool
    same_look: bool | None
    pages_before: int
    pages_after: int
    pairs: list[PagePair]
    note: str = ""
    picture: Raster | None = None


@dataclass(frozen=True)
class _Page:
    """A page: its words in reading order, their text, and the words in rows over the whole width."""

    number: int
    words: list[Word]
    text: str
    rows: list[Word]

    def has_same_text(self, other: _Page) -> bool:
        return self.text == other.text or [w.text for w in self.rows] == [w.text for w in other.rows]


def compare_documents(
    first: Path, second: Path, password: str, second_password: str, look: Literal["text", "visual", "both"], show: bool
) -> Comparison:
    """Differences of words per page, and of the rendered pages.

    Raises:
        Problem: a file cannot be read, or has more than `MAX_PAGES` pages.
    """
    with render_pdf(first, password) as first_document, render_pdf(second, second_password) as two:
        if max(len(first_document), len(two)) > MAX_PAGES:
            raise Problem(
                f"the limit is {MAX_PAGES} pages, not {max(len(first_document), len(two)):,}; extract a part first"
            )
        before, after = _read_pages(first_document), _read_pages(two)
        pairs = []
        left = MAX_CHANGES
        for a, b in _align_pages(before, after):
            pair = _compare_pair(first_document, two, a, b, look, left)
            if pair is not None:
                pairs.append(pair)
                left -= len(pair.changes)
        difference_picture = _draw_difference(first_document, two, pairs) if show else None
        same_text = len(before) == len(after) and all(map(_Page.has_same_text, before, after))
        same_look = (
            None
            if look == "text"
            else not any(
                p.visual_boxes or p.size_changed or p.page_before is None or p.page_after is None for p in pairs
            )
        )
        note = "" if left > 0 else f"only the first {MAX_CHANGES} changes are listed"
        return Comparison(same_text, same_look, len(first_document), len(two), pairs, note, difference_picture)


def _read_pages(document: Any) -> list[_Page]:
    pages = []
    for number in range(1, len(document) + 1):
        words = [word for line in lines_of(words_of(document[number - 1])) for word in line.words]
        level, turned = [word for word in words if word.level], [word for word in words if not word.level]
        rows = [word for row in rows_of(level) for word in row] + turned
        pages.append(_Page(number, words, " ".join(word.text for word in words), rows))
    return pages


def _align_pages(before: list[_Page], after: list[_Page]) -> list[tuple[_Page | None, _Page | None]]:
    """Pages that belong together: equal ones first; between them in order, where they are alike."""
    out: list[tuple[_Page | None, _Page | None]] = []
    matcher = difflib.SequenceMatcher(None, [p.text for p in before], [p.text for p in after], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            out += zip(before[a:b], after[c:d], strict=True)
        else:
            out += _pair_pages(before[a:b], after[c:d])
    return out


def _pair_pages(before: list[_Page], after: list[_Page]) -> list[tuple[_Page | None, _Page | None]]:
    if len(before) == len(after):
        return list(zip(before, after, strict=True))
    out: list[tuple[_Page | None, _Page | None]] = []
    rest = list(after)
    for page in before:
        scores = [_measure_likeness(page, other) for other in rest]
        best = max(range(len(scores)), key=scores.__getitem__) if scores else -1
        if best < 0 or scores[best] < 0.4:
            out.append((page, None))
            continue
        out += [(None, other) for other in rest[:best]]
        out.append((page, rest[best]))
        rest = rest[best + 1 :]
    return out + [(None, other) for other in rest]


def _measure_likeness(a: _Page, b: _Page) -> float:
    some, others = {word.text for word in a.words}, {word.text for word in b.words}
    return len(some & others) / max(len(some | others), 1)


def _compare_pair(
    first_document: Any, two: Any, a: _Page | None, b: _Page | None, look: str, left: int
) -> PagePair | None:
    if a is None or b is None:
        return PagePair(a.number if a else None, b.number if b else None)
    changes = [] if look == "visual" or a.has_same_text(b) else _find_changes(a, b)[: max(left, 0)]
    boxes: list[list[float]] = []
    size = ""
    if look != "text":
        first, second = first_document[a.number - 1], two[b.number - 1]
        if [round(v) for v in first.get_size()] != [round(v) for v in second.get_size()]:
            size = (
                " x ".join(f"{v:g}" for v in first.get_size())
                + " -> "
                + " x ".join(f"{v:g}" for v in second.get_size())
            )
        boxes = _find_visual_differences(render_image(first, _DPI, grey=True), render_image(second, _DPI, grey=True))
    if not (changes or boxes or size):
        return None
    return PagePair(a.number, b.number, changes, boxes, size)


def _find_changes(a: _Page, b: _Page) -> list[Change]:
    """The words that differ, in reading order, or in rows where fewer differ so: a gap may look like two columns."""
    ways = [_compare_words(a.words, b.words), _compare_words(a.rows, b.rows)]
    return min(ways, key=lambda changes: sum(len((change.before + " " + change.after).split()) for change in changes))


def _compare_words(before: list[Word], after: list[Word]) -> list[Change]:
    matcher = difflib.SequenceMatcher(None, [w.text for w in before], [w.text for w in after], autojunk=False)
    out = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            gone, new = before[i:j], after[k:m]
            name = {"replace": "replaced", "delete": "deleted", "insert": "added"}[kind]
            out.append(Change(name, _join_words(gone), _join_words(new), _line_boxes(gone), _line_boxes(new)))
    return out


def _join_words(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _line_boxes(words: list[Word]) -> list[list[float]]:
    boxes: list[list[float]] = []
    for word in words:
        box = round_box(word.box)
        if boxes and abs(boxes[-1][1] - box[1]) < 2 and box[0] >= boxes[-1][0]:
            boxes[-1] = [boxes[-1][0], min(boxes[-1][1], box[1]), max(boxes[-1][2], box[2]), max(boxes[-1][3], box[3])]
        else:
            boxes.append(box)
    return boxes


def _find_visual_differences(a: Any, b: Any) -> list[list[float]]:
    """Boxes around what differs, in points; tiles that touch are one box."""
    import PIL.Image
    import PIL.ImageChops
    import PIL.ImageFilter

    size = (max(a.width, b.width), max(a.height, b.height))
    canvases = []
    for image in (a, b):
        canvas = PIL.Image.new("L", size, 255)
        canvas.paste(image, (0, 0))
        canvases.append(canvas)
    difference = PIL.ImageChops.difference(*canvases).point(lambda value: 255 if value > _THRESHOLD else 0)
    if not difference.getbbox():
        return []
    grid = (-(-size[0] // _TILE), -(-size[1] // _TILE))
    padded = PIL.Image.new("L", (grid[0] * _TILE, grid[1] * _TILE))
    padded.paste(difference, (0, 0))
    tiles = padded.reduce(_TILE)
    marked = {
        (at % grid[0], at // grid[0]) for at, value in enumerate(tiles.tobytes()) if value > 255 // (_TILE * _TILE)
    }
    return _cluster_tiles(marked)[:100]


def _cluster_tiles(marked: set[tuple[int, int]]) -> list[list[float]]:
    boxes = []
    while marked:
        waiting = [min(marked, key=lambda tile: (tile[1], tile[0]))]
        marked.discard(waiting[0])
        xs, ys = [], []
        while waiting:
            x, y = waiting.pop()
            xs.append(x)
            ys.append(y)
            near = {(x + dx, y + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-1, 0, 1)} & marked
            marked -= near
            waiting += near
        boxes.append([float(v * _TILE) for v in (min(xs), min(ys), max(xs) + 1, max(ys) + 1)])
    return boxes


def _draw_difference(first_document: Any, two: Any, pairs: list[PagePair]) -> Raster | None:
    """The first differing pair of pages side by side, what differs framed in red."""
    import PIL.Image
    import PIL.ImageDraw

    pair = next((page_pair for page_pair in pairs if page_pair.page_before and page_pair.page_after), None)
    if pair is None or pair.page_before is None or pair.page_after is None:
        return None
    images = []
    for document, number, side in ((first_document, pair.page_before, 0), (two, pair.page_after, 1)):
        image = render_image(document[number - 1], _DPI)
        draw = PIL.ImageDraw.Draw(image)
        worded = [box for change in pair.changes for box in (change.boxes_after if side else change.boxes_before)]
        for x0, y0, x1, y1 in worded or pair.visual_boxes:
            draw.rectangle((x0 - 2, y0 - 2, x1 + 2, y1 + 2), outline=(210, 0, 0), width=1)
        images.append(image)
    combined_image = PIL.Image.new(
        "RGB", (sum(image.width for image in images) + 10, max(image.height for image in images)), (120, 120, 120)
    )
    combined_image.paste(images[0], (0, 0))
    combined_image.paste(images[1], (images[0].width + 10, 0))
    buffer = io.BytesIO()
    combined_image.save(buffer, "PNG", compress_level=3)
    return Raster(
        pair.page_before, buffer.getvalue(), "image/png", combined_image.width, combined_image.height, _DPI, []
    )
