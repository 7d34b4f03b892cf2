"""The value that one group is asked for."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "blackboard_pair",
    "The pair of equations is solved",
    leaves.answer_whitelisted("The answer is what this group is to find", weight=3),
    leaves.nothing_else("generated/"),
)
