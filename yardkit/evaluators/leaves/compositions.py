"""Leaves about the composition of a picture: its size, photographs on it, a logo in a corner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.media.compositions import (
    Box,
    Placement,
    locate_picture,
    read_stamp,
    read_upright_picture,
    stamped_at,
)
from yardkit.evaluators.readers.pages.covers import measure_difference
from yardkit.evaluators.submission import Submission

MOST_CHANGED = 0.001
"""Which part of a picture may look otherwise where it is to be as it was."""
_OTHER, _EDGE_PX = 48, 6
_SHAPE, _TURN = 0.02, 0.01
_STAMP_OFF, _STAMP_CONTRAST = 40.0, 2.8


def list_observed(path: str) -> tuple[str, ...]:
    """List the targets of mutants that change a picture."""
    return (f"file:{path}", f"image:{path}")


def picture_size(id: str, statement: str, path: str, size: tuple[int, int], *, weight: float = 1.0) -> Checkpoint:
    """A picture has exactly this width and height in pixels."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        height, width = read_upright_picture(submission, path).shape[:2]
        return make_finding((width, height) == size, f"{width} x {height} pixels")

    return make_checkpoint(id, statement, check, covers=list_observed(path), kind="format", weight=weight)


def changed_only_at(
    id: str,
    statement: str,
    path: str,
    source: Callable[[Facts], str],
    places: Callable[[Facts], Iterable[Sequence[float]]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A picture is a copy of another one that differs only in some places."""

    def check(submission: Submission, facts: Facts) -> Finding:
        changed_share = measure_changed_share(*read_copy(submission, source(facts), path), places(facts))
        return make_finding(changed_share <= MOST_CHANGED, f"{changed_share:.3%} of the rest looks different")

    return make_checkpoint(id, statement, check, covers=list_observed(path), weight=weight)


def read_copy(submission: Submission, source: str, path: str) -> tuple[Any, Any]:
    """Read a picture of the untouched world and its edited copy, which has the same size.

    Raises:
        InsufficientEvidence: nothing was delivered.
        InvalidArtifact: it cannot be read, or has another size.
    """
    before, after = read_upright_picture(submission.untouched, source), read_upright_picture(submission, path)
    if before.shape != after.shape:
        raise InvalidArtifact(f"{path} is {after.shape[1]} x {after.shape[0]} pixels, {source} is not")
    return before, after


def measure_changed_share(before: Any, after: Any, places: Iterable[Sequence[float]]) -> float:
    """Measure the share of a picture that differs from one of the same size, except at places and their edges."""
    changed = measure_difference(before, after) > _OTHER
    for left, top, right, bottom in places:
        low, high = (max(0, round(side) - _EDGE_PX) for side in (left, top))
        changed[high : max(0, round(bottom) + _EDGE_PX), low : max(0, round(right) + _EDGE_PX)] = False
    return float(changed.mean())


def find_photograph(submission: Submission, photograph: str, path: str) -> tuple[Any, Any, Placement]:
    """Read a photograph of the untouched world and a delivered picture, and locate the photograph in it.

    Raises:
        InvalidArtifact: the picture does not show it, or shows it mirrored.
    """
    photo, picture = read_upright_picture(submission.untouched, photograph), read_upright_picture(submission, path)
    place = locate_picture(submission, photo, picture, flat=True)
    if place is None:
        raise InvalidArtifact(f"{path} does not show {photograph}, or shows it mirrored")
    return photo, picture, place


def describe_distortion(place: Placement) -> str:
    """Describe the distortion of a placed photograph; empty if there is none."""
    (across, down), corners = place.scales, place.corners
    turned = abs(corners[1][1] - corners[0][1]) / max(1.0, abs(corners[1][0] - corners[0][0]))
    if abs(across / down - 1) > _SHAPE or turned > _TURN or corners[1][0] < corners[0][0]:
        return f"scale {across:.3f} across, {down:.3f} down, turn {turned:.3f}"
    return ""


@dataclass(frozen=True)
class Logo:
    """A logo in a corner of a picture.

    Attributes:
        path: the picture.
        files: the logo, in one or more colours.
        measures: from the facts: the corner, such as ``top left``, the width, and the margin, in pixels.
    """

    path: str
    files: tuple[str, ...]
    measures: Callable[[Facts], tuple[str, float, float]]

    def box(self, submission: Submission, facts: Facts) -> Box:
        """The required place of the logo."""
        high, wide = read_upright_picture(submission, self.path).shape[:2]
        stamp = read_stamp(submission.untouched.files / self.files[0])
        corner, width, margin = self.measures(facts)
        tall = width * stamp.shape[0] / stamp.shape[1]
        left = margin if "left" in corner else wide - margin - width
        top = margin if "top" in corner else high - margin - tall
        return left, top, left + width, top + tall

    def check_logo(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """One of the logo's files is there, with its size and shape and a contrast of 3 to 1 to its background."""

        def check(submission: Submission, facts: Facts) -> Finding:
            picture, box = read_upright_picture(submission, self.path), self.box(submission, facts)
            stamps = [read_stamp(submission.untouched.files / name) for name in self.files]
            off, clear = min(stamped_at(picture, stamp, box) for stamp in stamps)
            evidence = (
                f"at {box[0]:.0f}, {box[1]:.0f} something {off:.0f} levels from a logo, contrast {clear:.1f} to 1"
            )
            return make_finding(off <= _STAMP_OFF and clear >= _STAMP_CONTRAST, evidence)

        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)
