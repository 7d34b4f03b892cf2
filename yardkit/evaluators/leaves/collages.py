"""Leaves about photographs that are combined on one sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import Logo, describe_distortion, find_photograph, list_observed
from yardkit.evaluators.readers.media.compositions import (
    Box,
    Placement,
    measure_sharpness,
    read_upright_picture,
    share_changed,
    visible_part,
)
from yardkit.evaluators.readers.media.tints import rgb_of
from yardkit.evaluators.submission import Submission

_SHARP, _AREA, _FACE, _CHANGED = 0.4, 0.5, 0.97, 0.05
"""How sharp a photo must be for its size, how much of it is seen, how much of a face, and what of that is otherwise."""
_LEVELS, _MOST_CHANGED, _NEARER_PX = 12, 0.004, 5


class _Laid(NamedTuple):
    """A photo on the sheet: its path, its face if it has one, the visible part, and its place."""

    path: str
    face: Sequence[float] | None
    photo: Any
    place: Placement
    seen: Any
    box: Box


@dataclass(frozen=True)
class Collage:
    """A sheet with photographs and a logo on a background of one colour.

    Attributes:
        path: the sheet.
        logo: the logo on it.
        photos: from the facts: each required photo, with its ``path`` and the box of its ``face``, or None.
        measures: from the facts: ``color``, ``margin``, ``gap`` and ``cell``, the minimum side of a photo.
    """

    path: str
    logo: Logo
    photos: Callable[[Facts], Sequence[Mapping[str, Any]]]
    measures: Callable[[Facts], Mapping[str, Any]]

    def check_motifs(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each photo is on the sheet, and as sharp as possible in that size, so not from a worse copy."""

        def check(submission: Submission, facts: Facts) -> Finding:
            sheet, laid = read_upright_picture(submission, self.path), self._locate_photos(submission, facts, some=True)
            sharp = {
                placed_photo.path: measure_sharpness(placed_photo.photo, sheet, placed_photo.place, placed_photo.seen)
                for placed_photo in laid
            }
            missing_photos = [photo["path"] for photo in self.photos(facts) if photo["path"] not in sharp]
            poor = [f"{path} ({value:.2f})" for path, value in sharp.items() if value < _SHARP]
            return make_finding(
                not missing_photos and not poor, f"not there: {missing_photos}; from a worse copy: {poor}"
            )

        return self._make_leaf(id, statement, check, weight)

    def shapes(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """No photo is distorted, turned or mirrored."""

        def check(submission: Submission, facts: Facts) -> Finding:
            distortions = {
                placed_photo.path: describe_distortion(placed_photo.place)
                for placed_photo in self._locate_photos(submission, facts)
            }
            wrong = [f"{path}: {words}" for path, words in distortions.items() if words]
            return make_finding(not wrong, f"distorted: {wrong or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_faces(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each face is completely visible and not covered."""

        def check(submission: Submission, facts: Facts) -> Finding:
            sheet, wrong = read_upright_picture(submission, self.path), []
            for placed_photo in self._locate_photos(submission, facts):
                if placed_photo.face:
                    left, top, right, bottom = (round(side) for side in placed_photo.face)
                    seen = float(placed_photo.seen[top:bottom, left:right].mean())
                    changed = share_changed(placed_photo.photo, placed_photo.place.take_back(sheet), placed_photo.face)
                    wrong += [f"{placed_photo.path} ({seen:.0%})"] if seen < _FACE or changed > _CHANGED else []
            return make_finding(not wrong, f"faces cut or covered: {wrong or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_room(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Photos are large enough, at least half visible, and far enough from each other, the edges and the logo."""

        def check(submission: Submission, facts: Facts) -> Finding:
            high, wide = read_upright_picture(submission, self.path).shape[:2]
            laid, brand, wrong = self._locate_photos(submission, facts), self.measures(facts), []
            for placed_photo in laid:
                box = placed_photo.box
                small = min(box[2] - box[0], box[3] - box[1]) < brand["cell"] - 2 * _NEARER_PX
                near = min(box[0], box[1], wide - box[2], high - box[3]) < brand["margin"] - _NEARER_PX
                wrong += [placed_photo.path] if small or near or placed_photo.seen.mean() < _AREA else []
            boxes = [
                ("logo", self.logo.box(submission, facts)),
                *((placed_photo.path, placed_photo.box) for placed_photo in laid),
            ]
            pairs = [(a, b) for a, b in combinations(boxes, 2) if _measure_gap(a[1], b[1]) < brand["gap"] - _NEARER_PX]
            wrong += [f"{first[0]} and {other[0]}" for first, other in pairs]
            return make_finding(not wrong, f"too small, too much cut, or too near: {wrong or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_ground(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Everything except photos and logo has the background colour."""

        def check(submission: Submission, facts: Facts) -> Finding:
            import numpy as np

            sheet, color = read_upright_picture(submission, self.path), self.measures(facts)["color"]
            off = np.abs(sheet.astype(np.int16) - np.array(rgb_of(color), np.int16)).max(axis=2) > _LEVELS
            for box in [
                *(placed_photo.box for placed_photo in self._locate_photos(submission, facts)),
                self.logo.box(submission, facts),
            ]:
                left, top, right, bottom = (max(0, round(side)) for side in box)
                off[max(0, top - 4) : bottom + 4, max(0, left - 4) : right + 4] = False
            return make_finding(off.mean() <= _MOST_CHANGED, f"{off.mean():.2%} is neither photo, logo nor {color}")

        return self._make_leaf(id, statement, check, weight)

    def _locate_photos(self, submission: Submission, facts: Facts, *, some: bool = False) -> list[_Laid]:
        """Locate the photos on the sheet.

        Raises:
            InvalidArtifact: one is missing, unless `some` are enough.
        """
        placed_photos = []
        for expected_photo in self.photos(facts):
            try:
                photo, sheet, place = find_photograph(submission, expected_photo["path"], self.path)
            except InvalidArtifact:
                if not some:
                    raise
                continue
            seen, box = visible_part(photo, sheet, place, rgb_of(self.measures(facts)["color"]))
            placed_photos.append(_Laid(expected_photo["path"], expected_photo["face"], photo, place, seen, box))
        return placed_photos

    def _make_leaf(
        self, id: str, statement: str, check: Callable[[Submission, Facts], Finding], weight: float
    ) -> Checkpoint:
        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)


def _measure_gap(first: Box, other: Box) -> float:
    """The distance of two boxes."""
    return max(first[0] - other[2], other[0] - first[2], first[1] - other[3], other[1] - first[3])
