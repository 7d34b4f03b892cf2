"""Leaves about red boxes drawn on a copy of a picture: the places they mark, and the unchanged rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import MOST_CHANGED, list_observed, measure_changed_share, read_copy
from yardkit.evaluators.readers.media.compositions import detail_left
from yardkit.evaluators.readers.media.red_boxes import RedBox, find_red_boxes
from yardkit.evaluators.submission import Submission

_LEAST_COVERED = 0.85
"""Which part of a place its box holds at least."""
_SEEN = 0.5
"""What of the detail in a box is left at least."""
_LEAST_PX = 48
"""A place that is lower or narrower is taken for so high or wide where the size of its box is judged."""
Boxes = Callable[[Facts], Sequence[Sequence[float]]]


@dataclass(frozen=True)
class DrawnBoxes:
    """Boxes on a picture.

    Attributes:
        path: the picture.
        source: the picture on whose copy they are drawn.
        expected_boxes: from the facts, the places that must have a box each.
        others: the places that must not have a box, such as similar objects.
        largest: the maximum size of a box as a multiple of its place.
    """

    path: str
    source: Callable[[Facts], str]
    expected_boxes: Boxes
    others: Boxes = lambda _facts: ()
    largest: float = 4.0

    def check_boxes(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each place has a box that is not much larger, no other place is in a box, and there are no other boxes."""

        def check(submission: Submission, facts: Facts) -> Finding:
            boxes = [box.inside for box in self.boxes(submission, facts)]
            expected_boxes, others = self.expected_boxes(facts), self.others(facts)
            missing_boxes = [
                place for place in expected_boxes if not any(_fits_box(box, place, self.largest) for box in boxes)
            ]
            wrong = [place for place in others if any(_holds_middle(box, place) for box in boxes)]
            evidence = f"boxes {boxes}; without one: {missing_boxes or 'none'}; boxed by mistake: {wrong or 'none'}"
            return make_finding(not missing_boxes and not wrong and len(boxes) == len(expected_boxes), evidence)

        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)

    def check_remaining_picture(
        self, id: str, statement: str, *, also: Boxes = lambda _facts: (), weight: float = 1.0
    ) -> Checkpoint:
        """The content of the boxes is visible, and the picture outside of them is unchanged, except at some places."""

        def check(submission: Submission, facts: Facts) -> Finding:
            before, after = self._read_pictures(submission, facts)
            boxes = self.boxes(submission, facts)
            covered = [box.inside for box in boxes if detail_left(before, after, box.inside) < _SEEN]
            changed_share = measure_changed_share(before, after, (*(box.outside for box in boxes), *also(facts)))
            evidence = f"covered: {covered or 'none'}; {changed_share:.3%} of the rest looks different"
            return make_finding(bool(boxes) and not covered and changed_share <= MOST_CHANGED, evidence)

        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)

    def boxes(self, submission: Submission, facts: Facts) -> list[RedBox]:
        """Find the drawn boxes.

        Raises:
            InsufficientEvidence: the picture was not delivered.
            InvalidArtifact: it cannot be read, or has another size than its source.
        """
        return find_red_boxes(*self._read_pictures(submission, facts))

    def _read_pictures(self, submission: Submission, facts: Facts) -> tuple[Any, Any]:
        return read_copy(submission, self.source(facts), self.path)


def _fits_box(box: Sequence[float], place: Sequence[float], largest: float) -> bool:
    wide, high = (min(box[at + 2], place[at + 2]) - max(box[at], place[at]) for at in (0, 1))
    covered_share = max(0.0, wide) * max(0.0, high) / ((place[2] - place[0]) * (place[3] - place[1]))
    size = max(place[2] - place[0], _LEAST_PX) * max(place[3] - place[1], _LEAST_PX)
    return covered_share >= _LEAST_COVERED and (box[2] - box[0]) * (box[3] - box[1]) <= largest * size


def _holds_middle(box: Sequence[float], place: Sequence[float]) -> bool:
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
