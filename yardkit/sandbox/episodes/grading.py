"""Grading: the evaluators judge a frozen world in a separate process."""

import dataclasses
import os
import tempfile
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.evaluators.isolation import Limits, look_in_fork
from yardkit.evaluators.readers.engines.time_limits import reset_time_limits
from yardkit.evaluators.scoring import (
    Grade,
    blame_artifact,
    crashed_leaves,
    grade_findings,
    make_invalid_grade,
    run_checkpoints,
)
from yardkit.evaluators.submission import Submission, build_manifest
from yardkit.programs.bounded import run_bounded
from yardkit.sandbox.episodes.ledger import parse_lines
from yardkit.sandbox.tasks.seeding import Seeded, seed_task
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem, World, skip_syncing

GRADER_MEMORY_BYTES = 4 << 30
_REFERENCE_ADDRESSES = 1 << 46
"""Bytes of addresses that a solver may take: the browsers of servers reserve terabytes of them."""
REFERENCE_S = 600.0
"""Seconds that a task's own solver may take where a grade has to be compared with that of its world."""

PRELOAD = (
    *(f"yardkit.evaluators.{task.replace('/', '.')}.checks" for tasks in list_suites().values() for task in tasks),
    "PIL.Image",
    "numpy",
    "openpyxl",
)
"""Modules kept loaded in the process from which graders are forked. OpenCV is not: it slows each fork down."""

_JUDGE, _ALL_SETTINGS = "YARDKIT_JUDGE_", "YARDKIT_"

Reference = Callable[[str, int], Grade]
"""Grades the world that a task's own solver leaves, of this task and seed; a `Problem` where the solver fails here."""
_ReferenceKey = tuple[Reference, str, int]
_references: dict[_ReferenceKey, Grade] = {}
_reference_turns: dict[_ReferenceKey, threading.Lock] = {}
_references_lock = threading.Lock()


@dataclass(frozen=True)
class HandedIn:
    """The input of a grader.

    Attributes:
        task: its id.
        final: the root of the frozen world.
        initial: SHA-256 by relative path of each file of the untouched workspace.
        ledger: the file with the calls; none were made if it is missing.
        scratch: a folder for data that leaves share, such as rendered pages and the untouched world.
        untouched: the root of the world as the agent found it, where that was kept; else it is seeded again.
    """

    task: str
    final: Path
    answer: str
    initial: Mapping[str, str]
    ledger: Path
    facts: Mapping[str, Any]
    scratch: Path
    untouched: Path | None = None

    def make_submission(self) -> Submission:
        """Make the view of the finished episode that checkpoints judge."""
        calls = tuple(parse_lines(self.ledger.read_bytes())) if self.ledger.exists() else ()
        return Submission(self.final, self.answer, self.initial, calls, self._find_untouched, self.scratch)

    def _find_untouched(self) -> Path:
        # A program with access to the workspace may have written into a file that was kept as a hard link.
        if self.untouched and build_manifest(self.untouched / "files") == dict(self.initial):
            return self.untouched
        return seed_untouched(self.task, self.final, self.initial, self.scratch)

    def build_tree(self, only: Collection[str] = ()) -> Checkpoint:
        """Build the task's tree of checks, or `only` these of its leaves."""
        checks = load_task(self.task).checks()
        return checks.select_leaves(only) if only else checks


def longest_grading(task: Task) -> float:
    """The seconds after which grading has ended in any case."""
    return 2 * _judging_limit(task) + REFERENCE_S


