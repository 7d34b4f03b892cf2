"""By how many points the first player leads."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "chip_score",
    "The game is scored",
    leaves.answer_whitelisted("The answer is the lead in points", weight=3),
    leaves.nothing_else("generated/"),
)
