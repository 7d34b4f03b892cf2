"""The colours at a place of a picture, by hue, so that a tint of a colour counts like the colour itself."""

from typing import Any

from yardkit.evaluators.readers.pages.covers import cut_out

_HUE, _STRENGTH = 14.0, 0.16
"""How many degrees a hue may be off, and from which saturation on a colour has one."""
_SIDE_PX = 8
"""How far from its outermost pixel the side of a frame may run."""


def rgb_of(code: str) -> tuple[int, int, int]:
    """Parse red, green and blue of a code such as ``#2F7FD1``."""
    value = int(code.lstrip("#"), 16)
    return value >> 16, value >> 8 & 255, value & 255


def measure_tint(picture: Any, box: Any, code: str) -> float:
    """Measure the share of a box of a picture that has the hue of a colour, strong or pale."""
    import numpy as np

    hues, strengths = _compute_hues(cut_out(picture, box, (0, 0, picture.shape[1], picture.shape[0])))
    sought_hue, _ = _compute_hues(np.array([[rgb_of(code)]], np.uint8))
    off = np.abs((hues - sought_hue[0, 0] + 180) % 360 - 180)
    return float(((off <= _HUE) & (strengths >= _STRENGTH)).mean())


def measure_color(picture: Any, box: Any) -> float:
    """Measure the share of a box of a picture that has any hue."""
    return float(
        (_compute_hues(cut_out(picture, box, (0, 0, picture.shape[1], picture.shape[0])))[1] >= _STRENGTH).mean()
    )


def find_color_patches(picture: Any, code: str, levels: int = 36) -> list[tuple[float, float, float, float]]:
    """Find the boxes of patches in a full colour, largest first."""
    import cv2
    import numpy as np

    off = np.abs(picture.astype(np.int16) - np.array(rgb_of(code), np.int16)).max(axis=2)
    _, _, component_stats, _ = cv2.connectedComponentsWithStats((off <= levels).astype(np.uint8))
    ordered = sorted(component_stats[1:].tolist(), key=lambda piece: -piece[4])
    return [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, area in ordered if area >= 0.6 * w * h]


def find_frame(picture: Any, within: Any, redder: int) -> tuple[tuple[float, float, float, float], float]:
    """Find the box around all red pixels in a box of a picture, and the smallest share of red along its sides.

    A pixel is red if its red is this many levels above its green and its blue. Without red pixels: an empty box, and 0.
    """
    import numpy as np

    x, y, _, _ = (round(side) for side in within)
    part = cut_out(picture, within, (0, 0, picture.shape[1], picture.shape[0])).astype(np.int16)
    red = part[:, :, 0] - part[:, :, 1:].max(axis=2) > redder
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    if not len(rows):
        return (0.0, 0.0, 0.0, 0.0), 0.0
    left, top, right, bottom = (int(side) for side in (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    frame, side = red[top:bottom, left:right], _SIDE_PX
    sides = (frame[:side].any(0), frame[-side:].any(0), frame[:, :side].any(1), frame[:, -side:].any(1))
    return (x + left, y + top, x + right, y + bottom), min(float(side.mean()) for side in sides)


def _compute_hues(pixels: Any) -> tuple[Any, Any]:
    """Compute hue in degrees and saturation from 0 to 1 of each pixel."""
    import cv2
    import numpy as np

    hsv = cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_RGB2HSV)
    return hsv[:, :, 0], hsv[:, :, 1]
