"""The first number of months for which the other tariff is cheaper."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "gym_months",
    "The tariffs are compared",
    leaves.answer_whitelisted("The answer is the first month after which it is cheaper, with both fees", weight=3),
    leaves.nothing_else("generated/"),
)
