"""The band of the first concert."""

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import group

CHECKS = group(
    "first_concert",
    "The first concert is found",
    leaves.answer_whitelisted("The answer is the band that plays first, by the days that hold now", weight=3),
    leaves.nothing_else("generated/"),
)
