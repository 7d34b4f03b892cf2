"""Checkpoints: what must be true at the end of a task, as a tree of groups and leaves."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from yardkit.evaluators.submission import Submission

Outcome = Literal[
    "pass",
    "fail",
    "invalid_artifact",
    "insufficient_evidence",
    "unjudged",
    "observer_invalid",
    "environment_invalid",
    "service_invalid",
]
Kind = Literal["format", "content", "tool", "judge", "guardrail"]
Facts = Any
"""What `seed` returned: the task's own `TypedDict`."""

OUR_FAULTS: frozenset[Outcome] = frozenset({"observer_invalid", "environment_invalid", "service_invalid"})
"""Outcomes that say nothing about the agent: they are left out of the score and mark the run as invalid."""


@dataclass(frozen=True)
class Finding:
    """The result of one leaf.

    Attributes:
        outcome: whether the leaf passes.
        evidence: the observation, in words that a person can follow.
        share: the part of a graded leaf's score, in [0, 1]; None: all if it passes, else nothing.
    """

    outcome: Outcome
    evidence: str
    share: float | None = None


def make_finding(holds: bool, evidence: str) -> Finding:
    """Make a finding that passes or fails, with the evidence."""
    return Finding("pass" if holds else "fail", evidence)


# GTA-2 counts a checkpoint as a success from about 7 of 10 points (docs/gta.md).
def grade_points(points: float, evidence: str, passes_from: float = 7.0) -> Finding:
    """Make a finding of 0 to 10 points: their share counts towards the score, and the leaf passes from `passes_from`.

    Raises:
        ValueError: the points are out of range.
    """
    if not 0 <= points <= 10:
        raise ValueError(f"{points} points, of 0 to 10")
    outcome: Outcome = "pass" if points >= passes_from else "fail"
    return Finding(outcome, f"{points:g} of 10 points, passed from {passes_from:g} on: {evidence}", points / 10)


class InvalidArtifact(Exception):
    """The delivered file exists but cannot be read as its type. Counts as a failure of the agent."""


class InsufficientEvidence(Exception):
    """The deliverable is missing. Counts as a failure of the agent."""


class EnvironmentInvalid(Exception):
    """The grading machine lacks a requirement of the check. Our fault: it never lowers a score."""


Check = Callable[[Submission, Facts], Finding]


@dataclass(frozen=True)
class Checkpoint:
    """One node. A leaf has a `check`; a group has `parts`.

    Attributes:
        id: unique in the tree, snake_case.
        says: a sentence that is true if it passes.
        weight: relative to its siblings.
        kind: the kind of evidence; a ``guardrail`` is true at the start and must stay true.
        gate: if it fails, the score of the whole tree is 0.
        covers: patterns (`fnmatch`) of the targets it depends on, as `yardkit.evaluators.mutations` names them:
            ``answer``, ``file:out.csv``, ``text:notes.md``, ``cells:out.xlsx#Sheet1!*``, ``image:chart.png``,
            ``input:*`` ... A mutant of a target must be killed by a leaf that covers it.
        check: the function that judges a leaf.
        parts: the children of a group.
    """

    id: str
    says: str
    weight: float = 1.0
    kind: Kind = "content"
    gate: bool = False
    covers: tuple[str, ...] = ()
    check: Check | None = None
    parts: tuple["Checkpoint", ...] = ()

    def list_leaves(self) -> Iterator["Checkpoint"]:
        """The leaves below this node, or the node itself if it is a leaf."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.list_leaves()

    def select_leaves(self, ids: Collection[str]) -> "Checkpoint":
        """Return the tree with only the leaves with these ids."""
        remaining_parts = tuple(
            part.select_leaves(ids) for part in self.parts if any(leaf.id in ids for leaf in part.list_leaves())
        )
        return replace(self, parts=remaining_parts)


def make_checkpoint(
    id: str,  # noqa: A002 - the field's name
    statement: str,
    check: Check,
    *,
    covers: tuple[str, ...],
    weight: float = 1.0,
    kind: Kind = "content",
    gate: bool = False,
) -> Checkpoint:
    """Make a leaf with a check."""
    return Checkpoint(id, statement, weight, kind, gate, covers, check)


def define_leaf(
    id: str,  # noqa: A002 - the field's name
    statement: str,
    *covers: str,
    weight: float = 1.0,
    kind: Kind = "content",
    gate: bool = False,
) -> Callable[[Check], Checkpoint]:
    """Make a decorator that turns a check into the leaf that it judges; for the checks that a task writes itself."""
    return lambda check: make_checkpoint(id, statement, check, covers=covers, weight=weight, kind=kind, gate=gate)


def make_group(
    id: str,  # noqa: A002 - the field's name
    statement: str,
    *parts: Checkpoint,
    weight: float = 1.0,
) -> Checkpoint:
    """Make a group of checkpoints; its score is their weighted mean."""
    return Checkpoint(id, statement, weight, parts=parts)
