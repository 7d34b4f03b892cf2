"""The part of a frame that another frame shows, found by fine detail at any size."""

from dataclasses import dataclass
from typing import Any

_DETAIL = 3.0
"""What is kept: all that a blur of so many pixels takes away."""
_NEARER, _BETTER = (0.98, 0.985, 0.99, 0.995, 1.005, 1.01, 1.015), 0.004
"""What is tried around the best size, and by how much another place must be more alike."""
SCALES: tuple[float, ...] = (1.0, 0.97, 0.94, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5)
"""How large a part may be, of the largest one with its proportions."""


@dataclass(frozen=True)
class Crop:
    """A part of a frame, in pixels of the frame, and its similarity (1: the same)."""

    left: float
    top: float
    right: float
    bottom: float
    likeness: float

    def scale(self, factor: float) -> "Crop":
        """Scale the crop to a frame that is larger by a factor."""
        left, top, right, bottom = (side * factor for side in (self.left, self.top, self.right, self.bottom))
        return Crop(left, top, right, bottom, self.likeness)


def find_crop(part: Any, full_frame: Any, scales: tuple[float, ...] = SCALES) -> Crop:
    """Find the place of an undistorted part of a frame.

    Args:
        part: grey, uint8 (height, width), of any size.
        full_frame: the frame, in the same form.
        scales: the sizes to try, relative to the largest part with these proportions.
    """
    best, scale = Crop(0, 0, full_frame.shape[1], full_frame.shape[0], 0.0), 1.0
    for tried in (scales, _NEARER):
        for factor in [value * (scale if tried is _NEARER else 1.0) for value in tried]:
            best_crop = _best_at(part, full_frame, min(1.0, factor))
            if best.likeness + _BETTER < best_crop.likeness <= 1.001:
                best, scale = best_crop, min(1.0, factor)
    return best


def _best_at(part: Any, full_frame: Any, scale: float) -> Crop:
    """Find the most similar place of a part with one size."""
    import cv2
    import numpy as np

    rows, columns = full_frame.shape
    fit = min(rows / part.shape[0], columns / part.shape[1]) * scale
    size = (max(4, round(part.shape[1] * fit)), max(4, round(part.shape[0] * fit)))
    small = _find_detail(cv2.resize(part, size, interpolation=cv2.INTER_AREA))
    _, score, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(_find_detail(full_frame), small, cv2.TM_CCOEFF_NORMED))
    return Crop(left, top, left + size[0], top + size[1], float(score) if np.isfinite(score) else 0.0)


def _find_detail(picture: Any) -> Any:
    import cv2
    import numpy as np

    fine = picture.astype(np.float32)
    return fine - cv2.GaussianBlur(fine, (0, 0), _DETAIL)
