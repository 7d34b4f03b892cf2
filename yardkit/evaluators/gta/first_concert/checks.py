"""The band of the first concert."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "first_concert",
    "The first concert is found",
    leaves.answer_whitelisted("The answer is the band that plays first, by the days that hold now", weight=3),
    leaves.nothing_else("generated/"),
)
