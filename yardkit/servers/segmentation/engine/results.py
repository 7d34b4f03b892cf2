"""What is made of a mask: files, box and area. To be called in `run_apart`."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.running import load_rgb
from yardkit.servers.segmentation.engine import masks
from yardkit.world.pictures import load_picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = masks.PRELOAD
_LEAST_OPACITY = 0.5


@dataclass(frozen=True)
class SegmentationResult:
    """A mask's files and figures.

    Attributes:
        mask, cutout, marked: PNG files; the cut-out has the size of the box and an alpha channel.
        box: of the mask.
        area_px: its pixels.
        parts: that it has, apart from each other.
        size: of the picture.
    """

    mask: bytes
    cutout: bytes
    marked: bytes
    box: tuple[int, int, int, int]
    area_px: int
    parts: int
    size: tuple[int, int]


def segment_box(path: Path, box: Part) -> SegmentationResult:
    """Of `masks.mask_in_box`."""
    return _build_results(path, masks.mask_in_box(path, box))


def segment_point(path: Path, point: tuple[int, int]) -> SegmentationResult:
    """Of `masks.mask_at_point`."""
    return _build_results(path, masks.mask_at_point(path, point))


def segment_person(path: Path, model: Path) -> SegmentationResult:
    """Of `masks.mask_of_persons`."""
    return _build_results(path, masks.mask_of_persons(path, model))


def build_service_result(path: Path, mask_files: list[bytes], size: tuple[int, int], name: str) -> SegmentationResult:
    """Of `masks.combined`."""
    return _build_results(path, masks.combine_masks(mask_files, size, name))


def _build_results(path: Path, mask: "NDArray[np.float32]") -> SegmentationResult:
    import cv2
    import numpy as np
    from PIL import Image

    pixels = load_rgb(path)
    inside = mask > _LEAST_OPACITY
    rows, columns = (np.flatnonzero(inside.any(axis)) for axis in (1, 0))
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    # A soft edge of one pixel, where the mask has none of its own.
    soft = mask if 0 < float(mask.mean()) < 1 and len(np.unique(mask[:: max(1, mask.shape[0] // 50)])) > 3 else None
    alpha = (cv2.GaussianBlur(mask, (0, 0), 0.7) if soft is None else mask) * 255
    colors, opacity = _load_layers(path)
    cutout = np.dstack([colors, (alpha * opacity).round().astype(np.uint8)])[top:bottom, left:right]
    marked = pixels.copy()
    marked[~inside] = (marked[~inside] * 0.35 + 255 * 0.25).astype(np.uint8)
    outlines, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(marked, outlines, -1, (230, 25, 75), max(1, min(pixels.shape[:2]) // 200))
    return SegmentationResult(
        _encode_png(Image.fromarray(inside.astype(np.uint8) * 255)),
        _encode_png(Image.fromarray(cutout)),
        _encode_png(Image.fromarray(marked)),
        (left, top, right, bottom),
        int(inside.sum()),
        len(outlines),
        (pixels.shape[1], pixels.shape[0]),
    )


def _load_layers(path: Path) -> "tuple[NDArray[np.uint8], NDArray[np.float32]]":
    """The colours of a picture, (height, width, 3), and how far it covers what is behind it, (height, width)."""
    import numpy as np

    layers = np.asarray(load_picture(path).image.convert("RGBA"))
    return layers[..., :3], np.asarray(layers[..., 3] / 255, np.float32)


def _encode_png(picture: Any) -> bytes:
    data = io.BytesIO()
    picture.save(data, "PNG", compress_level=4)
    return data.getvalue()
