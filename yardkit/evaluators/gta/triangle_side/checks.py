"""The length of the third side."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "triangle_side",
    "The side is worked out",
    leaves.answer_whitelisted("The answer is the third side of this plot", weight=3),
    leaves.nothing_else("generated/"),
)
