"""Objects of the 80 classes of COCO by NanoDet-g at 416 pixels, a small model: large, single objects are found."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolyard.models.embedded.running import infer, load_rgb

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
_SAME, _SAME_IN_TILES = 0.6, 0.7
"""How much of their union, and with tiles, which cut objects, of the smaller one, two boxes of one object share."""
_MIN_TILE = 480
_TILE_OVERLAP = 0.2


@dataclass(frozen=True)
class Detection:
    """An object: its class, how sure the model is, and its box [x_min, y_min, x_max, y_max] in pixels."""

    label: str
    score: float
    box: tuple[float, float, float, float]


@cache
def classes() -> tuple[str, ...]:
    """The names of the 80 classes, in the order of the model's outputs."""
    return tuple(resources.files(__package__).joinpath("coco_classes.txt").read_text("utf-8").split("\n")[:80])


def detect_objects(model: Path, path: Path, min_score: float, tiles: int) -> tuple[list[Detection], tuple[int, int]]:
    """Objects in a picture, best first, and its width and height.

    Args:
        model: the file of `MODEL`.
        path: of the picture.
        min_score: below which nothing is given.
        tiles: rows and columns of overlapping parts that are looked at too, for small objects; 1 for none.
    """
    import numpy as np

    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    found = [
        _detect(model, pixels[top:bottom, left:right], (left, top))
        for left, top, right, bottom in _parts(width, height, tiles)
    ]
    boxes, scores = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    kept = sorted(_kept(boxes, scores, min_score, in_tiles=len(found) > 1), key=lambda detection: -detection.score)
    return kept, (width, height)


def _parts(width: int, height: int, tiles: int) -> list[tuple[int, int, int, int]]:
    """The whole picture, and its tiles, none of which is smaller than the model can use."""
    parts = [(0, 0, width, height)]
    columns, rows = (max(1, min(tiles, side // _MIN_TILE)) for side in (width, height))
    if columns * rows > 1:
        across, down = width / columns, height / rows
        edges = [(column * across, row * down) for row in range(rows) for column in range(columns)]
        margin_x, margin_y = across * _TILE_OVERLAP, down * _TILE_OVERLAP
        parts += [
            (
                max(0, int(x - margin_x)),
                max(0, int(y - margin_y)),
                min(width, int(x + across + margin_x)),
                min(height, int(y + down + margin_y)),
            )
            for x, y in edges
        ]
    return parts


def _detect(model: Path, pixels: "NDArray[np.uint8]", corner: tuple[int, int]) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Boxes (n, 4) in pixels of the whole picture, and scores (n, 80)."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    small = np.asarray(Image.fromarray(pixels).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR), np.float32)
    planes = ((small[..., ::-1] - _MEAN) / _DEVIATION).astype(np.float32).transpose(2, 0, 1)[None]
    outputs = {output.shape[1:]: output[0] for output in infer(model, {"input_1": planes})}
    boxes, scores = [], []
    for cells, stride in _STRIDES.items():
        boxes.append(_boxes(outputs[cells * cells, 4 * _BINS], cells, stride))
        scores.append(outputs[cells * cells, len(classes())])
    scale = np.array([width / _SIDE, height / _SIDE] * 2)
    inside = np.clip(np.concatenate(boxes) * scale, 0, [width, height] * 2)
    return inside + np.array([*corner, *corner]), np.concatenate(scores)


def _boxes(bins: "NDArray[np.float32]", cells: int, stride: int) -> "NDArray[Any]":
    import numpy as np

    chances = np.exp(bins.reshape(-1, 4, _BINS) - bins.reshape(-1, 4, _BINS).max(-1, keepdims=True))
    left, top, right, bottom = (chances / chances.sum(-1, keepdims=True) @ np.arange(_BINS) * stride).T
    rows, columns = np.divmod(np.arange(cells * cells), cells)
    x, y = (columns + 0.5) * stride, (rows + 0.5) * stride
    return np.stack([x - left, y - top, x + right, y + bottom], 1)


def _kept(boxes: "NDArray[Any]", scores: "NDArray[Any]", min_score: float, *, in_tiles: bool) -> list[Detection]:
    """What is above the score, each object once."""
    import numpy as np

    found = []
    for label in np.flatnonzero(scores.max(0) >= min_score):
        chosen = scores[:, label] >= min_score
        for place in _best(boxes[chosen], scores[chosen, label], in_tiles=in_tiles):
            left, top, right, bottom = (round(float(value), 1) for value in boxes[chosen][place])
            score = round(float(scores[chosen, label][place]), 3)
            found.append(Detection(classes()[label], score, (left, top, right, bottom)))
    return found


def _best(boxes: "NDArray[Any]", scores: "NDArray[Any]", *, in_tiles: bool) -> list[int]:
    """Non-maximum suppression: places of boxes that overlap no better one."""
    import numpy as np

    order, kept = np.argsort(-scores), []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(int(best))
        low, high = np.maximum(boxes[best, :2], boxes[rest, :2]), np.minimum(boxes[best, 2:], boxes[rest, 2:])
        common = np.clip(high - low, 0, None).prod(1)
        areas = [(boxes[places][..., 2:] - boxes[places][..., :2]).prod(-1) for places in (best, rest)]
        whole = np.minimum(*areas) if in_tiles else areas[0] + areas[1] - common
        order = rest[common <= whole * (_SAME_IN_TILES if in_tiles else _SAME)]
    return kept
