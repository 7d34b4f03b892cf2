"""The sentence names what is shown, the town and the year, and not those of the print."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group

CHECKS = make_group(
    "alt_text",
    "The photograph is described",
    leaves.answer_whitelisted(
        "The sentence says what is shown, where and when it was taken, and nothing of the print",
        lambda facts: facts["named"],
        full_answer=True,
        weight=3,
    ),
    leaves.nothing_else("generated/"),
)
