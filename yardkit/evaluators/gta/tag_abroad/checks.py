"""What the order from abroad saves."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "tag_abroad",
    "The prices are compared",
    leaves.answer_whitelisted(
        "The answer is what the order saves in euros, with postage, at the rate of today", weight=3
    ),
    leaves.nothing_else("generated/"),
)
