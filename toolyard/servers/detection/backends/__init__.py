"""The detectors behind one interface: a picture in, boxes of objects with labels and scores out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from toolyard.models.contract import Backend, ModelUnavailable, Option, choose_backend
from toolyard.models.embedded.coco_detection import Detection
from toolyard.models.embedded.store import SET_COMMAND

BackendChoice = Literal["auto", "embedded"]


class Detector(Backend, Protocol):
    """A backend that finds objects."""

    def check_labels(self, labels: Sequence[str]) -> list[str]:
        """The labels in the words of the model.

        Raises:
            Problem: it does not know one of them.
        """

    def detect(self, path: Path, min_score: float, tiles: int) -> tuple[list[Detection], tuple[int, int]]:
        """Objects in a picture, best first, and its width and height in pixels."""


def chosen_detector(backend: BackendChoice) -> Detector:
    """The detector that is wanted, or the best that is set up.

    Raises:
        ModelUnavailable: none is set up.
    """
    from toolyard.servers.detection.backends.nanodet import NanoDet

    way = Option("embedded", SET_COMMAND, model="NanoDet-g, 80 classes", disk_bytes=160_000_000)
    backends: list[Detector] = [NanoDet()]
    return choose_backend(backends, backend, ModelUnavailable("detection", "a model that finds objects", [way]))
