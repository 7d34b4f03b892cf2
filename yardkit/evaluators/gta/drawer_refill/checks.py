"""What the missing washers cost."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "drawer_refill",
    "The refill is priced",
    leaves.answer_whitelisted("The answer is what the missing ones of this compartment cost today", weight=3),
    leaves.nothing_else("generated/"),
)
