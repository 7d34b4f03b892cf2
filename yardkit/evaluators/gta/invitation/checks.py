"""The invitation shows the sharp shot with the texts of today on its ground, and the page shows it whole."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Lettering, find_photograph, list_observed
from yardkit.evaluators.readers.media.compositions import measure_sharpness, share_changed
from yardkit.evaluators.submission import Submission

PICTURE, PAGE = "invitation.png", "invitation.html"
WIDE, HIGH, GROUND = 800, 540, (0, 540, 800, 720)
"""Of the photograph; the ground of the texts below it."""
_OFF_PX, _SHARP, _TOUCHED = 3.0, 0.7, 0.0005


def _sharp_shot(submission: Submission, facts: Facts) -> Finding:
    """The shot lies where it lay, as large, and as sharp."""
    import numpy as np

    photo, picture, place = find_photograph(submission, facts["shot"], PICTURE)
    wide, high = place.size
    off = float(np.abs(place.corners - [(0, 0), (wide, 0), (wide, high), (0, high)]).max())
    seen = np.zeros((high, wide), bool)
    seen[:HIGH] = True
    sharpness = measure_sharpness(photo, picture, place, seen)
    holds = picture.shape == photo.shape and off <= _OFF_PX and sharpness >= _SHARP
    return make_finding(
        holds, f"{picture.shape[1]} x {picture.shape[0]}, {off:.1f} px beside it, {sharpness:.0%} as sharp"
    )


def _check_free_area(submission: Submission, facts: Facts) -> Finding:
    photo, picture, place = find_photograph(submission, facts["shot"], PICTURE)
    changed = share_changed(photo, place.take_back(picture), (0, 0, WIDE, HIGH))
    return make_finding(changed <= _TOUCHED, f"{changed:.2%} of the photograph looks different")


TEXTS = Lettering(PICTURE, lambda facts: facts["texts"])
CHECKS = make_group(
    "invitation",
    "The invitation can go out",
    make_group(
        "picture",
        "The picture matches the latest brief",
        make_checkpoint(
            "shot", "It is the sharp shot, in its size", _sharp_shot, covers=list_observed(PICTURE), weight=3
        ),
        make_checkpoint("free", "Nothing covers the photograph", _check_free_area, covers=list_observed(PICTURE)),
        TEXTS.says("title", "The title is there"),
        TEXTS.says("when", "So are the new day and time", weight=2),
        TEXTS.says("where", "So are the new house and its street", weight=2),
        TEXTS.check_contrast("contrast", "The letters have contrast", 4.5),
        leaves.check_framed_text(
            "framed", "A red frame is around day and time alone", TEXTS, "when", within=GROUND, weight=2
        ),
        weight=4,
    ),
    make_group(
        "page",
        "The page shows it",
        leaves.page_shows(
            "shown", "It is fully visible on a screen and a telephone", PAGE, PICTURE, (1000, 390), weight=2
        ),
        leaves.check_headings(
            "heading", "Its one heading is the title", PAGE, lambda facts: [(1, facts["texts"]["title"])]
        ),
        leaves.check_texts(
            "words",
            "It says what, when, where, in which town, until when and to whom to answer; and nothing of before",
            PAGE,
            lambda facts: [*facts["texts"].values(), facts["town"], facts["answer_by"], facts["mail"]],
            never=lambda facts: facts["old"],
            weight=3,
        ),
        leaves.check_alternative_text(
            "named", "It has an alternative text", PAGE, PICTURE, lambda facts: facts["texts"]["title"]
        ),
        leaves.links_to("linked", "A link opens a mail", PAGE, lambda facts: f"mailto:{facts['mail']}"),
        weight=3,
    ),
    leaves.nothing_else(PICTURE, PAGE, "generated/"),
)
