"""Untrusted image files as bounded RGB pixels, and the maps that lead back to their coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem
from yardkit.world.limits import check_bytes
from yardkit.world.pictures import flatten_with_contrast, load_picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yardkit.servers.ocr.backends import Pixels, Quad

MAX_IMAGE_BYTES = 100_000_000
MAX_IMAGE_PIXELS = 50_000_000
MAX_WORKING_PIXELS = 24_000_000


@dataclass(frozen=True)
class Picture:
    """RGB pixels, and the affine map (3 x 3) from their coordinates to those of the upright file."""

    pixels: Pixels
    to_source: NDArray[np.float64]

    def turn(self, quarter_turns: int) -> Picture:
        """Rotated counter-clockwise by `quarter_turns` x 90 degrees."""
        import numpy as np

        height, width = self.pixels.shape[:2]
        back = {
            0: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            1: [[0, -1, width], [1, 0, 0], [0, 0, 1]],
            2: [[-1, 0, width], [0, -1, height], [0, 0, 1]],
            3: [[0, 1, 0], [-1, 0, height], [0, 0, 1]],
        }[quarter_turns % 4]
        pixels = np.ascontiguousarray(np.rot90(self.pixels, quarter_turns))
        return Picture(pixels, self.to_source @ np.array(back, float))

    def zoom(self, factor: float) -> Picture:
        """Enlarged (or reduced) by `factor`."""
        import cv2
        import numpy as np

        interpolation = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
        pixels = cv2.resize(self.pixels, None, fx=factor, fy=factor, interpolation=interpolation)
        height, width = self.pixels.shape[:2]
        back = np.diag([width / pixels.shape[1], height / pixels.shape[0], 1.0])
        return Picture(np.asarray(pixels, np.uint8), self.to_source @ back)

    def straighten(self, degrees: float) -> Picture:
        """Rotated clockwise by `degrees` about its centre, on a canvas that holds all of it."""
        import cv2
        import numpy as np

        height, width = self.pixels.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
        cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
        size = int(height * sin + width * cos), int(height * cos + width * sin)
        matrix[:, 2] += size[0] / 2 - width / 2, size[1] / 2 - height / 2
        border = [int(value) for value in np.median(self.pixels.reshape(-1, 3), axis=0)]
        pixels = cv2.warpAffine(self.pixels, matrix, size, flags=cv2.INTER_CUBIC, borderValue=border)
        forward = np.vstack([matrix, [0, 0, 1]])
        return Picture(np.asarray(pixels, np.uint8), self.to_source @ np.linalg.inv(forward))

    def quad_in_source(self, quad: Quad) -> Quad:
        a, b, c, d = ((self.to_source @ [x, y, 1.0])[:2] for x, y in quad)
        return _to_point(a), _to_point(b), _to_point(c), _to_point(d)


@dataclass(frozen=True)
class Loaded:
    """An image file: its size in pixels as displayed (EXIF orientation applied) and the asked part of it."""

    width: int
    height: int
    picture: Picture


def load_image(path: Path, bbox_px: list[int] | None, page: int = 1) -> Loaded:
    """A page of an image file, or the part `bbox_px` = [x_min, y_min, x_max, y_max] of it.

    Raises:
        Problem: it is too large, damaged, no image of the supported formats, has no such page, or the part is outside.
    """
    import numpy as np

    check_bytes(path, MAX_IMAGE_BYTES)
    image = flatten_with_contrast(load_picture(path, page, max_pixels=MAX_IMAGE_PIXELS).image)
    left, top, right, bottom = _checked_box(bbox_px, *image.size)
    pixels = np.array(image.crop((left, top, right, bottom)), dtype=np.uint8)
    shift = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], float)
    picture = Picture(pixels, shift)
    if pixels.shape[0] * pixels.shape[1] > MAX_WORKING_PIXELS:
        picture = picture.zoom((MAX_WORKING_PIXELS / (pixels.shape[0] * pixels.shape[1])) ** 0.5)
    return Loaded(image.width, image.height, picture)


def _checked_box(bbox_px: list[int] | None, width: int, height: int) -> tuple[int, int, int, int]:
    if bbox_px is None:
        return 0, 0, width, height
    if len(bbox_px) != 4:
        raise Problem(f"bbox_px {bbox_px} has {len(bbox_px)} numbers; give [x_min, y_min, x_max, y_max]")
    left, top = max(0, bbox_px[0]), max(0, bbox_px[1])
    right, bottom = min(width, bbox_px[2]), min(height, bbox_px[3])
    if right - left < 1 or bottom - top < 1:
        raise Problem(f"bbox_px {bbox_px} is empty or outside the image, which is {width} x {height} pixels")
    return left, top, right, bottom


def _to_point(pair: Any) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])
