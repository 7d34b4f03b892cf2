"""Red boxes drawn on a picture: rectangles with a red outline, tinted inside or not."""

from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.readers.pages.covers import measure_difference

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
_RED, _OTHER, _CHANGED = 165, 115, 40
"""Red from this level on, green and blue up to that one are the colour of the line; what a drawn place differs by."""
_SMALLEST_PX, _FILLS = 10, 0.9
"""How wide and high the inside of a box is at least, and which part of its own bounds it fills."""


@dataclass(frozen=True)
class RedBox:
    """A box: the area that it encloses, and the extent of its line and of a label that touches it."""

    inside: Box
    outside: Box


def find_red_boxes(before: Any, after: Any) -> list[RedBox]:
    """Find the new boxes of a picture, RGB, compared with one of the same size, from top to bottom."""
    import cv2
    import numpy as np

    red = (after[:, :, 0] >= _RED) & (after[:, :, 1:].max(axis=2) <= _OTHER)
    drawn = (red & (measure_difference(before, after) > _CHANGED)).astype(np.uint8)
    _, pieces, bounds, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    holes, family = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    red_boxes = []
    for hole, (_, _, _, parent) in zip(holes, [] if family is None else family[0], strict=True):
        x, y, wide, high = cv2.boundingRect(hole)
        if parent < 0 or min(wide, high) < _SMALLEST_PX or cv2.contourArea(hole) < _FILLS * (wide - 1) * (high - 1):
            continue
        line = bounds[pieces[hole[0][0][1], hole[0][0][0]]]
        left, top, across, down = (float(side) for side in line[:4])
        red_boxes.append(RedBox((x, y, x + wide, y + high), (left, top, left + across, top + down)))
    return sorted(red_boxes, key=lambda box: (box.inside[1], box.inside[0]))
