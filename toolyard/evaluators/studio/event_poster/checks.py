"""The poster says what it should, in letters that can be read, and neither covers the face nor distorts the portrait."""

from typing import Any

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from toolyard.evaluators.readers.media.compositions import (
    Box,
    Placement,
    locate,
    read_shown,
    read_stamp,
    share_changed,
    stamped_at,
)
from toolyard.evaluators.readers.media.legibility import capital_height, ink_box, least_contrast, lines_of
from toolyard.evaluators.readers.media.writing import Line, read_lines
from toolyard.evaluators.submission import Submission

POSTER, PORTRAIT = "poster.png", "portrait.jpg"
SIZE = (900, 1200)
_SHAPE, _TURN, _EDGE_PX = 0.02, 0.01, 10
_COVERED = 0.03
"""Which part of the face may look otherwise."""
_SMALLER, _NEARER_PX, _CONTRAST = 0.92, 8, 4.0
"""What measuring may lose: of the height of letters, of distances, of the contrast that is asked for (4.5)."""
_STAMP_OFF, _STAMP_CONTRAST = 40.0, 2.8


def _lines(submission: Submission, facts: Facts) -> dict[str, list[Line]]:
    """The lines in which each text stands."""
    lines = read_lines(submission, read_shown(submission, POSTER))
    return {name: lines_of(lines, text) for name, text in facts["texts"].items()}


def _all_lines(submission: Submission, facts: Facts) -> list[Line]:
    found = _lines(submission, facts)
    if lacking := [name for name, lines in found.items() if not lines]:
        raise InvalidArtifact(f"{POSTER} cannot be read: {', '.join(lacking)} not found")
    return [line for lines in found.values() for line in lines]


def _portrait(submission: Submission) -> tuple[Any, Any, Placement]:
    portrait, poster = read_shown(submission.untouched, PORTRAIT), read_shown(submission, POSTER)
    place = locate(submission, portrait, poster, flat=True)
    if place is None:
        raise InvalidArtifact(f"{POSTER} does not show {PORTRAIT}, or shows it mirrored")
    return portrait, poster, place


def _size(submission: Submission, _facts: Facts) -> Finding:
    height, width = read_shown(submission, POSTER).shape[:2]
    return finding((width, height) == SIZE, f"{width} x {height} pixels")


def _fills(submission: Submission, _facts: Facts) -> Finding:
    """The portrait has its shape and reaches all edges; no bar covers a side of it."""
    portrait, poster, place = _portrait(submission)
    (across, down), corners = place.scales, place.corners
    turned = abs(corners[1][1] - corners[0][1]) / max(1.0, abs(corners[1][0] - corners[0][0]))
    low, high = corners.min(axis=0), corners.max(axis=0)
    height, width = poster.shape[:2]
    gap = max(low[0], low[1], width - high[0], height - high[1])
    holds = abs(across / down - 1) <= _SHAPE and turned <= _TURN and gap <= _EDGE_PX
    return finding(
        holds, f"scale {across:.3f} across, {down:.3f} down, {gap:.0f} px of the edge free, turn {turned:.3f}"
    )


def _face(submission: Submission, facts: Facts) -> Finding:
    portrait, poster, place = _portrait(submission)
    left, top, right, bottom = place.box(facts["face"])
    whole = left >= 0 and top >= 0 and right <= poster.shape[1] and bottom <= poster.shape[0]
    changed = share_changed(portrait, place.take_back(poster), facts["face"])
    return finding(whole and changed <= _COVERED, f"the face is whole: {whole}; {changed:.1%} of it looks otherwise")


