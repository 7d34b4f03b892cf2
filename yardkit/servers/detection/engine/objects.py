"""Objects that a detector found in a picture."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from yardkit.kit.boxes_picture import Mark, save_marked
from yardkit.models.embedded.boxes import Part
from yardkit.models.objects import BackendChoice, chosen_detector
from yardkit.world import FileRef
from yardkit.world.wording import format_count


@dataclass(frozen=True)
class DetectedObject:
    """An object.

    Attributes:
        number: in the picture of the boxes.
        label: its class.
        score: how sure the model is, in [0, 1].
        box: [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left.
    """

    number: int
    label: str
    score: float
    box: tuple[float, float, float, float]

    def __str__(self) -> str:
        return f"{self.number} {self.label} {self.score:.2f} at [{', '.join(f'{edge:.0f}' for edge in self.box)}]"


@dataclass(frozen=True)
class DetectedObjects:
    """What was found, best first.

    Attributes:
        objects: at most as many as asked for.
        counts: of all that were found, by label.
        width_px, height_px: of the picture as displayed.
        note: what to know of the answer.
        model: with the tier and the quality.
        picture: the picture with the boxes, if it was wanted.
    """

    objects: tuple[DetectedObject, ...]
    counts: dict[str, int]
    width_px: int
    height_px: int
    note: str
    model: str
    picture: FileRef | None = None

    def __str__(self) -> str:
        size = f"in {self.width_px} x {self.height_px} px, by {self.model}"
        kinds = ", ".join(f"{count} {label}" for label, count in self.counts.items())
        head = f"{format_count(sum(self.counts.values()), 'object')} {size}" + (f": {kinds}" if kinds else "")
        saved = [f"boxes drawn in {self.picture.path}"] if self.picture else []
        return "\n".join([head, *map(str, self.objects), *filter(None, [self.note]), *saved])


def detect_objects(
    path: Path,
    labels: Sequence[str] = (),
    *,
    min_score: float = 0.35,
    tiles: int = 1,
    region: Part | None = None,
    limit: int = 100,
    backend: BackendChoice = "auto",
    picture: Path | None = None,
) -> DetectedObjects:
    """Find objects in a picture.

    Args:
        path: of the picture.
        labels: classes that are wanted, in the singular or plural, or free words where the model takes them; none
            for all 80 of COCO.
        min_score: from which an object is given, in [0, 1].
        tiles: rows and columns of parts that are looked at too, where objects are small.
        region: the part of the picture that is looked at; all without.
        limit: of objects that are listed; all are counted.
        backend: which kind of model.
        picture: where the picture is written with the boxes.

    Raises:
        Problem: the picture cannot be read, or the model does not know a label.
        ModelUnavailable: no model is set up.
    """
    detector = chosen_detector(backend)
    known_labels = detector.check_labels(labels)
    chosen, (width, height) = detector.detect(path, known_labels.names, min_score, tiles, region)
    counts = Counter(detection.label for detection in chosen)
    objects = tuple(
        DetectedObject(number, detection.label, detection.score, detection.box)
        for number, detection in enumerate(chosen[:limit], start=1)
    )
    more = f"{len(chosen) - limit} more are not listed (limit {limit})." if len(chosen) > limit else ""
    note = " ".join(filter(None, [more, known_labels.note, detector.note]))
    result = DetectedObjects(objects, dict(counts), width, height, note, str(detector.origin))
    if picture is None:
        return result
    marks = [
        Mark(f"{detected.number} {detected.label} {detected.score:.2f}", detected.box, detected.label)
        for detected in objects
    ]
    return replace(result, picture=save_marked(path, picture, marks))
