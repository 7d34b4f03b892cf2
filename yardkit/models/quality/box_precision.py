"""Average precision of boxes as COCO defines it: over ten overlaps from 0.5 to 0.95 and 101 recalls.

Source: the COCO detection challenge (cocodataset.org, "Detection Evaluation"); pycocotools gives the same numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OVERLAPS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
_RECALLS = 101
_MOST = 100
"""Boxes of a class in a picture that count, best first."""


@dataclass(frozen=True)
class TrueBox:
    """A true object in a picture; a crowd counts neither as found nor as missed."""

    picture: str
    label: str
    box: Box
    crowd: bool = False


@dataclass(frozen=True)
class PredictedBox:
    """An object that a model found."""

    picture: str
    label: str
    box: Box
    score: float


def average_precision(truth: Iterable[TrueBox], predicted_boxes: Iterable[PredictedBox]) -> dict[str, float]:
    """Compute AP, AP50, AP75 and AR100, as means over the classes in the truth, in [0, 1].

    Args:
        truth: the true boxes of all pictures.
        predicted_boxes: the predicted boxes in the same pictures.
    """
    import numpy as np

    there, given = list(truth), list(predicted_boxes)
    labels = sorted({box.label for box in there if not box.crowd})
    if not labels:
        return {}
    per_class = [
        _class_precision([box for box in there if box.label == label], [box for box in given if box.label == label])
        for label in labels
    ]
    precision, recall = (np.mean([figures[part] for figures in per_class], axis=0) for part in (0, 1))
    by_overlap = dict(zip(_OVERLAPS, precision, strict=True))
    return {
        "AP": float(precision.mean()),
        "AP50": float(by_overlap[0.5]),
        "AP75": float(by_overlap[0.75]),
        "AR100": float(recall.mean()),
    }


def _class_precision(
    truth: Sequence[TrueBox], predicted_boxes: Sequence[PredictedBox]
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Compute average precision and maximum recall at each overlap."""
    import numpy as np

    scores: list[float] = []
    right: list[NDArray[Any]] = []
    counts: list[NDArray[Any]] = []
    for picture in dict.fromkeys([box.picture for box in truth] + [box.picture for box in predicted_boxes]):
        here = sorted((box for box in truth if box.picture == picture), key=lambda box: box.crowd)
        best = sorted((box for box in predicted_boxes if box.picture == picture), key=lambda box: -box.score)[:_MOST]
        if best:
            scores += [box.score for box in best]
            hits, counted = _match_boxes(here, best)
            right.append(hits)
            counts.append(counted)
    true_count = sum(not box.crowd for box in truth)
    if not scores:
        return np.zeros(len(_OVERLAPS)), np.zeros(len(_OVERLAPS))
    order = np.argsort(-np.array(scores), kind="mergesort")
    hits, counted = np.concatenate(right, 1)[:, order], np.concatenate(counts, 1)[:, order]
    curves = [_compute_curve(hit[keep], true_count) for hit, keep in zip(hits, counted, strict=True)]
    return np.array([curve[0] for curve in curves]), np.array([curve[1] for curve in curves])


def _match_boxes(
    truth: Sequence[TrueBox], predicted_boxes: Sequence[PredictedBox]
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Find, for each overlap and predicted box of a picture, whether it is right and whether it counts."""
    import numpy as np

    shared = np.array(
        [[_compute_overlap(box.box, thing.box, crowd=thing.crowd) for thing in truth] for box in predicted_boxes]
    )
    hits = np.zeros((len(_OVERLAPS), len(predicted_boxes)), bool)
    counts = np.ones_like(hits)
    for row, least in enumerate(_OVERLAPS):
        taken = [False] * len(truth)
        for number in range(len(predicted_boxes)):
            place = _choose_thing(shared[number] if truth else (), truth, taken, least)
            if place is not None:
                taken[place] = True
                hits[row, number] = not truth[place].crowd
                counts[row, number] = not truth[place].crowd
    return hits, counts


def _choose_thing(shared: Any, truth: Sequence[TrueBox], taken: Sequence[bool], least: float) -> int | None:
    """Choose the object with the largest overlap with a box; a crowd only if there is no other."""
    best: int | None = None
    for place, thing in enumerate(truth):
        if taken[place] and not thing.crowd:
            continue
        if best is not None and thing.crowd and not truth[best].crowd:
            break
        if shared[place] >= least:
            best, least = place, shared[place]
    return best


def _compute_overlap(predicted_box: Box, thing: Box, *, crowd: bool) -> float:
    """Compute intersection over union; for a crowd, intersection over the predicted box."""
    width = min(predicted_box[2], thing[2]) - max(predicted_box[0], thing[0])
    height = min(predicted_box[3], thing[3]) - max(predicted_box[1], thing[1])
    common = max(0.0, width) * max(0.0, height)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (predicted_box, thing)]
    reference_area = areas[0] if crowd else sum(areas) - common
    return common / reference_area if reference_area > 0 else 0.0


def _compute_curve(hits: "NDArray[Any]", true_count: int) -> tuple[float, float]:
    """Compute the mean of the best precision at or beyond each of 101 recalls, and the maximum recall."""
    import numpy as np

    if not len(hits):
        return 0.0, 0.0
    right = np.cumsum(hits)
    recall, precision = right / true_count, right / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    places = np.searchsorted(recall, np.linspace(0, 1, _RECALLS), side="left")
    return float(np.append(precision, 0.0)[places].mean()), float(recall[-1])
