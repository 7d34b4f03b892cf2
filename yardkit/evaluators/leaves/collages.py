"""Leaves about photographs that are put together on one sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, finding, leaf
from yardkit.evaluators.leaves.compositions import Logo, distortion, find_photograph, observed
from yardkit.evaluators.readers.media.compositions import (
    Box,
    Placement,
    read_shown,
    share_changed,
    sharpness_kept,
    visible_part,
)
from yardkit.evaluators.readers.media.tints import rgb_of
from yardkit.evaluators.submission import Submission

_SHARP, _AREA, _FACE, _CHANGED = 0.4, 0.5, 0.97, 0.05
"""How sharp a photo must be for its size, how much of it is seen, how much of a face, and what of that is otherwise."""
_LEVELS, _SPOILED, _NEARER_PX = 12, 0.004, 5


class _Laid(NamedTuple):
    """A photo that lies on the sheet: its path, its face if it has one, the part that is seen, and where that is."""

    path: str
    face: Sequence[float] | None
    photo: Any
    place: Placement
    seen: Any
    box: Box


@dataclass(frozen=True)
class Collage:
    """A sheet with photographs and a logo on a ground of one colour.

    Attributes:
        path: the sheet.
        logo: the logo on it.
        photos: from the facts: each photo that must be on it, with its ``path`` and the box of its ``face``, or None.
        measures: from the facts: ``color``, ``margin``, ``gap`` and ``cell``, the least side of a photo.
    """

    path: str
    logo: Logo
    photos: Callable[[Facts], Sequence[Mapping[str, Any]]]
    measures: Callable[[Facts], Mapping[str, Any]]

    def motifs(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """Each photo is there, and as sharp as it can be in that size: not from a worse copy."""

        def check(submission: Submission, facts: Facts) -> Finding:
            sheet, laid = read_shown(submission, self.path), self._laid(submission, facts, some=True)
            sharp = {one.path: sharpness_kept(one.photo, sheet, one.place, one.seen) for one in laid}
            lacking = [photo["path"] for photo in self.photos(facts) if photo["path"] not in sharp]
            poor = [f"{path} ({value:.2f})" for path, value in sharp.items() if value < _SHARP]
            return finding(not lacking and not poor, f"not there: {lacking}; from a worse copy: {poor}")

        return self._leaf(id, says, check, weight)

    def shapes(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """No photo is distorted, turned or mirrored."""

        def check(submission: Submission, facts: Facts) -> Finding:
            found = {one.path: distortion(one.place) for one in self._laid(submission, facts)}
            wrong = [f"{path}: {words}" for path, words in found.items() if words]
            return finding(not wrong, f"distorted: {wrong or 'none'}")

        return self._leaf(id, says, check, weight)

    def faces(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """All of each face is seen, and nothing lies on it."""

        def check(submission: Submission, facts: Facts) -> Finding:
            sheet, wrong = read_shown(submission, self.path), []
            for one in self._laid(submission, facts):
                if one.face:
                    left, top, right, bottom = (round(side) for side in one.face)
                    seen = float(one.seen[top:bottom, left:right].mean())
                    changed = share_changed(one.photo, one.place.take_back(sheet), one.face)
                    wrong += [f"{one.path} ({seen:.0%})"] if seen < _FACE or changed > _CHANGED else []
            return finding(not wrong, f"faces cut or covered: {wrong or 'none'}")

        return self._leaf(id, says, check, weight)

    def room(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """Photos are large enough, seen by half, and apart from each other, from the edges and from the logo."""

        def check(submission: Submission, facts: Facts) -> Finding:
            high, wide = read_shown(submission, self.path).shape[:2]
            laid, brand, wrong = self._laid(submission, facts), self.measures(facts), []
            for one in laid:
                box = one.box
                small = min(box[2] - box[0], box[3] - box[1]) < brand["cell"] - 2 * _NEARER_PX
                near = min(box[0], box[1], wide - box[2], high - box[3]) < brand["margin"] - _NEARER_PX
                wrong += [one.path] if small or near or one.seen.mean() < _AREA else []
            boxes = [("logo", self.logo.box(submission, facts)), *((one.path, one.box) for one in laid)]
            pairs = [(a, b) for a, b in combinations(boxes, 2) if _between(a[1], b[1]) < brand["gap"] - _NEARER_PX]
            wrong += [f"{one[0]} and {other[0]}" for one, other in pairs]
            return finding(not wrong, f"too small, too much cut, or too near: {wrong or 'none'}")

        return self._leaf(id, says, check, weight)

    def ground(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """What is neither photo nor logo has the colour of the ground."""

        def check(submission: Submission, facts: Facts) -> Finding:
            import numpy as np

            sheet, color = read_shown(submission, self.path), self.measures(facts)["color"]
            off = np.abs(sheet.astype(np.int16) - np.array(rgb_of(color), np.int16)).max(axis=2) > _LEVELS
            for box in [*(one.box for one in self._laid(submission, facts)), self.logo.box(submission, facts)]:
                left, top, right, bottom = (max(0, round(side)) for side in box)
                off[max(0, top - 4) : bottom + 4, max(0, left - 4) : right + 4] = False
            return finding(off.mean() <= _SPOILED, f"{off.mean():.2%} is neither photo, logo nor {color}")

        return self._leaf(id, says, check, weight)

    def _laid(self, submission: Submission, facts: Facts, *, some: bool = False) -> list[_Laid]:
        """The photos that lie on the sheet.

        Raises:
            InvalidArtifact: one does not, unless `some` are enough.
        """
        found = []
        for wanted in self.photos(facts):
            try:
                photo, sheet, place = find_photograph(submission, wanted["path"], self.path)
            except InvalidArtifact:
                if not some:
                    raise
                continue
            seen, box = visible_part(photo, sheet, place, rgb_of(self.measures(facts)["color"]))
            found.append(_Laid(wanted["path"], wanted["face"], photo, place, seen, box))
        return found

    def _leaf(self, id: str, says: str, check: Callable[[Submission, Facts], Finding], weight: float) -> Checkpoint:
        return leaf(id, says, check, observes=observed(self.path), weight=weight)


def _between(one: Box, other: Box) -> float:
    """How far two boxes are apart."""
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
