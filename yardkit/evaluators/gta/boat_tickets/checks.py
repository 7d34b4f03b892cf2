"""What all pay together."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "boat_tickets",
    "The trip is paid",
    leaves.answer_whitelisted("The answer is what all of them pay, as a group where they are enough", weight=3),
    leaves.nothing_else("generated/"),
)
