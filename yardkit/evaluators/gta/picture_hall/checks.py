"""The hall of one picture."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "picture_hall",
    "The picture is found",
    leaves.answer_whitelisted("The answer is the hall in which the picture of this thing hangs this year", weight=3),
    leaves.nothing_else("generated/"),
)
