"""Closed loops: whether an agent looked at its results, and the class of a failed run, derived from the ledger.

The classes are those of TOBench (Liu et al., "TOBench: A Task-Oriented Omni-Modal Benchmark for Real-World Tool-Using
Agents", 2026, section 5.3). They are assigned by rules, so that the same run always gets the same class.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path

from yardkit.evaluators.readers.calls import inspection_of
from yardkit.evaluators.scoring import Grade, Verdict
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.agents import Stop
from yardkit.sandbox.episodes.ledger import Call

FAILURES = {
    "tool call": "a tool that does not exist, or no tool that produces the requested result",
    "parameter": "a tool refused its arguments to the end",
    "multimodal": "it looked at its result and missed the error",
    "no self-verification": "it never looked at its result",
    "metadata only": "it checked the size, length or name of its result, not the content",
    "incomplete self-verification": "it looked before its last change, or at only a part of its result",
    "other": "it stopped before it was finished",
}
"""The classes of failed runs -> what they mean."""


def passed_unlooked(grade: Grade) -> bool | None:
    """Whether all leaves pass except those that require a look, since an agent may look at results without our tools.

    None if no leaf requires a look, or another leaf is unjudged.
    """
    leaves = _list_leaves(grade)
    rest = [leaf for leaf in leaves if not _asks_for_a_look(leaf)]
    if len(rest) == len(leaves):
        return None
    if any(leaf.failed for leaf in rest):
        return False
    return True if all(leaf.outcome == "pass" for leaf in rest) else None


def classify_failure(grade: Grade, calls: Sequence[Call], delivered: Collection[str], stop: Stop) -> str:
    """Classify a failed run of a task that requires a look, as one of `FAILURES`; empty for any other run.

    `delivered` are the paths that the agent added or changed.
    """
    looks = [leaf for leaf in _list_leaves(grade) if _asks_for_a_look(leaf)]
    if grade.passed is not False or not grade.valid or not looks:
        return ""
    if stop != "done":
        return "other"
    if not delivered:
        return "parameter" if _has_refused_call(calls) else "tool call"
    if any(leaf.outcome != "pass" for leaf in looks):
        return _missing_look(calls, delivered)
    return "parameter" if _has_refused_call(calls) else "multimodal"


def _list_leaves(grade: Grade) -> list[Verdict]:
    return list(grade.verdict.list_leaves()) if grade.verdict else []


def _asks_for_a_look(leaf: Verdict) -> bool:
    return leaf.kind == "tool"


def _has_refused_call(calls: Sequence[Call]) -> bool:
    """Whether, for some existing tool, its last call ended in an error."""
    last = {call.tool: call for call in calls if call.server}
    return any(call.error for call in last.values())


def _missing_look(calls: Sequence[Call], delivered: Collection[str]) -> str:
    calls_submission = Submission(Path(), calls=tuple(asdict(call) for call in calls))
    depths = {inspection_of(calls_submission, path).depth for path in delivered}
    if depths & {"content", "outdated"}:
        return "incomplete self-verification"
    return "metadata only" if "metadata" in depths else "no self-verification"
