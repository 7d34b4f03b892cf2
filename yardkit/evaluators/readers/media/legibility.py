"""Whether people can read the text on a picture: its contrast to the background and the height of its letters."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

from yardkit.evaluators.readers.media.writing import Box, Line, normalize_text

_LIKE, _OF_IT = 0.88, 0.7


def lines_of(lines: Iterable[Line], text: str) -> list[Line]:
    """Find the lines of a text, in order and broken anywhere; none if the text is incomplete.

    A recogniser may confuse letters, but each number must be right.
    """
    normalized = normalize_text(text)
    near = [
        line for line in lines if line.text and _count_shared(line.text, normalized) >= max(1, _OF_IT * len(line.text))
    ]
    runs = [near[start:end] for start in range(len(near)) for end in range(start + 1, len(near) + 1)]
    best = max(runs, key=lambda run: _measure_likeness(run, normalized), default=[])
    return (
        best
        if best
        and _measure_likeness(best, normalized) >= _LIKE
        and _strip_to_digits(_join_lines(best)) == _strip_to_digits(normalized)
        else []
    )


def _measure_likeness(run: list[Line], expected_text: str) -> float:
    return SequenceMatcher(None, expected_text, _join_lines(run), autojunk=False).ratio()


def _join_lines(run: list[Line]) -> str:
    return "".join(line.text for line in run)


def _strip_to_digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def _count_shared(line: str, expected_text: str) -> int:
    blocks = SequenceMatcher(None, line, expected_text, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1 or len(line) < 3)


def compute_luminances(picture: Any) -> Any:
    """Compute the relative luminance, 0 to 1, of each pixel of an array (..., 3) in sRGB (WCAG 2.2)."""
    import numpy as np

    parts = np.asarray(picture, np.float64) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def compute_contrast(first: float, other: float) -> float:
    """Compute the contrast ratio of two luminances, 1 to 21 (WCAG 2.2)."""
    return float((max(first, other) + 0.05) / (min(first, other) + 0.05))


def least_contrast(picture: Any, words: Iterable[Box]) -> float:
    """Find the lowest contrast of ink and background among parts of words about one letter wide; 21 without words."""
    import numpy as np

    weakest = 21.0
    for left, top, right, bottom in words:
        part = compute_luminances(picture[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)])
        if part.size == 0:
            continue
        step = max(4, round(1.2 * part.shape[0]))
        for start in range(0, max(1, part.shape[1] - step // 2), step):
            seen = part[:, start : start + step]
            weakest = min(weakest, compute_contrast(*(float(np.percentile(seen, share)) for share in (4, 96))))
    return weakest


def ink_contrast(picture: Any, box: Box) -> float:
    """Compute the contrast of thin signs to the background, which fills most of a box; either may be darker."""
    import numpy as np

    left, top, right, bottom = (max(0, round(side)) for side in box)
    seen = compute_luminances(picture[top:bottom, left:right])
    ground = float(np.median(seen))
    return max(compute_contrast(float(np.percentile(seen, share)), ground) for share in (2, 98))


def capital_height(picture: Any, lines: Iterable[Line]) -> float:
    """Measure the median height, in pixels, of the first letters of words with a capital or digit; 0 without any."""
    import numpy as np

    heights = [
        height
        for line in lines
        for word, box in line.words
        if word[:1].isupper() or word[:1].isdigit()
        for height in _first_letter(picture, box)
    ]
    return float(np.median(heights)) if heights else 0.0


def _first_letter(picture: Any, box: Box) -> list[float]:
    """Measure the height of the first letter in the box of a word."""
    pieces = _find_letter_boxes(picture, box)
    return [float(pieces[0][3] - pieces[0][1])] if pieces else []


def ink_box(picture: Any, line: Line) -> Box:
    """Find the tight box around the letters of a line, since a recogniser's box is larger."""
    pieces = _find_letter_boxes(picture, line.box)
    if not pieces:
        return line.box
    sides = list(zip(*pieces, strict=True))
    return min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])


def _find_letter_boxes(picture: Any, box: Box) -> list[Box]:
    """Find the boxes of letters, from left to right: connected pixels that differ from the edge of the box."""
    import cv2
    import numpy as np

    left, top, right, bottom = (max(0, round(side)) for side in box)
    left, top = max(0, left - 3), max(0, top - 3)
    part = np.ascontiguousarray(picture[top : bottom + 3, left : right + 3])
    if min(part.shape[:2]) < 6:
        return []
    grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    _, light = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    edge = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]])
    ink = 255 - light if (edge > 0).mean() > 0.5 else light
    _, _, component_stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    high, wide = part.shape[:2]
    letters = [
        piece for piece in component_stats[1:] if piece[3] >= 0.35 * high and piece[2] < max(0.6 * wide, 1.5 * high)
    ]
    return sorted(
        (float(left + x), float(top + y), float(left + x + w), float(top + y + h)) for x, y, w, h, _ in letters
    )
