"""The share of one guest."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "menu_bill",
    "The bill is shared",
    leaves.answer_whitelisted("The answer is what each guest pays, by the dinner menu and with service", weight=3),
    leaves.nothing_else("generated/"),
)