def grade_submission(
    task: Task,
    final: Path,
    seeded: Seeded,
    answer: str,
    ledger: Path,
    crashes: tuple[str, ...],
    reference: Reference,
    untouched: Path | None = None,
) -> Grade:
    """Judge the frozen world `final`.

    Nothing that an agent can cause makes its grade invalid. If a check crashes on a delivered file, or a tool crashed
    on the way to a failing grade, the `reference` decides whose fault it is: ours if the same happens to the task's own
    solver.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="yardkit-grade-") as scratch:
            handed = HandedIn(
                *(task.id, final, answer, dict(seeded.initial), ledger, dict(seeded.facts), Path(scratch), untouched)
            )
            limits = Limits(task.time_limit_s, GRADER_MEMORY_BYTES)
            process_limits = _process_limits(_judging_limit(task))
            result: Grade = run_bounded(judge_in_fork, handed, limits, (), _select_settings(_JUDGE), **process_limits)
    except Problem as problem:
        return make_invalid_grade(f"the grader did not finish: {problem}")
    if crashed_leaves(result) or (crashes and not result.passed):
        result = _compare_grades(result, crashes, _reference_grade(task, seeded.world.seed, reference))
    return dataclasses.replace(result, crashes=crashes)


def _judging_limit(task: Task) -> float:
    return 2 * task.time_limit_s + 30


def _process_limits(seconds: float, memory_bytes: int = GRADER_MEMORY_BYTES) -> Any:
    return {"seconds": seconds, "memory_bytes": memory_bytes, "starts_programs": True}


def _reference_grade(task: Task, seed: int, reference: Reference) -> Grade:
    """The grade of the task's own solver, worked out once for all episodes of this process if it passes.

    It takes a run of the solver, and an agent can ask for it as often as it likes: by a call that crashes.
    """
    key = (reference, task.id, seed)
    with _references_lock:
        turn = _reference_turns.setdefault(key, threading.Lock())
    with turn:
        grade = _references.get(key) or _work_out_reference(task, seed, reference)
        if grade.passed:
            _references[key] = grade
        return grade


def _work_out_reference(task: Task, seed: int, reference: Reference) -> Grade:
    try:
        limits = _process_limits(REFERENCE_S + _judging_limit(task), _REFERENCE_ADDRESSES)
        return run_bounded(_run_reference, reference, _select_settings(_ALL_SETTINGS), task.id, seed, **limits)
    except Problem as problem:
        return make_invalid_grade(str(problem))


def _run_reference(reference: Reference, settings: Mapping[str, str], task_id: str, seed: int) -> Grade:
    """The grade of the task's own solver, which may use all services: it opens nothing that an agent made."""
    os.environ.update(settings)
    return reference(task_id, seed)


def _select_settings(beginning: str) -> dict[str, str]:
    """Our settings whose names begin so, without the tokens that open episodes."""
    return {
        name: value for name, value in os.environ.items() if name.startswith(beginning) and not name.endswith("_TOKEN")
    }


def _compare_grades(result: Grade, crashes: tuple[str, ...], reference: Grade) -> Grade:
    """Compare the grade with that of the solved task."""
    if reference.verdict is None:
        fault = f"the task's own solver does not finish here either: {'; '.join(reference.faults)}"
        return dataclasses.replace(result, valid=False, faults=(*result.faults, *crashes, fault))
    unsound = crashed_leaves(reference)
    result = blame_artifact(result, [leaf for leaf in crashed_leaves(result) if leaf not in unsound])
    if crashes and not result.passed and not reference.passed:
        fault = "the task's own solver does not pass here either"
        return dataclasses.replace(result, valid=False, faults=(*result.faults, *crashes, fault))
    return result


def judge_submission(handed: HandedIn, only: Collection[str] = ()) -> Grade:
    """Run the checks of a task (or `only` these of its leaves) in this process, without limits."""
    reset_time_limits()
    return run_checkpoints(handed.build_tree(only), handed.make_submission(), handed.facts)


def judge_in_fork(
    handed: HandedIn, limits: Limits, only: Collection[str] = (), judge: Mapping[str, str] = MappingProxyType({})
) -> Grade:
    """`judge_submission` in a fork of this process: what the fork dies of is `invalid_artifact`, or a crash.

    The settings of the `judge` become part of the environment where a leaf asks it, and else stay out of it.
    """
    tree = handed.build_tree(only)
    leaves = list(tree.list_leaves())
    if any(leaf.kind == "judge" for leaf in leaves):
        os.environ.update(judge)
    findings = look_in_fork(leaves, handed.make_submission, handed.facts, limits, set(handed.initial.values()))
    return grade_findings(tree, lambda leaf: findings[leaf.id])


def seed_untouched(task_id: str, final: Path, initial: Mapping[str, str], scratch: Path) -> Path:
    """Seed the world again as the agent found it, check that its bytes are the same, and return its root."""
    root, draft = scratch / "untouched", scratch / "untouched.unfinished"
    if not root.exists():
        with skip_syncing():
            seeded = seed_task(load_task(task_id), World.open(final).seed, draft)
        if dict(seeded.initial) != dict(initial):
            raise RuntimeError("the task, seeded again, gives another workspace than the agent got")
        draft.rename(root)
    return root
