"""The text names what visitors have to do, where and from when on, and nothing of the other sign."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "sign_for_visitors",
    "The visitor knows what to do",
    leaves.answer_whitelisted(
        "The text says what, where and when, and nothing that is asked of drivers",
        lambda facts: facts["named"],
        full_answer=True,
        weight=3,
    ),
    leaves.nothing_else("generated/"),
)
