"""Where a failed piece of work failed, on three levels: what was delivered, its leaves, and the whole tree."""

from collections.abc import Sequence

STAGES = {
    "nothing delivered": "nothing was delivered",
    "delivery": "a file that a leaf reads is missing or cannot be opened",
    "leaves": "everything is present and readable; no more than half of the leaves pass",
    "composition": "most leaves pass; the weighted total does not",
}
"""The stages -> what they mean, in their order: work failed at the first that fits."""
UNDELIVERED = ("insufficient_evidence", "invalid_artifact")
"""Outcomes of leaves that had nothing to look at, or nothing that opens."""


def stage_of(outcomes: Sequence[str], holds: Sequence[bool], passed: bool) -> str:
    """The stage at which work failed, one of `STAGES`; empty where it passed.

    Args:
        outcomes: of its leaves but for guardrails, which hold where nothing was done, and what is unjudged.
        holds: whether each of them does.
        passed: whether the whole does.
    """
    if passed or not outcomes:
        return ""
    if all(outcome == "insufficient_evidence" for outcome in outcomes):
        return "nothing delivered"
    if any(outcome in UNDELIVERED for outcome in outcomes):
        return "delivery"
    return "leaves" if 2 * sum(holds) <= len(holds) else "composition"
