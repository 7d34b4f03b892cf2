"""By how many percent one branch grew."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "branch_growth",
    "The growth is known",
    leaves.answer_whitelisted("The answer is the growth of this branch between these years in percent", weight=3),
    leaves.nothing_else("generated/"),
)
