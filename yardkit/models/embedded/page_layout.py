"""Regions of a page by PicoDet (trained on CDLA, ten kinds), and the orientation of a page.

Call functions that take the file of a model in `run_in_process`.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.boxes import best_boxes
from yardkit.models.embedded.running import infer_outputs
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

LAYOUT, ORIENTATION = "layout-cdla", "orientation"
LABELS = (
    "text",
    "title",
    "figure",
    "figure caption",
    "table",
    "table caption",
    "header",
    "footer",
    "reference",
    "equation",
)
"""In the order of the model's outputs, as its file names them."""
_HEIGHT, _WIDTH = 800, 608
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_STRIDES = (8, 16, 32, 64)
_BINS = 8
_SAME, _SAME_KINDS = 0.5, 0.7
"""Shares of the union, and, of two kinds, of the smaller one, that boxes of one region have in common."""
_TURN_SIDE, _TURN_SHORT = 224, 256
_LONG, _PAGE, _MAX_PARTS = 2.2, (1.0, 1.7), 40
"""Height of a long page, such as a copy of a web page, and of its parts, in its width."""
_BLANK = 24
"""Steps of 255 by which a row of pixels differs in which nothing stands."""


@dataclass(frozen=True)
class Region:
    """A part of a page: its kind, the model's score, and its box [x_min, y_min, x_max, y_max] in pixels."""

    label: str
    score: float
    box: Box


def page_regions(model: "Path", pixels: "NDArray[np.uint8]", min_score: float) -> list[Region]:
    """Find the regions of a page (height, width, 3), RGB, each once; a long one is looked at in parts."""
    regions = []
    for top, bottom in split_page(pixels):
        for region in _find_regions(model, pixels[top:bottom], min_score):
            left, upper, right, lower = region.box
            regions.append(replace(region, box=(left, upper + top, right, lower + top)))
    return regions


def split_page(pixels: "NDArray[np.uint8]") -> list[tuple[int, int]]:
    """The upper and lower edges of parts that have about the shape of a page, cut where nothing stands."""
    import numpy as np

    height, width = pixels.shape[:2]
    if height <= _LONG * width:
        return [(0, height)]
    spread = (pixels.max(axis=1).astype(int) - pixels.min(axis=1)).max(axis=1)
    cuts = [0]
    while height - cuts[-1] > _LONG * width and len(cuts) < _MAX_PARTS:
        first, last = (cuts[-1] + int(factor * width) for factor in _PAGE)
        blank = (spread[first:last] < _BLANK).astype(int)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], blank, [0]]))).reshape(-1, 2)
        gap = max(edges, key=lambda pair: int(pair[1] - pair[0]), default=(last - first - 1, last - first))
        cuts.append(first + int(sum(gap)) // 2)
    return list(zip(cuts, [*cuts[1:], height], strict=True))


def _find_regions(model: "Path", pixels: "NDArray[np.uint8]", min_score: float) -> list[Region]:
    """Find the regions of a page or a part, best first."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    small = np.asarray(Image.fromarray(pixels).resize((_WIDTH, _HEIGHT), Image.Resampling.BILINEAR), np.float32)
    planes = ((small[..., ::-1] / 255 - _MEAN) / _DEVIATION).astype(np.float32).transpose(2, 0, 1)[None]
    outputs = infer_outputs(model, {"image": planes})
    scores = np.concatenate([output[0] for output in outputs if output.shape[-1] == len(LABELS)])
    bins = [output[0] for output in outputs if output.shape[-1] == 4 * _BINS]
    boxes = np.concatenate([_compute_boxes(some, stride) for some, stride in zip(bins, _STRIDES, strict=True)])
    boxes = np.clip(boxes * ([width / _WIDTH, height / _HEIGHT] * 2), 0, [width, height] * 2)
    best, kinds = scores.max(1), scores.argmax(1)
    chosen = np.flatnonzero(best >= min_score)
    best_indexes = chosen[best_boxes(boxes[chosen], best[chosen], _SAME)] if len(chosen) else chosen
    best_indexes = (
        best_indexes[best_boxes(boxes[best_indexes], best[best_indexes], _SAME_KINDS, of_smaller=True)]
        if len(best_indexes)
        else best_indexes
    )
    return [
        Region(LABELS[kinds[place]], round(float(best[place]), 3), _make_box(boxes[place])) for place in best_indexes
    ]


def _compute_boxes(bins: "NDArray[Any]", stride: int) -> "NDArray[Any]":
    import numpy as np

    columns = -(-_WIDTH // stride)
    chances = np.exp(bins.reshape(-1, 4, _BINS) - bins.reshape(-1, 4, _BINS).max(-1, keepdims=True))
    left, top, right, bottom = (chances / chances.sum(-1, keepdims=True) @ np.arange(_BINS) * stride).T
    down, across = np.divmod(np.arange(len(bins)), columns)
    x, y = (across + 0.5) * stride, (down + 0.5) * stride
    return np.stack([x - left, y - top, x + right, y + bottom], 1)


def _make_box(edges: "NDArray[Any]") -> Box:
    left, top, right, bottom = (round(float(edge), 1) for edge in edges)
    return left, top, right, bottom


def page_turn(model: "Path", pixels: "NDArray[np.uint8]") -> list[float]:
    """Compute the probabilities that a page is rotated clockwise by 0, 90, 180 and 270 degrees."""
    import numpy as np
    from PIL import Image

    picture = Image.fromarray(pixels)
    factor = _TURN_SHORT / min(picture.size)
    size = [max(_TURN_SIDE, round(side * factor)) for side in picture.size]
    small = picture.resize((size[0], size[1]), Image.Resampling.BILINEAR)
    left, top = ((side - _TURN_SIDE) // 2 for side in small.size)
    cut = np.asarray(small.crop((left, top, left + _TURN_SIDE, top + _TURN_SIDE)), np.float32)
    planes = ((cut / 255 - _MEAN) / _DEVIATION).astype(np.float32).transpose(2, 0, 1)[None]
    [turn_scores] = infer_outputs(model, {"x": planes})
    values = np.asarray(turn_scores[0], float)
    if abs(values.sum() - 1) > 0.01:
        values = np.exp(values - values.max()) / np.exp(values - values.max()).sum()
    return [round(float(value), 3) for value in values]
