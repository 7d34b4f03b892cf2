"""The poster says what it should, legibly, and neither covers the face nor distorts the portrait."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Lettering, Logo, describe_distortion, find_photograph, list_observed
from yardkit.evaluators.readers.media.compositions import share_changed
from yardkit.evaluators.submission import Submission

POSTER, PORTRAIT = "poster.png", "portrait.jpg"
_EDGE_PX, _COVERED = 10, 0.03
"""How much of an edge may be free, and which part of the face may look otherwise."""


def _check_filled(submission: Submission, _facts: Facts) -> Finding:
    """The portrait has its shape and reaches all edges; no bar is left at a side."""
    _, poster, place = find_photograph(submission, PORTRAIT, POSTER)
    low, high = place.corners.min(axis=0), place.corners.max(axis=0)
    gap, wrong = max(low[0], low[1], poster.shape[1] - high[0], poster.shape[0] - high[1]), describe_distortion(place)
    return make_finding(not wrong and gap <= _EDGE_PX, f"{gap:.0f} px of an edge free; {wrong or 'not distorted'}")


def _check_face(submission: Submission, facts: Facts) -> Finding:
    portrait, poster, place = find_photograph(submission, PORTRAIT, POSTER)
    left, top, right, bottom = place.box(facts["face"])
    is_complete = left >= 0 and top >= 0 and right <= poster.shape[1] and bottom <= poster.shape[0]
    changed = share_changed(portrait, place.take_back(poster), facts["face"])
    return make_finding(
        is_complete and changed <= _COVERED, f"the face is whole: {is_complete}; {changed:.1%} of it looks different"
    )


def _map_heights(facts: Facts) -> dict[str, float]:
    return {"title": facts["title_px"], "when": facts["line_px"], "where": facts["line_px"]}


TEXTS = Lettering(POSTER, lambda facts: facts["texts"])
LOGO = Logo(
    POSTER, ("logo_light.png", "logo_dark.png"), lambda facts: (facts["corner"], facts["logo"], facts["margin"])
)
CHECKS = make_group(
    "event_poster",
    "The poster can hang in the foyer",
    leaves.picture_size("size", "It has the size of the screens", POSTER, (900, 1200)),
    make_group(
        "portrait",
        "The portrait is as it should be",
        make_checkpoint("fills", "It fills the poster, undistorted", _check_filled, covers=list_observed(POSTER)),
        make_checkpoint("face", "The face is whole and free", _check_face, covers=list_observed(POSTER), weight=2),
        weight=3,
    ),
    make_group(
        "text",
        "The text is right and legible",
        TEXTS.says("title", "The title is there"),
        TEXTS.says("when", "So are the new day and time"),
        TEXTS.says("where", "So is the place"),
        TEXTS.check_heights("high", "Letters are high enough", _map_heights, weight=2),
        TEXTS.check_margin("within", "None is near to the edge", lambda facts: facts["margin"]),
        TEXTS.check_contrast("contrast", "Each has contrast", 4.5, weight=2),
        weight=4,
    ),
    make_group(
        "house",
        "The logo is where it belongs",
        LOGO.check_logo("logo", "It is in its corner, in its size, with contrast"),
        TEXTS.check_clearance("apart", "No text is near to it", LOGO.box, lambda facts: facts["clear"]),
        weight=2,
    ),
    leaves.check_inspected("The agent looked at the poster that it hands in", POSTER),
    leaves.nothing_else(POSTER),
)
