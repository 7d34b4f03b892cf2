"""The line with the right price stands in the corner, in its colour, and the photograph is as it was."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Lettering
from yardkit.evaluators.readers.media.red_boxes import Box

BOARD = "generated/board.png"
LINE = Lettering(BOARD, lambda facts: {"line": facts["line"]})


def _get_corner(_facts: Facts) -> Box:
    """The lower right part of the photograph of 1000 x 667 pixels."""
    return 450, 560, 1000, 667


CHECKS = make_group(
    "price_on_photo",
    "The photograph says what the set costs",
    LINE.says("line", "Name and price are read on it", weight=3),
    LINE.check_position("corner", "They are in the bottom right corner", lambda _, facts: _get_corner(facts)),
    LINE.check_ink("color", "They have the colour that is asked for", lambda facts: facts["color"]),
    leaves.changed_only_at(
        "rest",
        "The rest of the photograph is as it was",
        BOARD,
        lambda _: "counter.jpg",
        lambda facts: [_get_corner(facts)],
    ),
    leaves.nothing_else(BOARD),
)
