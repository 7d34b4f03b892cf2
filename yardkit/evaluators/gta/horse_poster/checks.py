"""How many times as wide the subject is."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "horse_poster",
    "The sizes are compared",
    leaves.answer_whitelisted("The answer is how many times as wide it is on the poster", weight=3),
    leaves.nothing_else("generated/"),
)
