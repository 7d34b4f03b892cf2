"""The litres in the tank."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "tank_litres",
    "The water is measured",
    leaves.answer_whitelisted("The answer is what is in this tank, in litres", weight=3),
    leaves.nothing_else("generated/"),
)
