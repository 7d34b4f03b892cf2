"""Objects of COCO's 80 classes by NanoDet-g at 416 pixels, a small model that finds large, single objects."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.boxes import Part, best_boxes, parts_of
from yardkit.models.embedded.running import check_region, infer_outputs, load_rgb

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "nanodet"
PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps", "onnxruntime")
"""What the process that runs it keeps loaded."""
_SIDE = 416
_MEAN, _DEVIATION = (103.53, 116.28, 123.675), (57.375, 57.12, 58.395)
"""Of blue, green, red, as it was trained."""
_STRIDES = {52: 8, 26: 16, 13: 32}
"""Cells in a row of a map -> pixels of the input to a cell."""
_BINS = 11
"""Each distance from a cell to a side of its box is a distribution over so many strides."""
_SAME, _SAME_IN_TILES = 0.6, 0.6
"""How much of their union, and with tiles, which cut objects, of the smaller one, two boxes of one object share."""
_MIN_TILE = 480


@dataclass(frozen=True)
class Detection:
    """An object: its class, the model's score, and its box [x_min, y_min, x_max, y_max] in pixels."""

    label: str
    score: float
    box: tuple[float, float, float, float]


@cache
def list_classes() -> tuple[str, ...]:
    """List the names of the 80 classes, in the order of the model's outputs."""
    return tuple(resources.files(__package__).joinpath("coco_classes.txt").read_text("utf-8").split("\n")[:80])


def detect_objects(
    model: Path, picture: Path | bytes, min_score: float, tiles: int, region: Part | None = None
) -> tuple[list[Detection], tuple[int, int]]:
    """Detect objects in a picture, best first, and return its width and height. Call it in `run_in_process`.

    Args:
        model: the file of `MODEL`.
        picture: a file, or its bytes.
        min_score: the minimum score.
        tiles: rows and columns of overlapping tiles that are also searched, for small objects; 1 for none.
        region: the part of the picture to search; None for all.

    Raises:
        Problem: the picture cannot be read, or the region is outside of it.
    """
    pixels = load_rgb(picture)
    height, width = pixels.shape[:2]
    return detect_in_pixels(model, pixels, min_score, tiles, check_region(region, width, height)), (width, height)


def detect_in_pixels(
    model: Path, pixels: "NDArray[np.uint8]", min_score: float, tiles: int = 1, region: Part | None = None
) -> list[Detection]:
    """Detect objects in pixels (height, width, 3), RGB, best first."""
    import numpy as np

    height, width = pixels.shape[:2]
    x, y, *end = region or (0, 0, width, height)
    parts = parts_of(end[0] - x, end[1] - y, tiles, _MIN_TILE)
    tile_results = [
        _detect_tile(model, pixels[y + top : y + bottom, x + left : x + right], (x + left, y + top))
        for left, top, right, bottom in parts
    ]
    boxes, scores = (np.concatenate(arrays) for arrays in zip(*tile_results, strict=True))
    detections = _filter_detections(boxes, scores, min_score, in_tiles=len(tile_results) > 1)
    return sorted(detections, key=lambda detection: -detection.score)


def _detect_tile(
    model: Path, pixels: "NDArray[np.uint8]", corner: tuple[int, int]
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return boxes (n, 4) in pixels of the complete picture, and scores (n, 80)."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    small = np.asarray(Image.fromarray(pixels).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR), np.float32)
    planes = ((small[..., ::-1] - _MEAN) / _DEVIATION).astype(np.float32).transpose(2, 0, 1)[None]
    outputs = {output.shape[1:]: output[0] for output in infer_outputs(model, {"input_1": planes})}
    boxes, scores = [], []
    for cells, stride in _STRIDES.items():
        boxes.append(_compute_boxes(outputs[cells * cells, 4 * _BINS], cells, stride))
        scores.append(outputs[cells * cells, len(list_classes())])
    scale = np.array([width / _SIDE, height / _SIDE] * 2)
    inside = np.clip(np.concatenate(boxes) * scale, 0, [width, height] * 2)
    return inside + np.array([*corner, *corner]), np.concatenate(scores)


def _compute_boxes(bins: "NDArray[np.float32]", cells: int, stride: int) -> "NDArray[Any]":
    import numpy as np

    chances = np.exp(bins.reshape(-1, 4, _BINS) - bins.reshape(-1, 4, _BINS).max(-1, keepdims=True))
    left, top, right, bottom = (chances / chances.sum(-1, keepdims=True) @ np.arange(_BINS) * stride).T
    rows, columns = np.divmod(np.arange(cells * cells), cells)
    x, y = (columns + 0.5) * stride, (rows + 0.5) * stride
    return np.stack([x - left, y - top, x + right, y + bottom], 1)


def _filter_detections(
    boxes: "NDArray[Any]", scores: "NDArray[Any]", min_score: float, *, in_tiles: bool
) -> list[Detection]:
    """Return the objects above the minimum score, each once."""
    import numpy as np

    detections, share = [], _SAME_IN_TILES if in_tiles else _SAME
    for label in np.flatnonzero(scores.max(0) >= min_score):
        chosen = scores[:, label] >= min_score
        for place in best_boxes(boxes[chosen], scores[chosen, label], share, of_smaller=in_tiles):
            left, top, right, bottom = (round(float(value), 1) for value in boxes[chosen][place])
            score = round(float(scores[chosen, label][place]), 3)
            detections.append(Detection(list_classes()[label], score, (left, top, right, bottom)))
    return detections
