"""Detectors with a common interface: from a picture to boxes of objects with labels and scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from yardkit.models.chat import picture_url
from yardkit.models.contract import Backend, ModelUnavailable, Option, Origin, choose_backend
from yardkit.models.embedded.boxes import Part, best_boxes, parts_of
from yardkit.models.embedded.catalog import embedded_model
from yardkit.models.embedded.coco_detection import MODEL, Detection, detect_objects, list_classes
from yardkit.models.embedded.coco_words import explain_words, find_word
from yardkit.models.embedded.running import check_region, load_rgb, origin_of, run_in_process
from yardkit.models.embedded.store import SET_COMMAND, is_there, require_model
from yardkit.models.service import service_of_tier, service_options
from yardkit.world import Unavailable
from yardkit.world.boxes import Box

BackendChoice = Literal["auto", "endpoint", "local", "embedded"]
Detected = tuple[list[Detection], tuple[int, int]]
"""Objects, best first, and the width and height of their picture."""
PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps")
_SENT_PX = 2048
_MIN_TILE = 640
_SAME, _SAME_IN_TILES = 0.6, 0.7


@dataclass(frozen=True)
class WantedLabels:
    """What a model looks for.

    Attributes:
        names: in its words; empty for all known ones.
        note: where these say more or less than was asked.
        is_exact: whether all that has such a name is what was asked for.
    """

    names: tuple[str, ...] = ()
    note: str = ""
    is_exact: bool = True


class Detector(Backend, Protocol):
    """A backend that finds objects."""

    note: str
    """What to know of its answers; empty where there is nothing to say."""

    def check_labels(self, labels: Sequence[str]) -> WantedLabels:
        """Convert the labels to the model's words.

        Raises:
            Problem: the model does not know one of them.
        """

    def detect(
        self, picture: Path | bytes, labels: Sequence[str], min_score: float, tiles: int = 1, region: Part | None = None
    ) -> Detected:
        """Detect objects in a picture or in a part of it.

        Args:
            picture: a file, or its bytes.
            labels: the names from `check_labels`; empty for all known ones.
            min_score: the minimum score.
            tiles: rows and columns of tiles that are also searched.
            region: the part to search.
        """


class NanoDet:
    """A small model that finds single, large objects, misses small and crowded ones, and names some wrongly."""

    note = (
        "A small model: it misses small and crowded objects and names some wrongly; "
        "an object that is not listed may still be there."
    )

    @property
    def origin(self) -> Origin:
        return origin_of(MODEL)

    def missing(self) -> str:
        return "" if is_there(embedded_model(MODEL)) else f"it was not added; `{SET_COMMAND}`"

    def check_labels(self, labels: Sequence[str]) -> WantedLabels:
        words = [find_word(label) for label in labels]
        names = tuple(dict.fromkeys(name for word in words for name in word.classes))
        return WantedLabels(names, explain_words(words), all(word.relation != "narrower" for word in words))

    def detect(
        self, picture: Path | bytes, labels: Sequence[str], min_score: float, tiles: int = 1, region: Part | None = None
    ) -> Detected:
        detections, size = run_in_process(detect_objects, require_model(MODEL), picture, min_score, tiles, region)
        return [detection for detection in detections if not labels or detection.label in labels], size


class ObjectService:
    """A model behind HTTP that takes any words."""

    note = ""

    def __init__(self, tier: Literal["endpoint", "local"]) -> None:
        self._tier = tier
        self._service, self._reason = service_of_tier("objects", tier)

    @property
    def origin(self) -> Origin:
        return self._service.origin if self._service else Origin(self._tier, "a model that finds objects", "full")

    def missing(self) -> str:
        return self._reason

    def check_labels(self, labels: Sequence[str]) -> WantedLabels:
        return WantedLabels(tuple(" ".join(label.lower().split()) for label in labels))

    def detect(
        self, picture: Path | bytes, labels: Sequence[str], min_score: float, tiles: int = 1, region: Part | None = None
    ) -> Detected:
        service = self._service
        if service is None:
            raise Unavailable(self._reason)
        parts, size = run_in_process(encode_parts, picture, tiles, region)
        queries = list(labels) or list(list_classes())
        detections: list[Detection] = []
        for encoded_part, part, scale in parts:
            answer = service.ask(
                "/objects", {"image": picture_url(encoded_part), "queries": queries, "threshold": min_score}
            )
            detections += _in_picture(answer, part, scale, service.setting)
        confident_detections = [detection for detection in detections if detection.score >= min_score]
        return run_in_process(merge_detections, confident_detections, len(parts) > 1), size


def chosen_detector(backend: BackendChoice = "auto") -> Detector:
    """Return the requested detector, or the best configured one.

    Raises:
        ModelUnavailable: none is configured.
    """
    way = Option("embedded", SET_COMMAND, model="NanoDet-g, 80 classes", disk_bytes=160_000_000)
    backends: list[Detector] = [ObjectService("endpoint"), ObjectService("local"), NanoDet()]
    needs = ModelUnavailable("detection", "a model that finds objects", [way, *service_options("objects")])
    return choose_backend(backends, backend, needs)


def encode_parts(
    picture: Path | bytes, tiles: int, region: Part | None
) -> tuple[list[tuple[bytes, Part, float]], tuple[int, int]]:
    """Encode a picture's parts as JPEGs, each with its place and scale; also return the picture's size.

    Call it in `run_in_process`.
    """
    import io

    from PIL import Image

    pixels = load_rgb(picture)
    height, width = pixels.shape[:2]
    x, y, right, bottom = check_region(region, width, height)
    encoded = []
    for left, top, end, low in parts_of(right - x, bottom - y, tiles, _MIN_TILE):
        part = (x + left, y + top, x + end, y + low)
        part_image = Image.fromarray(pixels[part[1] : part[3], part[0] : part[2]])
        part_image.thumbnail((_SENT_PX, _SENT_PX), Image.Resampling.LANCZOS)
        data = io.BytesIO()
        part_image.save(data, "JPEG", quality=95)
        encoded.append((data.getvalue(), part, (end - left) / part_image.width))
    return encoded, (width, height)


def merge_detections(detections: Sequence[Detection], in_tiles: bool) -> list[Detection]:
    """Merge detections so that each object is listed once, best first."""
    import numpy as np

    merged: list[Detection] = []
    for label in sorted({detection.label for detection in detections}):
        same_label = [detection for detection in detections if detection.label == label]
        boxes, scores = (
            np.array([detection.box for detection in same_label]),
            np.array([detection.score for detection in same_label]),
        )
        share = _SAME_IN_TILES if in_tiles else _SAME
        merged += [same_label[place] for place in best_boxes(boxes, scores, share, of_smaller=in_tiles)]
    return sorted(merged, key=lambda detection: -detection.score)


def _in_picture(answer: dict[str, Any], part: Part, scale: float, setting: str) -> list[Detection]:
    """Convert a service's detections in a part to pixels of the complete picture."""
    try:
        return [
            Detection(
                str(answered_object["label"]),
                round(float(answered_object["score"]), 3),
                _move_box(answered_object["box"], part, scale),
            )
            for answered_object in answer["objects"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise Unavailable(f"the service of {setting} answered without a list of objects") from error


def _move_box(box: Sequence[Any], part: Part, scale: float) -> Box:
    x_min, y_min, x_max, y_max = (float(edge) * scale for edge in box)
    inside = (max(0.0, x_min), max(0.0, y_min), min(x_max, part[2] - part[0]), min(y_max, part[3] - part[1]))
    left, top, right, bottom = (round(edge + part[axis % 2], 1) for axis, edge in enumerate(inside))
    return left, top, right, bottom
