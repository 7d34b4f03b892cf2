"""Masks from pixels alone: what a box or a point holds, against what is around it. To be called in `run_apart`.

Source: C. Rother, V. Kolmogorov, A. Blake, "GrabCut", 2004, as OpenCV does it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.person_mask import is_sure, person_mask
from yardkit.models.embedded.running import check_region, load_rgb
from yardkit.world import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "cv2", "PIL.Image", "PIL.ImageOps", "onnxruntime")
_WORKING_PX = 200_000
_ROUNDS = 5
_MARGIN = 0.25
"""Around a box, in its sides, that is seen as ground."""
_FLOOD_TOLERANCE = 10
"""Steps of 255 in which neighbours of a flood differ."""
_LEAST_BOX = 6
_SPECK = 0.01
_ALL = 0.97


def mask_in_box(path: Path, box: Part) -> "NDArray[np.float32]":
    """What stands in a box, (height, width) of the picture in [0, 1]: GrabCut from what is just outside of it.

    Raises:
        Problem: the box is outside the picture, too small, or nothing in it differs from what is around it.
    """
    import cv2
    import numpy as np

    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    left, top, right, bottom = check_region(box, width, height)
    if min(right - left, bottom - top) < _LEAST_BOX:
        raise Problem(
            f"the box {list(box)} is {right - left} x {bottom - top} px; it must be at least {_LEAST_BOX} "
            f"x {_LEAST_BOX}"
        )
    across, down = int(_MARGIN * (right - left)) + 8, int(_MARGIN * (bottom - top)) + 8
    x, y, end, low = max(0, left - across), max(0, top - down), min(width, right + across), min(height, bottom + down)
    part = pixels[y:low, x:end]
    inner = np.full(part.shape[:2], cv2.GC_BGD, np.uint8)
    inner[top - y : bottom - y, left - x : right - x] = cv2.GC_PR_FGD
    if not (inner == cv2.GC_BGD).any():
        raise Problem(
            f"the box {list(box)} leaves no background around it to compare with; draw it closer to the object"
        )
    box_mask = np.zeros((height, width), np.float32)
    box_mask[y:low, x:end] = _clean_mask(_cut_mask(part, inner))
    if not box_mask.any():
        raise Problem(
            f"nothing in the box {list(box)} differs from its surroundings; give a point on the object instead"
        )
    return box_mask


def _cut_mask(pixels: "NDArray[np.uint8]", marks: "NDArray[np.uint8]") -> "NDArray[np.bool_]":
    """GrabCut at working size, with its edge drawn at full size."""
    import cv2
    import numpy as np

    factor = min(1.0, (_WORKING_PX / marks.size) ** 0.5)
    small = cv2.resize(pixels[..., ::-1], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    seeds = cv2.resize(marks, small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    try:
        cv2.grabCut(np.ascontiguousarray(small), seeds, None, *models, _ROUNDS, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # one of the two sides is empty
        return np.zeros(marks.shape, bool)
    inside = np.isin(seeds, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.float32)
    if factor < 1:
        inside = np.asarray(cv2.resize(inside, marks.shape[::-1], interpolation=cv2.INTER_CUBIC))
    return _refine_edge(pixels, inside > 0.5, round(1 + 1 / factor))


def _refine_edge(pixels: "NDArray[np.uint8]", mask: "NDArray[np.bool_]", reach: int) -> "NDArray[np.bool_]":
    """A mask whose edge, as wide as `reach`, goes to that side whose colours nearby are more alike."""
    import cv2
    import numpy as np

    kernel = np.ones((2 * reach + 1,) * 2, np.uint8)
    byte_mask = mask.astype(np.uint8)
    inner, outer = cv2.erode(byte_mask, kernel, borderValue=1), 1 - cv2.dilate(byte_mask, kernel, borderValue=0)
    away = []
    for side in (inner, outer):
        share = cv2.boxFilter(side.astype(np.float32), -1, (8 * reach + 1,) * 2)
        near = cv2.boxFilter(pixels * side[..., None].astype(np.float32), -1, (8 * reach + 1,) * 2)
        colour = near / np.maximum(share, 1e-6)[..., None]
        away.append(np.where(share > 0, np.linalg.norm(pixels - colour, axis=2), np.inf))
    band = (inner == 0) & (outer == 0) & np.isfinite(away[0] + away[1])
    return np.asarray(np.where(band, away[0] < away[1], mask), bool)


def _clean_mask(mask: "NDArray[np.bool_]") -> "NDArray[np.float32]":
    """A mask without its specks, and with its pinholes filled."""
    import cv2
    import numpy as np

    byte_mask = mask.astype(np.uint8)
    for value in (1, 0):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            (byte_mask == value).astype(np.uint8), connectivity=4
        )
        areas = stats[:, cv2.CC_STAT_AREA]
        least = _SPECK * areas[1:].max() if value and count > 1 else 0.002 * byte_mask.sum()
        small = [number for number in range(1, count) if areas[number] < least]
        byte_mask[np.isin(labels, small)] = 1 - value
    return byte_mask.astype(np.float32)


def mask_at_point(path: Path, point: tuple[int, int]) -> "NDArray[np.float32]":
    """The area about a point whose colours run into each other, (height, width) in [0, 1].

    Raises:
        Problem: the point is outside the picture, or all of it runs together.
    """
    import cv2
    import numpy as np

    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    x, y = point
    if not (0 <= x < width and 0 <= y < height):
        raise Problem(f"the point {list(point)} is outside the picture, which is {width} x {height} pixels")
    flooded = np.zeros((height + 2, width + 2), np.uint8)
    smooth = np.ascontiguousarray(cv2.medianBlur(pixels, 3))
    if np.abs(smooth[y, x].astype(int) - pixels[y, x]).max() > _FLOOD_TOLERANCE:  # the point is on a hairline
        smooth = pixels.copy()
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
    cv2.floodFill(smooth, flooded, (x, y), (0, 0, 0), (_FLOOD_TOLERANCE,) * 3, (_FLOOD_TOLERANCE,) * 3, flags)
    point_mask = _clean_mask(_refine_edge(pixels, flooded[1:-1, 1:-1] > 0, 2))
    if point_mask.mean() > _ALL:
        raise Problem(
            f"from the point {list(point)} the region covers the entire picture; give a box around the object instead"
        )
    return point_mask


def mask_of_persons(path: Path, model: Path) -> "NDArray[np.float32]":
    """Where persons are, (height, width) in [0, 1].

    Raises:
        Problem: no person is found.
    """
    person_map = person_mask(model, load_rgb(path))
    if not is_sure(person_map):
        raise Problem(
            f"the model found no person in {path.name!r} for sure; it finds only people who are large in the picture. "
            "Give bbox_px or point_px for other things"
        )
    return person_map


def combine_masks(masks: "list[bytes]", size: tuple[int, int], name: str) -> "NDArray[np.float32]":
    """Masks of a service as one, (height, width) in [0, 1].

    Raises:
        Problem: one is not a picture, or of another size.
    """
    import io

    import numpy as np
    from PIL import Image

    combined_mask = np.zeros(size[::-1], np.float32)
    for data in masks:
        try:
            with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
                mask = picture.convert("L").resize(size)
        except (OSError, SyntaxError, ValueError) as error:
            raise Problem(f"{name} returned a mask that is not a PNG") from error
        combined_mask = np.maximum(combined_mask, np.asarray(mask, np.float32) / 255)
    return combined_mask
