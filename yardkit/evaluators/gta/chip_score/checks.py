"""By how many points the first player leads."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import group

CHECKS = group(
    "chip_score",
    "The game is scored",
    leaves.answer_whitelisted("The answer is the lead in points", weight=3),
    leaves.nothing_else("generated/"),
)
