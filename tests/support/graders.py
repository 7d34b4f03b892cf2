"""References that a grade is compared with, to be found by name in another process."""

import os
from pathlib import Path

from yardkit.evaluators.scoring import Grade
from yardkit.sandbox.episodes.episode import grade_solved
from yardkit.world import Problem


def grade_unsolved(_task: str, _seed: int) -> Grade:
    """A task whose solver fails on this machine."""
    raise Problem("ToolFailed: bubblewrap is not installed")


def grade_counted(task: str, seed: int) -> Grade:
    """The grade of the task's own solver; each time is noted in the file that ``YARDKIT_TEST_RUNS`` names."""
    with Path(os.environ["YARDKIT_TEST_RUNS"]).open("a", encoding="utf-8") as file:
        file.write(f"{task}:{seed}\n")
    return grade_solved(task, seed)
