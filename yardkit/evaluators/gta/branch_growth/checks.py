"""By how many percent one branch grew."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import group

CHECKS = group(
    "branch_growth",
    "The growth is known",
    leaves.answer_whitelisted("The answer is the growth of this branch between these years in percent", weight=3),
    leaves.nothing_else("generated/"),
)
