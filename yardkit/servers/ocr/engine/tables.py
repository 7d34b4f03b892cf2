"""Grids of cells: from drawn lines where there are any, else from the alignment of the words."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from yardkit.servers.ocr.engine.layout import Placed, PlacedWord, rows_of

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

_WORD_GAP = 1.1
_MIN_RULE_SHARE = 0.25
_MIN_RULE_PX = 40
_NUMBER = re.compile(r"^[^\w\s]{0,2}\s*[-+(]?[\d][\d.,' ]*\s*[)%]?\s*\S{0,4}$")


@dataclass(frozen=True)
class Grid:
    """Cells as lists of words, row by row, and the lines that belong to no cell."""

    cells: list[list[list[PlacedWord]]]
    outside: list[str]
    ruled: bool


def find_grid(lines: list[Placed], pixels: Pixels) -> Grid | None:
    """The table of a page, or none where nothing lines up."""
    return _ruled_grid(lines, pixels) or _aligned_grid(lines)


def looks_like_header(cells: list[list[str]]) -> bool:
    """The first row has words where the rows below have numbers."""
    if len(cells) < 2 or any(_NUMBER.match(cell) for cell in cells[0] if cell):
        return False
    below = [cell for row in cells[1:] for cell in row if cell]
    return any(_NUMBER.match(cell) for cell in below) or all(cells[0])


# Drawn lines ---------------------------------------------------------------------------------------------------------


def _ruled_grid(lines: list[Placed], pixels: Pixels) -> Grid | None:
    ys, xs = _find_rules(pixels, horizontal=True), _find_rules(pixels, horizontal=False)
    if len(ys) < 3 or len(xs) < 3:
        return None
    cells: list[list[list[PlacedWord]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    outside = []
    for line in lines:
        left_over = []
        for word in line.words:
            row, column = _find_slot(ys, _get_middle(word)[1]), _find_slot(xs, _get_middle(word)[0])
            if row is None or column is None:
                left_over.append(word.word.text)
            else:
                cells[row][column].append(word)
        if left_over:
            outside.append(" ".join(left_over))
    filled = sum(bool(cell) for row in cells for cell in row)
    return Grid(cells, outside, ruled=True) if filled >= 2 else None


def _get_middle(word: PlacedWord) -> tuple[float, float]:
    """The centre in the picture's own pixels: rules are found there, not in the levelled page."""
    return statistics.fmean(x for x, _ in word.word.quad), statistics.fmean(y for _, y in word.word.quad)


def _find_slot(edges: list[float], position: float) -> int | None:
    for index, (low, high) in enumerate(pairwise(edges)):
        if low <= position < high:
            return index
    return None


def _find_rules(pixels: Pixels, *, horizontal: bool) -> list[float]:
    """Positions of straight lines that run over a good part of the picture."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    ink = cv2.adaptiveThreshold(cv2.bitwise_not(grey), 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 15, -2)
    ink = ink if horizontal else np.ascontiguousarray(ink.T)
    length = max(_MIN_RULE_PX, ink.shape[1] // 20)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (length, 1))
    covered = cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel).sum(axis=1) / 255.0
    longest = float(covered.max()) if covered.size else 0.0
    marks = np.flatnonzero(covered >= max(_MIN_RULE_PX, _MIN_RULE_SHARE * longest))
    groups = np.split(marks, np.flatnonzero(np.diff(marks) > 4) + 1) if marks.size else []
    return [float(group.mean()) for group in groups]


# Aligned words -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Segment:
    """Words of a row without a wide gap between them."""

    words: list[PlacedWord]

    @property
    def left(self) -> float:
        return self.words[0].box.left

    @property
    def right(self) -> float:
        return max(word.box.right for word in self.words)


def _aligned_grid(lines: list[Placed]) -> Grid | None:
    rows = [_split_segments(row) for row in rows_of(lines)]
    tabular = [row for row in rows if len(row) > 1]
    if len(tabular) < 2:
        return None
    edges = _find_separators(tabular)
    if not edges:
        return None
    first, last = rows.index(tabular[0]), len(rows) - 1 - rows[::-1].index(tabular[-1])
    cells, outside = [], []
    for index, row in enumerate(rows):
        spans = any(segment.left < edge < segment.right for segment in row for edge in edges)
        if first <= index <= last and (len(row) > 1 or not spans):
            cells.append(_split_row(row, edges))
        else:
            outside.append(" ".join(word.word.text for segment in row for word in segment.words))
    return Grid(cells, outside, ruled=False)


def _split_segments(row: list[Placed]) -> list[_Segment]:
    words = sorted((word for line in row for word in line.words), key=lambda word: word.box.left)
    height = statistics.median(line.box.height for line in row)
    parts: list[list[PlacedWord]] = []
    for word in words:
        if parts and word.box.left - max(other.box.right for other in parts[-1]) <= _WORD_GAP * height:
            parts[-1].append(word)
        else:
            parts.append([word])
    return [_Segment(part) for part in parts]


def _find_separators(rows: list[list[_Segment]]) -> list[float]:
    """Middles of the vertical strips that no segment covers; a few long cells may reach over a strip."""
    segments = [segment for row in rows for segment in row]
    events = sorted({segment.left for segment in segments} | {segment.right for segment in segments})
    tolerated = max(0, len(rows) // 8)
    strips: list[tuple[float, float]] = []
    for low, high in pairwise(events):
        middle = (low + high) / 2
        if sum(segment.left < middle < segment.right for segment in segments) > tolerated:
            continue
        if strips and strips[-1][1] == low:
            strips[-1] = (strips[-1][0], high)
        else:
            strips.append((low, high))
    return [(low + high) / 2 for low, high in strips if low > events[0] and high < events[-1]]


def _split_row(row: list[_Segment], edges: list[float]) -> list[list[PlacedWord]]:
    cells: list[list[PlacedWord]] = [[] for _ in range(len(edges) + 1)]
    for segment in row:
        crossed = [edge for edge in edges if segment.left < edge < segment.right]
        for word in segment.words:
            position = word.box.x if crossed else (segment.left + segment.right) / 2
            cells[sum(edge < position for edge in edges)].append(word)
    return cells
