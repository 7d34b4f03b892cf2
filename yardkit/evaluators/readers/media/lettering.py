"""Light letters set into a frame of a film, found by comparison with the frame without them."""

from dataclasses import dataclass
from typing import Any

_CHANGED, _LIGHT = 60, 150
_CORE = 0.35
"""Rows with this part of the letters of the fullest row of a line are its core: the height of an x."""
_LOWEST_PX, _NARROWEST_PX = 6, 12


@dataclass(frozen=True)
class Lettering:
    """Letters in a frame, in pixels.

    Attributes:
        box: the box around all of them: left, top, right, bottom.
        lines: the width of each line, from the top.
        core_px: the height of an x, as the median of the lines.
    """

    box: tuple[int, int, int, int]
    lines: tuple[int, ...]
    core_px: float


def find_lettering(before: Any, after: Any, top: float = 0.5) -> Lettering | None:
    """Find the new light letters of a frame, on any background; None if there are none.

    Args:
        before: the frame without them, uint8 (height, width, 3), in any size with the same proportions.
        after: the frame.
        top: the share of the height above which letters are ignored.
    """
    import cv2
    import numpy as np

    high, wide = after.shape[:2]
    before = cv2.resize(before, (wide, high), interpolation=cv2.INTER_AREA)
    start = round(high * top)
    first, other = (cv2.GaussianBlur(frame[start:], (0, 0), 0.8).astype(np.int16) for frame in (before, after))
    changed = (np.abs(first - other).max(axis=2) > _CHANGED).astype(np.uint8)
    region = _without_slivers(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 9), np.uint8)))
    letters = region & (after[start:].min(axis=2) > _LIGHT)
    rows = letters.sum(axis=1)
    if rows.max(initial=0) < _NARROWEST_PX:
        return None
    lines = [(first, end) for first, end in _find_runs(rows > 1) if end - first >= _LOWEST_PX]
    if not lines:
        return None
    widths = [int(np.ptp(np.flatnonzero(letters[first:end].any(axis=0)))) + 1 for first, end in lines]
    cores = [int((rows[first:end] > _CORE * rows[first:end].max()).sum()) for first, end in lines]
    columns, filled = np.flatnonzero(letters.any(axis=0)), np.flatnonzero(rows)
    box = (int(columns[0]), start + int(filled[0]), int(columns[-1]) + 1, start + int(filled[-1]) + 1)
    return Lettering(box, tuple(widths), float(np.median(cores)))


def _without_slivers(region: Any) -> Any:
    """Remove parts that are narrower than a word, such as edges of objects that moved by a pixel."""
    import cv2
    import numpy as np

    _, labels, stats, _ = cv2.connectedComponentsWithStats(region)
    wide = stats[:, cv2.CC_STAT_WIDTH] >= _NARROWEST_PX
    wide[0] = False
    return wide[labels] if np.any(wide) else np.zeros(region.shape, bool)


def _find_runs(flags: Any) -> list[tuple[int, int]]:
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