def _says(name: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        found = _lines(submission, facts)[name]
        return finding(bool(found), f"{facts['texts'][name]!r} is read in {len(found)} lines")

    return check


def _high(submission: Submission, facts: Facts) -> Finding:
    poster, lines = read_shown(submission, POSTER), _lines(submission, facts)
    _all_lines(submission, facts)
    wanted = {"title": facts["title_px"], "when": facts["line_px"], "where": facts["line_px"]}
    found = {name: capital_height(poster, lines[name]) for name in wanted}
    holds = all(found[name] >= _SMALLER * least for name, least in wanted.items())
    return finding(holds, f"capitals are {found} pixels high, at least {wanted} are asked for")


def _within(submission: Submission, facts: Facts) -> Finding:
    margin = facts["margin"] - _NEARER_PX
    near = [
        text
        for text, box in _boxes(submission, facts)
        if min(box[:2]) < margin or box[2] > SIZE[0] - margin or box[3] > SIZE[1] - margin
    ]
    return finding(not near, f"lines too near to the edge: {near or 'none'}")


def _boxes(submission: Submission, facts: Facts) -> list[tuple[str, Box]]:
    """Each line with the box of its letters."""
    poster = read_shown(submission, POSTER)
    return [(line.text, ink_box(poster, line)) for line in _all_lines(submission, facts)]


def _contrast(submission: Submission, facts: Facts) -> Finding:
    words = [box for line in _all_lines(submission, facts) for _, box in line.words]
    weakest = least_contrast(read_shown(submission, POSTER), words)
    return finding(weakest >= _CONTRAST, f"the weakest letter has a contrast of {weakest:.1f} to 1")


def _logo_box(submission: Submission, facts: Facts) -> Box:
    stamp = read_stamp(submission.untouched.files / "logo_light.png")
    wide, margin = facts["logo"], facts["margin"]
    tall = wide * stamp.shape[0] / stamp.shape[1]
    left = margin if "left" in facts["corner"] else SIZE[0] - margin - wide
    top = margin if "top" in facts["corner"] else SIZE[1] - margin - tall
    return left, top, left + wide, top + tall


def _logo(submission: Submission, facts: Facts) -> Finding:
    poster, box = read_shown(submission, POSTER), _logo_box(submission, facts)
    stamps = [read_stamp(submission.untouched.files / f"logo_{name}.png") for name in ("light", "dark")]
    off, clear = min(stamped_at(poster, stamp, box) for stamp in stamps)
    says = f"in the {facts['corner']} corner something {off:.0f} levels from a logo, contrast {clear:.1f} to 1"
    return finding(off <= _STAMP_OFF and clear >= _STAMP_CONTRAST, says)


def _apart(submission: Submission, facts: Facts) -> Finding:
    left, top, right, bottom = _logo_box(submission, facts)
    room = facts["clear"] - _NEARER_PX
    near = [
        text
        for text, box in _boxes(submission, facts)
        if left - room < box[2] and box[0] < right + room and top - room < box[3] and box[1] < bottom + room
    ]
    return finding(not near, f"lines too near to the logo: {near or 'none'}")


OBSERVED = (f"file:{POSTER}", f"image:{POSTER}")
CHECKS = group(
    "event_poster",
    "The poster can hang in the foyer",
    leaf("size", "It has the size of the screens", _size, observes=OBSERVED, kind="format"),
    group(
        "portrait",
        "The portrait is as it should be",
        leaf("fills", "It fills the poster, undistorted", _fills, observes=OBSERVED),
        leaf("face", "The face is whole and free", _face, observes=OBSERVED, weight=2),
        weight=3,
    ),
    group(
        "text",
        "The text is right and legible",
        leaf("title", "The title is there", _says("title"), observes=OBSERVED),
        leaf("when", "So are the new day and time", _says("when"), observes=OBSERVED),
        leaf("where", "So is the place", _says("where"), observes=OBSERVED),
        leaf("high", "Letters are high enough", _high, observes=OBSERVED, weight=2),
        leaf("within", "None is near to the edge", _within, observes=OBSERVED),
        leaf("contrast", "Each has contrast", _contrast, observes=OBSERVED, weight=2),
        weight=4,
    ),
    group(
        "house",
        "The logo is where it belongs",
        leaf("logo", "It stands in its corner, in its size, with contrast", _logo, observes=OBSERVED),
        leaf("apart", "No text is near to it", _apart, observes=OBSERVED),
        weight=2,
    ),
    leaves.inspected("The agent looked at the poster that it hands in", POSTER),
    leaves.nothing_else(POSTER),
)
