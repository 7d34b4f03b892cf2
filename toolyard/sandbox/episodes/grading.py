"""Grading: the evaluators judge a frozen world in a process of their own."""

import dataclasses
import tempfile
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toolyard.evaluators.readers.patience import be_patient
from toolyard.evaluators.scoring import Grade, grade, invalid
from toolyard.evaluators.submission import Submission
from toolyard.programs.bounded import bounded
from toolyard.sandbox.episodes.ledger import parse_lines
from toolyard.sandbox.tasks.seeding import Seeded, seed_task
from toolyard.sandbox.tasks.suites import suites
from toolyard.sandbox.tasks.task import Task, load_task
from toolyard.world import Problem, World, unsynced

GRADER_MEMORY_BYTES = 4 << 30

PRELOAD = (
    *(f"toolyard.evaluators.{task.replace('/', '.')}.checks" for tasks in suites().values() for task in tasks),
    "PIL.Image",
    "numpy",
    "openpyxl",
)
"""What `bounded` keeps loaded in the process from which graders are forked. OpenCV is not: it slows each fork down."""


def grade_submission(
    task: Task, final: Path, seeded: Seeded, answer: str, ledger: Path, crashes: tuple[str, ...]
) -> Grade:
    """Judge the frozen world `final`.

    A grader that crashes or runs out of time or memory is our fault: the grade is invalid, never 0 for the agent. So is
    a tool that crashed on the way, unless the agent passed all the same.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="toolyard-grade-") as scratch:
            arguments = (task.id, final, answer, dict(seeded.initial), ledger, dict(seeded.facts), Path(scratch))
            limits: Any = {"seconds": task.time_limit_s, "memory_bytes": GRADER_MEMORY_BYTES}
            result: Grade = bounded(judge, *arguments, **limits, starts_programs=True)
    except Problem as problem:
        return invalid(f"the grader did not finish: {problem}")
    if crashes and not result.passed:
        return dataclasses.replace(result, valid=False, faults=(*result.faults, *crashes))
    return result


def judge(
    task_id: str,
    final: Path,
    answer: str,
    initial: Mapping[str, str],
    ledger: Path,
    facts: Mapping[str, Any],
    scratch: Path,
    only: Collection[str] = (),
) -> Grade:
    """Run the checks of a task (or `only` these of its leaves); this is what the grader's process does.

    Leaves may share what they work out below `scratch`, such as rendered pages and the untouched world.
    """
    be_patient()
    calls = tuple(parse_lines(ledger.read_bytes())) if ledger.exists() else ()
    before = partial(untouched, task_id, final, initial, scratch)
    submission = Submission(final, answer, initial, calls, before, scratch)
    checks = load_task(task_id).checks()
    return grade(checks.only(only) if only else checks, submission, facts)


def untouched(task_id: str, final: Path, initial: Mapping[str, str], scratch: Path) -> Path:
    """The root of the world as the agent found it: seeded again, which gives the same bytes, and checked."""
    root, draft = scratch / "untouched", scratch / "untouched.unfinished"
    if not root.exists():
        with unsynced():
            seeded = seed_task(load_task(task_id), World.open(final).seed, draft)
        if dict(seeded.initial) != dict(initial):
            raise RuntimeError("the task, seeded again, gives another workspace than the agent got")
        draft.rename(root)
    return root
