"""Reading order: rows of text, read column by column where a page has columns."""

from __future__ import annotations

import math
import statistics
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from yardkit.servers.ocr.backends import Line, Quad, Word

_MIN_COLUMN_LINES = 3
_MIN_COLUMN_WIDTH = 5.0
_MIN_GUTTER = 0.8
_MAX_SPANNING = 0.25


@dataclass(frozen=True)
class Box:
    """Upright box in the deskewed page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class PlacedWord:
    word: Word
    box: Box


@dataclass(frozen=True)
class Placed:
    """A line with its deskewed box and those of its words."""

    line: Line
    box: Box
    words: tuple[PlacedWord, ...]


def median_angle(lines: list[Line]) -> float:
    """The slope of the text in radians, clockwise positive, by the median of the lines' upper edges."""
    angles = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in ((line.quad[0], line.quad[1]) for line in lines)]
    return statistics.median(angles) if angles else 0.0


def level_lines(lines: list[Line]) -> list[Placed]:
    """The lines with boxes in a page whose text runs level."""
    angle = median_angle(lines)
    placed = []
    for line in lines:
        words = tuple(PlacedWord(word, _level_quad(word.quad, angle)) for word in line.words)
        placed.append(Placed(line, _level_quad(line.quad, angle), words))
    return placed


def _level_quad(quad: Quad, angle: float) -> Box:
    cos, sin = math.cos(-angle), math.sin(-angle)
    xs = [x * cos - y * sin for x, y in quad]
    ys = [x * sin + y * cos for x, y in quad]
    return Box(min(xs), min(ys), max(xs), max(ys))


def reading_rows(lines: list[Placed]) -> list[list[Placed]]:
    """Rows from top to bottom, each from left to right; the left column before the right one.

    Lines across the gutter (headings, wide paragraphs) end the columns above them; where columns flow around them
    (quotations, captions) they come after both.
    """
    gutter = _find_gutter([piece for line in lines for piece in _split_at_gaps(line)])
    if gutter is None:
        return rows_of(lines)
    lines = [part for line in lines for part in _split_at_gutter(line, gutter)]
    across = [line for line in lines if line.box.left < gutter < line.box.right]
    rest = [line for line in lines if line not in across]
    inset = [line for line in across if any(_is_beside(line.box, other.box) for other in rest)]
    rows: list[list[Placed]] = []
    for heading in [*sorted((line for line in across if line not in inset), key=lambda line: line.box.y), None]:
        above = [line for line in (*rest, *inset) if heading is None or line.box.y < heading.box.y]
        rest = [line for line in rest if line not in above]
        columns = [line for line in above if line not in inset]
        rows += reading_rows([line for line in columns if line.box.right <= gutter])
        rows += reading_rows([line for line in columns if line.box.left >= gutter])
        rows += rows_of([line for line in above if line in inset])
        inset = [line for line in inset if line not in above]
        rows += [[heading]] if heading else []
    return rows


def _split_at_gaps(line: Placed) -> list[Placed]:
    """The line, parted at its wide gaps: recognisers join the lines of narrow columns."""
    reach = _MIN_GUTTER * line.box.height
    breaks = [
        index
        for index, (before, after) in enumerate(pairwise(line.words), start=1)
        if after.box.left - before.box.right >= reach
    ]
    return [_build_piece(line.words[start:end]) for start, end in pairwise([0, *breaks, None])] if breaks else [line]


def _split_at_gutter(line: Placed, gutter: float) -> list[Placed]:
    pieces = _split_at_gaps(line)
    if any(piece.box.left < gutter < piece.box.right for piece in pieces):
        return [line]
    sides = [tuple(word for word in line.words if (word.box.x < gutter) == before) for before in (True, False)]
    return [_build_piece(words) for words in sides] if all(sides) else [line]


