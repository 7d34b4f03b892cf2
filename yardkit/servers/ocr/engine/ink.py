"""Ink in a line that none of its words covers: words of another script that the model passed over."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from yardkit.servers.ocr.backends import Line, Quad, measure_side

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

# In heights of the line, which is somewhat higher than its capitals.
_MIN_LETTER = 0.35
_MAX_LETTER_WIDTH = 3.0
_MAX_GAP = 0.8
_MIN_STRETCH = 1.2
_MIN_HEIGHT_PX = 8
_COVERED = 0.3

_Span = tuple[float, float]


def passed_over(pixels: Pixels, line: Line) -> list[Quad]:
    """Stretches of letters in `line` that belong to none of its words."""
    import cv2
    import numpy as np

    width, height = round(measure_side(line.quad, 0, 1)), round(measure_side(line.quad, 0, 3))
    if height < _MIN_HEIGHT_PX or width < 2 * height:
        return []
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    level = cv2.getPerspectiveTransform(np.array(line.quad, np.float32), corners)
    words = [cv2.perspectiveTransform(np.array([word.quad], np.float32), level)[0, :, 0] for word in line.words]
    letters = _find_letters(cv2.warpPerspective(pixels, level, (width, height)), height)
    missed = [span for span in letters if not _is_covered(span, [(min(xs), max(xs)) for xs in words])]
    back = np.linalg.inv(level)
    return [_to_quad(back, left, right, height) for left, right in _join_letters(missed, height)]


def _find_letters(strip: Any, height: int) -> list[_Span]:
    """From where to where the connected pieces of ink reach that are as high as letters."""
    import cv2

    _, ink = cv2.threshold(cv2.cvtColor(strip, cv2.COLOR_RGB2GRAY), 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = ink if ink.mean() < 0.5 else 1 - ink
    _, _, pieces, _ = cv2.connectedComponentsWithStats(ink)
    return sorted(
        (float(left), float(left + across))
        for left, _, across, down, _ in pieces[1:]
        if _MIN_LETTER * height <= down < height and across <= _MAX_LETTER_WIDTH * height
    )


def _is_covered(span: _Span, words: list[_Span]) -> bool:
    left, right = span
    return any(min(right, end) - max(left, start) > _COVERED * (right - left) for start, end in words)


def _join_letters(letters: list[_Span], height: int) -> list[_Span]:
    """Runs of at least two letters."""
    runs: list[list[_Span]] = []
    for letter in letters:
        if runs and letter[0] - runs[-1][-1][1] <= _MAX_GAP * height:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    spans = [(run[0][0], max(itertools.chain.from_iterable(run))) for run in runs if len(run) > 1]
    return [(left, right) for left, right in spans if right - left >= _MIN_STRETCH * height]


def _to_quad(back: Any, left: float, right: float, height: int) -> Quad:
    import cv2
    import numpy as np

    corners = np.array([[(left, 0), (right, 0), (right, height), (left, height)]], np.float32)
    a, b, c, d = ((float(x), float(y)) for x, y in cv2.perspectiveTransform(corners, back)[0])
    return a, b, c, d
