"""What the fence costs."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "fence_cost",
    "The fence is priced",
    leaves.answer_whitelisted("The answer is what the fence along three sides costs, in this wood", weight=3),
    leaves.nothing_else("generated/"),
)
