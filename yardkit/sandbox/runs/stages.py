"""The stage at which work failed, on three levels: the deliverables, their leaves, and the tree."""

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
    """Find the stage at which work failed, one of `STAGES`; empty if it passed.

    Args:
        outcomes: the outcomes of its leaves, without guardrails (which pass if nothing is done) and unjudged leaves.
        holds: whether each of those leaves passes.
        passed: whether the work as a whole passes.
    """
    if passed or not outcomes:
        return ""
    if all(outcome == "insufficient_evidence" for outcome in outcomes):
        return "nothing delivered"
    if any(outcome in UNDELIVERED for outcome in outcomes):
        return "delivery"
    return "leaves" if 2 * sum(holds) <= len(holds) else "composition"
