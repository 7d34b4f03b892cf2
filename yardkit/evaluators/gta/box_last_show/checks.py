"""One red box stands around the right time, and the rest of the programme is as it was."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import DrawnBoxes

BOXED = "generated/show.png"
BOXES = DrawnBoxes(BOXED, lambda _: "cinema.png", lambda facts: facts["wanted"], lambda facts: facts["others"])
CHECKS = make_group(
    "box_last_show",
    "The latest show that ends in time is marked",
    BOXES.check_boxes("around", "One box stands around its time, and around no other", weight=4),
    BOXES.check_remaining_picture("rest", "The time can still be read, and the rest of the programme is as it was"),
    leaves.nothing_else(BOXED),
)
