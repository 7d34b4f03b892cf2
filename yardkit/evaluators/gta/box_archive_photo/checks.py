"""A red box stands around the thing, with the archive number above it, and all else is as it was."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import DrawnBoxes, Lettering
from yardkit.evaluators.readers.media.red_boxes import Box

BOXED = "generated/found.png"
BOXES = DrawnBoxes(BOXED, lambda facts: facts["source"], lambda facts: facts["wanted"], largest=2.4)
NUMBER = Lettering(BOXED, lambda facts: {"number": facts["number"]})


def _locate_above(facts: Facts) -> Box:
    """Where the number is to stand: over the thing, or at the upper edge of its box."""
    left, top, right, _ = facts["wanted"][0]
    return left - 150, max(0, top - 130), right + 150, top + 60


CHECKS = make_group(
    "box_archive_photo",
    "The thing is marked",
    BOXES.check_boxes("around", "One box stands closely around the thing", weight=3),
    NUMBER.says("number", "The archive number is read on the picture", weight=2),
    NUMBER.check_position("above", "It is above the box", lambda _, facts: _locate_above(facts)),
    BOXES.check_remaining_picture(
        "rest", "The rest of the print is as it was", also=lambda facts: [_locate_above(facts)]
    ),
    leaves.nothing_else(BOXED),
)
