"""From findings to a score: a verdict tree, partial credit, the strict conjunction, and the blame for faults."""

import traceback
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from yardkit.evaluators.checkpoints import (
    OUR_FAULTS,
    Checkpoint,
    EnvironmentInvalid,
    Facts,
    Finding,
    InsufficientEvidence,
    InvalidArtifact,
    Kind,
    Outcome,
)
from yardkit.evaluators.readers.blank_files import find_covered, is_blank
from yardkit.evaluators.submission import Submission

MAX_EVIDENCE = 4_000
"""Characters of evidence that a leaf keeps."""


@dataclass(frozen=True)
class Verdict:
    """A graded checkpoint. `score` is in [0, 1], or None if nothing below it counts."""

    id: str
    says: str
    kind: Kind
    weight: float
    gate: bool
    score: float | None
    outcome: Outcome | None = None
    evidence: str = ""
    parts: tuple["Verdict", ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it is a leaf that counts and does not pass; a graded leaf may still have a positive score."""
        return self.outcome is not None and self.outcome != "pass" and self.score is not None

    def list_leaves(self) -> Iterator["Verdict"]:
        """The graded leaves below this node, or the node itself if it is a leaf."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.list_leaves()


@dataclass(frozen=True)
class Grade:
    """The result of an episode.

    Attributes:
        reward: the weighted mean of the leaves, in [0, 1]; 0 if a gate fails or only guardrails pass.
        passed: whether every leaf passes; None while a leaf is unjudged and no other fails.
        valid: False if a fault of ours affected it; then neither `reward` nor `passed` says anything about the agent.
        verdict: the graded tree.
        faults: descriptions of our faults.
        crashes: the calls of the episode that crashed, as ``call 3: search_files``. They alone do not make a run
            invalid.
    """

    reward: float
    passed: bool | None
    valid: bool
    verdict: Verdict | None
    faults: tuple[str, ...] = field(default=())
    crashes: tuple[str, ...] = field(default=())

    @property
    def root_score(self) -> float:
        """GTA-2's root score: 10 times the reward."""
        return round(10 * self.reward, 4)

    def as_dict(self) -> dict[str, Any]:
        """The grade as JSON values."""
        return {"root_score": self.root_score, **asdict(self)}


def run_checkpoints(tree: Checkpoint, submission: Submission, facts: Facts) -> Grade:
    """Run every leaf and combine the findings. Deterministic: the same submission gives the same grade."""
    return grade_findings(tree, lambda leaf: look_at_leaf(leaf, submission, facts))


def grade_findings(tree: Checkpoint, find: Callable[[Checkpoint], Finding]) -> Grade:
    """Grade a tree whose leaves have the findings that `find` returns."""
    return _grade_verdict(_judge_node(tree, find))


def blame_artifact(grade: Grade, leaves: Collection[str]) -> Grade:
    """Make the grade in which the crashes of these leaves are the fault of the deliverables."""
    return _grade_verdict(_blame_leaves(grade.verdict, leaves)) if grade.verdict else grade


def crashed_leaves(grade: Grade) -> list[str]:
    """List the leaves that crashed, because of a deliverable or not, without judges whose model failed."""
    verdicts = grade.verdict.list_leaves() if grade.verdict else ()
    return [leaf.id for leaf in verdicts if leaf.outcome == "observer_invalid" and leaf.kind != "judge"]


def _grade_verdict(verdict: Verdict) -> Grade:
    leaves = list(verdict.list_leaves())
    gate_failed = any(leaf.gate and leaf.failed for leaf in leaves)
    # Guardrails pass on the untouched world, so they only count together with work that was done.
    nothing_done = not any(leaf.score and leaf.kind != "guardrail" for leaf in leaves)
    faults = tuple(f"{leaf.id}: {leaf.evidence}" for leaf in leaves if leaf.outcome in OUR_FAULTS)
    reward = 0.0 if gate_failed or nothing_done or verdict.score is None else verdict.score
    return Grade(round(reward, 6), _all_passed(leaves), not faults, verdict, faults)


def _blame_leaves(node: Verdict, leaves: Collection[str]) -> Verdict:
    if node.parts:
        parts = tuple(_blame_leaves(part, leaves) for part in node.parts)
        return replace(node, score=_compute_mean(parts), parts=parts)
    if node.id not in leaves:
        return node
    evidence = f"the delivery breaks the check, which passes on the solved task: {node.evidence}"
    return replace(node, score=0.0, outcome="invalid_artifact", evidence=evidence[:MAX_EVIDENCE])


def make_invalid_grade(fault: str) -> Grade:
    """Make the grade of a run that failed through our fault before any leaf could run."""
    return Grade(0.0, passed=None, valid=False, verdict=None, faults=(fault,))


def _all_passed(leaves: list[Verdict]) -> bool | None:
    if any(leaf.failed for leaf in leaves):
        return False
    return True if all(leaf.outcome == "pass" for leaf in leaves) else None


def _judge_node(node: Checkpoint, find: Callable[[Checkpoint], Finding]) -> Verdict:
    if node.parts:
        parts = tuple(_judge_node(part, find) for part in node.parts)
        return Verdict(node.id, node.says, node.kind, node.weight, node.gate, _compute_mean(parts), parts=parts)
    leaf_finding = find(node)
    counts = leaf_finding.outcome not in OUR_FAULTS and leaf_finding.outcome != "unjudged"
    full_score = float(leaf_finding.outcome == "pass") if leaf_finding.share is None else leaf_finding.share
    score = full_score if counts else None
    return Verdict(
        node.id, node.says, node.kind, node.weight, node.gate, score, leaf_finding.outcome, leaf_finding.evidence
    )


def _compute_mean(parts: tuple[Verdict, ...]) -> float | None:
    counted = [(part.weight, part.score) for part in parts if part.score is not None]
    total = sum(weight for weight, _ in counted)
    return sum(weight * score for weight, score in counted) / total if total > 0 else None


def look_at_leaf(leaf: Checkpoint, submission: Submission, facts: Facts) -> Finding:
    """Run a leaf and return its finding, even if its check raises; the evidence is cut at `MAX_EVIDENCE`.

    A leaf that finds nothing wrong with a blank file is not earned: guardrails alone may hold for nothing.
    """
    leaf_finding = _find_outcome(leaf, submission, facts)
    return replace(leaf_finding, evidence=leaf_finding.evidence[:MAX_EVIDENCE])


def _find_outcome(node: Checkpoint, submission: Submission, facts: Facts) -> Finding:
    if node.check is None:
        return Finding("observer_invalid", f"the checkpoint {node.id!r} has neither parts nor a check")
    try:
        leaf_finding = node.check(submission, facts)
        earned = leaf_finding.outcome == "pass" or leaf_finding.share
        covered = find_covered(submission, node.covers) if earned and node.kind != "guardrail" else []
        if covered and all(is_blank(submission, path) for path in covered):
            raise InsufficientEvidence(f"nothing to look at: {', '.join(covered)} blank")
        return leaf_finding
    except InsufficientEvidence as error:
        return Finding("insufficient_evidence", str(error))
    except InvalidArtifact as error:
        return Finding("invalid_artifact", str(error))
    except EnvironmentInvalid as error:
        return Finding("environment_invalid", str(error))
    except Exception as error:  # noqa: BLE001 - whatever an observer raises is a fault of ours, never of the agent
        trace = "".join(traceback.format_exception(error)[-3:])
        return Finding("observer_invalid", f"the observer crashed: {type(error).__name__}: {error}\n{trace}")