def _build_piece(words: tuple[PlacedWord, ...]) -> Placed:
    quads = [word.word.quad for word in words]
    quad = (quads[0][0], quads[-1][1], quads[-1][2], quads[0][3])
    boxes = [word.box for word in words]
    box = Box(min(part.left for part in boxes), _get_top(boxes), max(part.right for part in boxes), _get_bottom(boxes))
    confidence = statistics.fmean(word.word.confidence for word in words)
    return Placed(Line(_join_words(words), confidence, quad, tuple(word.word for word in words)), box, words)


def _join_words(words: tuple[PlacedWord, ...]) -> str:
    """With spaces, but not between Chinese or Japanese characters, which are words of their own."""
    texts = [word.word.text for word in words]
    glue = [
        "" if _is_full_width(before[-1:]) and _is_full_width(after[:1]) else " " for before, after in pairwise(texts)
    ]
    return "".join(text + space for text, space in zip(texts, [*glue, ""], strict=True))


def _is_full_width(letter: str) -> bool:
    return bool(letter) and unicodedata.east_asian_width(letter) in "WF"


def _is_beside(box: Box, other: Box) -> bool:
    return other.top <= box.y <= other.bottom


def rows_of(lines: list[Placed]) -> list[list[Placed]]:
    """Lines that stand side by side, by the height of their centres."""
    rows: list[list[Placed]] = []
    for line in sorted(lines, key=lambda line: line.box.y):
        last = rows[-1] if rows else []
        centre = statistics.fmean(other.box.y for other in last) if last else -math.inf
        reach = 0.5 * min([line.box.height, *(other.box.height for other in last)])
        if last and line.box.y - centre <= reach:
            last.append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box.left) for row in rows]


def _find_gutter(lines: list[Placed]) -> float | None:
    """The x of the vertical gap that parts the page into two columns of running text."""
    if len(lines) < 2 * _MIN_COLUMN_LINES:
        return None
    height = statistics.median(line.box.height for line in lines)
    neighbours = {
        id(line): [other.box for other in lines if other is not line and _is_beside(line.box, other.box)]
        for line in lines
    }
    gaps = [_gap_after(lines, edge, height, neighbours) for edge in sorted({line.box.right for line in lines})]
    # Lines beside a picture are short: the gap that the fewest lines cross parts the columns, not the widest one.
    return min((gap for gap in gaps if gap), key=lambda gap: (gap.crossed, -gap.width), default=_NO_GAP).middle


@dataclass(frozen=True)
class _Gap:
    """A vertical gap: how many lines cross it that have others beside them, its width, its middle."""

    crossed: int
    width: float
    middle: float | None


_NO_GAP = _Gap(0, 0.0, None)


def _gap_after(lines: list[Placed], edge: float, height: float, neighbours: dict[int, list[Box]]) -> _Gap | None:
    """The gap that begins at `edge`, if what stands on both sides looks like columns."""
    left = [line.box for line in lines if line.box.right <= edge]
    right = [line.box for line in lines if line.box.left > edge]
    if min(len(left), len(right)) < _MIN_COLUMN_LINES:
        return None
    top, bottom = max(_get_top(left), _get_top(right)), min(_get_bottom(left), _get_bottom(right))
    crossed = sum(
        line.box.left <= edge < line.box.right and any(not box.left <= edge < box.right for box in neighbours[id(line)])
        for line in lines
    )
    gap = min(box.left for box in right) - edge
    wide = all(statistics.median(box.width for box in side) >= _MIN_COLUMN_WIDTH * height for side in (left, right))
    shorter = min(_get_bottom(left) - _get_top(left), _get_bottom(right) - _get_top(right))
    if crossed > _MAX_SPANNING * len(lines) or gap < _MIN_GUTTER * height or not wide or bottom - top < 0.5 * shorter:
        return None
    return _Gap(crossed, gap, edge + gap / 2)


def _get_top(boxes: list[Box]) -> float:
    return min(box.top for box in boxes)


def _get_bottom(boxes: list[Box]) -> float:
    return max(box.bottom for box in boxes)
