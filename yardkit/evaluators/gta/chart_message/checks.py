"""The text names what was counted, the best month, the weakest, and the difference."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "chart_message",
    "The chart is described",
    leaves.answer_whitelisted(
        "The text says what was counted, the best and the weakest month, and the difference between them",
        lambda facts: facts["named"],
        full_answer=True,
        weight=3,
    ),
    leaves.nothing_else("generated/"),
)
