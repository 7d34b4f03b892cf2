"""How many things of a kind a picture shows, by the way that fits what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from yardkit.kit.boxes_picture import Mark, save_marked
from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.running import run_in_process
from yardkit.models.objects import BackendChoice, chosen_detector
from yardkit.servers.counting.engine.colours import Color
from yardkit.servers.counting.engine.examples import find_look_alikes
from yardkit.servers.counting.engine.shapes import Shape
from yardkit.servers.counting.engine.things import find_things
from yardkit.world import FileRef, Problem
from yardkit.world.boxes import Box

_MEASURED = "pixels, without a model"
_DOUBT = 0.6
"""Below this share of the wanted score, what a detector names is not even doubtful."""


@dataclass(frozen=True)
class CountedThing:
    """One that was counted.

    Attributes:
        number: in the picture of the marks.
        label: what it was counted as.
        box: [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left.
        score: of the model or the likeness, in [0, 1]; null where it was measured.
    """

    number: int
    label: str
    box: Box
    score: float | None = None

    def __str__(self) -> str:
        score = "" if self.score is None else f" {self.score:.2f}"
        return f"{self.number} {self.label}{score} at [{', '.join(f'{edge:.0f}' for edge in self.box)}]"


@dataclass(frozen=True)
class ObjectCount:
    """How many, or why that cannot be told.

    Attributes:
        count: null where it cannot be told; 0 only where it is sure that there is none.
        at_least: whether there may be more than `count`.
        confidence: in [0, 1]: how little the count depends on how it was made.
        how: it was counted.
        reason: why there is no count; empty where there is one.
        notes: what to know of it.
        things: that were counted, at most as many as asked for; also where that is no count.
        labels: how many of each label.
        width_px, height_px: of the picture as displayed.
        model: that counted, or that none did.
        picture: the picture with the marks, if it was wanted.
    """

    count: int | None
    at_least: bool
    confidence: float
    how: str
    reason: str
    notes: tuple[str, ...]
    things: tuple[CountedThing, ...]
    labels: dict[str, int]
    width_px: int
    height_px: int
    model: str
    picture: FileRef | None = None

    def __str__(self) -> str:
        many = f"{'at least ' if self.at_least else ''}{self.count}"
        head = (
            f"cannot determine how many: {self.reason}"
            if self.count is None
            else f"{many}, confidence {self.confidence:.2f}"
        )
        kinds = ", ".join(f"{number} {label}" for label, number in self.labels.items()) if len(self.labels) > 1 else ""
        lines = [head, f"counted as: {self.how}, by {self.model}", kinds, *self.notes, *map(str, self.things)]
        return "\n".join(
            [line for line in lines if line] + ([f"marks drawn in {self.picture.path}"] if self.picture else [])
        )


@dataclass(frozen=True)
class CountTarget:
    """What is counted: classes, or the example, or a colour and a shape, or all that stands out from the ground."""

    classes: Sequence[str] = ()
    color: Color | None = None
    shape: Shape | None = None
    example: Part | None = None


def count_objects(
    path: Path,
    target: CountTarget,
    *,
    region: Part | None = None,
    min_score: float | None = None,
    tiles: int = 1,
    limit: int = 200,
    backend: BackendChoice = "auto",
    picture: Path | None = None,
) -> ObjectCount:
    """Count things in a picture or in a part of it.

    Args:
        path: of the picture.
        target: what is counted.
        region: the part; all without.
        min_score: from which a model's object or a likeness counts; by default 0.35 and 0.7.
        tiles: rows and columns of parts that a model looks at too.
        limit: of things that are listed.
        backend: which kind of model finds classes.
        picture: where the picture is written with the marks.

    Raises:
        Problem: the picture cannot be read; or two ways are asked for at once; or the model does not know a class.
        ModelUnavailable: classes are wanted and no model is set up.
    """
    ways = [bool(target.classes), target.example is not None, bool(target.color or target.shape)]
    if sum(ways) > 1:
        raise Problem("give only one of classes, example, or color and contour")
    if target.classes:
        object_count = _by_classes(path, target.classes, region, min_score or 0.35, tiles, backend)
    elif target.example:
        object_count = _by_example(path, target.example, region, min_score or 0.7)
    else:
        object_count = _by_looks(path, target, region)
    object_count = replace(
        object_count,
        things=object_count.things[:limit],
        notes=(*object_count.notes, *_note_cut(len(object_count.things), limit)),
    )
    if picture is None:
        return object_count
    marks = [Mark(str(thing.number), thing.box, thing.label) for thing in object_count.things]
    return replace(object_count, picture=save_marked(path, picture, marks))


def _note_cut(things: int, limit: int) -> list[str]:
    return [f"{things - limit} more are not listed (limit {limit})"] if things > limit else []


def _number_things(items: Sequence[tuple[str, Box, float | None]]) -> tuple[CountedThing, ...]:
    return tuple(CountedThing(number, *item) for number, item in enumerate(items, start=1))


def _tally_labels(things: Sequence[CountedThing]) -> dict[str, int]:
    labels = [thing.label for thing in things]
    return {label: labels.count(label) for label in dict.fromkeys(labels)}


def _by_classes(
    path: Path, classes: Sequence[str], region: Part | None, min_score: float, tiles: int, backend: BackendChoice
) -> ObjectCount:
    detector = chosen_detector(backend)
    labels = detector.check_labels(classes)
    detections, size = detector.detect(path, labels.names, _DOUBT * min_score, tiles, region)
    sure = [detection for detection in detections if detection.score >= min_score]
    confidence = round(len(sure) / len(detections), 2) if detections else 0.0
    things = _number_things([(detection.label, detection.box, detection.score) for detection in sure])
    limited = detector.origin.quality != "full"
    named, reason = " or ".join(labels.names), ""
    if not labels.is_exact:
        reason = f"the model finds {named}, and cannot tell which of them are {' or '.join(classes)}"
    elif not sure and limited:
        reason = f"the model found no {named}, but it is a small model that misses small and crowded objects"
    return ObjectCount(
        None if reason else len(sure),
        limited,
        confidence if detections else (0.0 if limited else 0.5),
        f"{named}, from a score of {min_score:g}",
        reason,
        tuple(filter(None, [labels.note, detector.note])),
        things,
        _tally_labels(things),
        *size,
        str(detector.origin),
    )


def _by_example(path: Path, example: Part, region: Part | None, least: float) -> ObjectCount:
    similar_things = run_in_process(find_look_alikes, path, example, region, least)
    things = _number_things([("like the example", place.box, place.score) for place in similar_things.matches])
    sure = max(0.0, 1 - similar_things.doubtful / max(1, len(things) + similar_things.doubtful))
    reason = "" if things else "nothing in the region resembles the example; it may be rotated or of another size"
    return ObjectCount(
        len(things) or None,
        similar_things.doubtful > 0,
        round(sure, 2),
        f"places like the example, correlation at least {least:g}, at 0.6 to 1.6 times its size, rotated at its size",
        reason,
        (f"{similar_things.doubtful} places have a similarity near this limit",) if similar_things.doubtful else (),
        things,
        _tally_labels(things),
        *similar_things.size,
        _MEASURED,
    )


def _by_looks(path: Path, target: CountTarget, region: Part | None) -> ObjectCount:
    matching_things = run_in_process(find_things, path, target.color, target.shape, region)
    things = _number_things(
        [(f"{thing.color} {thing.shape or 'speck'}", thing.box, None) for thing in matching_things.things]
    )
    asked = " ".join(filter(None, [target.color, target.shape]))
    return ObjectCount(
        None if matching_things.unsure else len(things),
        matching_things.at_least,
        matching_things.confidence,
        matching_things.how + (f", of these: {asked}" if asked else ""),
        matching_things.unsure,
        tuple(matching_things.notes),
        things,
        _tally_labels(things),
        *matching_things.size,
        _MEASURED,
    )
