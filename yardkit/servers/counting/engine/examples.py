"""What looks like a framed example, at other sizes and turns, by normalised correlation.

Source: J. P. Lewis, "Fast normalized cross-correlation", 1995.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.boxes import best_boxes
from yardkit.models.embedded.running import check_region, load_rgb
from yardkit.world import Problem
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "cv2", "PIL.Image", "PIL.ImageOps")
LEAST_PX = 8
_TEMPLATE_PX = 26
"""The shorter side of the example where it is compared."""
_WORKING_PX = 600_000
_SIZES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.12, 1.25, 1.4, 1.6)
_DEGREES = 15
_NEAR_SIZE = (0.85, 1.2)
"""Sizes at which the example is turned, too."""
_SAME = 0.4
_BAND = 0.12
"""About the threshold: what scores here is doubtful."""
_LEAST_SPREAD = 4.0


@dataclass(frozen=True)
class Likeness:
    """A place that looks like the example.

    Attributes:
        box: [x_min, y_min, x_max, y_max] in pixels of the picture.
        score: correlation, at most 1.
    """

    box: Box
    score: float


@dataclass(frozen=True)
class Likenesses:
    """What looks like the example, best first.

    Attributes:
        matches: places with at least the required score.
        doubtful: how many places score near it.
        size: of the picture.
    """

    matches: list[Likeness]
    doubtful: int
    size: tuple[int, int]


def find_look_alikes(
    path: Path, example: tuple[int, int, int, int], region: tuple[int, int, int, int] | None, least: float
) -> Likenesses:
    """Places of a picture that look like a part of it. To be called in `run_apart`.

    Args:
        path: of the picture.
        example: box of one thing in pixels.
        region: where it is looked for.
        least: correlation from which a place counts.

    Raises:
        Problem: the example is outside the picture, too small or of one colour.
    """
    import cv2
    import numpy as np

    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    left, top, right, bottom = check_region(example, width, height)
    sides = (right - left, bottom - top)
    if min(sides) < LEAST_PX:
        raise Problem(
            f"the example {list(example)} is {sides[0]} x {sides[1]} px; it must be at least {LEAST_PX} x {LEAST_PX}"
        )
    if pixels[top:bottom, left:right].std(axis=(0, 1)).max() < _LEAST_SPREAD:
        raise Problem(f"the example {list(example)} has only one colour; include a little of its surroundings")
    x, y, end, low = check_region(region, width, height)
    factor = min(1.0, max(_TEMPLATE_PX / min(sides), 0.05), (_WORKING_PX / ((end - x) * (low - y))) ** 0.5)
    small = np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)
    template = _crop_part(small, (left, top, right, bottom), factor)
    places = _find_matches(_crop_part(small, (x, y, end, low), factor), template, least - _BAND)
    similar_boxes = [
        Likeness(_unscale_box(box, factor, (x, y)), round(min(1.0, score), 3))
        for box, score in places
        if score >= least
    ]
    doubtful = sum(abs(score - least) < _BAND for _, score in places)
    return Likenesses(similar_boxes, doubtful, (width, height))


def _crop_part(pixels: "NDArray[np.float32]", box: tuple[int, int, int, int], factor: float) -> "NDArray[np.float32]":
    left, top, right, bottom = (round(edge * factor) for edge in box)
    return pixels[top : max(bottom, top + 1), left : max(right, left + 1)]


def _unscale_box(box: "NDArray[np.float32]", factor: float, corner: tuple[int, int]) -> Box:
    x_min, y_min, x_max, y_max = (round(float(edge) / factor + corner[axis % 2], 1) for axis, edge in enumerate(box))
    return x_min, y_min, x_max, y_max


def _find_matches(
    pixels: "NDArray[np.float32]", template: "NDArray[np.float32]", least: float
) -> "list[tuple[NDArray[np.float32], float]]":
    """Boxes that correlate with the template at some size and turn, one for each place, best first."""
    import cv2
    import numpy as np

    boxes: list[list[float]] = []
    scores: list[float] = []
    for turned, mask in _make_variants(template):
        tall, wide = turned.shape[:2]
        if tall > pixels.shape[0] or wide > pixels.shape[1]:
            continue
        map_ = cv2.matchTemplate(pixels, turned, cv2.TM_CCOEFF_NORMED, mask=mask)
        map_[~np.isfinite(map_) | (map_ > 1.001)] = 0
        peaks = (map_ >= least) & (map_ == cv2.dilate(map_, np.ones((5, 5))))
        for row, column in zip(*np.nonzero(peaks), strict=True):
            boxes.append([column, row, column + wide, row + tall])
            scores.append(float(map_[row, column]))
    if not boxes:
        return []
    array, values = np.array(boxes, np.float32), np.array(scores)
    return [(array[place], scores[place]) for place in best_boxes(array, values, _SAME, of_smaller=True)]


def _make_variants(template: "NDArray[np.float32]") -> "list[tuple[NDArray[np.float32], NDArray[np.float32]]]":
    """The template with its mask, at each size upright and, at sizes near its own, turned."""
    import cv2

    variants = []
    for size in _SIZES:
        resized = cv2.resize(
            template, None, fx=size, fy=size, interpolation=cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
        )
        turns = range(0, 360, _DEGREES) if _NEAR_SIZE[0] < size < _NEAR_SIZE[1] else (0,)
        variants += [_turn_template(resized, degrees) for degrees in turns]
    return variants


def _turn_template(template: "NDArray[np.float32]", degrees: int) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
    import cv2
    import numpy as np

    height, width = template.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (round(width * cos + height * sin), round(width * sin + height * cos))
    matrix[:, 2] += size[0] / 2 - width / 2, size[1] / 2 - height / 2
    turned = cv2.warpAffine(template, matrix, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpAffine(np.ones((height, width), np.float32), matrix, size, flags=cv2.INTER_NEAREST)
    return np.asarray(turned, np.float32), np.repeat(mask[..., None], 3, axis=2)
