"""The room of the talk."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "badge_room",
    "The talk is found",
    leaves.answer_whitelisted("The answer is the room of this person's talk at this conference", weight=3),
    leaves.nothing_else("generated/"),
)
