"""References that a grade is compared with, to be found by name in another process."""

from yardkit.evaluators.scoring import Grade
from yardkit.world import Problem


def grade_unsolved(_task: str, _seed: int) -> Grade:
    """A task whose solver fails on this machine."""
    raise Problem("ToolFailed: bubblewrap is not installed")
