"""One red box stands around the dearest article, and the rest of the receipt is as it was."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import DrawnBoxes

BOXED = "generated/dearest.png"
BOXES = DrawnBoxes(BOXED, lambda _: "receipt.jpg", lambda facts: facts["wanted"], lambda facts: facts["others"])
CHECKS = make_group(
    "box_dearest",
    "The dearest article is marked",
    BOXES.check_boxes("around", "One box stands around the dearest article, and around no other", weight=4),
    BOXES.check_remaining_picture("rest", "The article can still be read, and the rest of the receipt is as it was"),
    leaves.nothing_else(BOXED),
)
