"""Longer and longer tasks, until accuracy collapses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.tasks.parameters import LENGTH, split_name
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem

MOST_OPS = 350
"""The longest tasks of the paper on LORE."""


@dataclass(frozen=True)
class Growth:
    """When to continue: the number of operations is doubled while accuracy is above a level, up to a maximum.

    Attributes:
        level: a share of runs.
        most: the maximum number of operations.
    """

    level: float
    most: int = MOST_OPS

    def check(self, tasks: Sequence[str]) -> None:
        """Check that `tasks` can grow.

        Raises:
            Problem: a task has no number of operations, or the level is not a share.
        """
        if not 0 <= self.level < 1:
            raise Problem(f"--until {self.level:g}: give a share of right answers from 0 to below 1, such as 0.2")
        for task in map(load_task, tasks):
            if LENGTH not in task.values:
                raise Problem(
                    f"--until needs tasks of any length, such as the suite lore; {task.id} has a fixed length"
                )

    def list_longer(self, tasks: Iterable[str], results: Sequence[Result]) -> list[str]:
        """List the next task of each kind whose longest task so far is solved more often than the level."""
        longest: dict[str, Task] = {}
        for task in map(load_task, tasks):
            kind = _at_length(task, 1)
            if kind not in longest or _get_length(task) > _get_length(longest[kind]):
                longest[kind] = task
        return [
            _at_length(task, min(2 * _get_length(task), self.most))
            for task in longest.values()
            if _get_length(task) < self.most and self._exceeds_level(task, results)
        ]

    def _exceeds_level(self, task: Task, results: Sequence[Result]) -> bool:
        right = [result.right for result in results if result.valid and result.task == task.id]
        return bool(right) and sum(right) / len(right) > self.level


def _get_length(task: Task) -> int:
    return int(task.values[LENGTH])


def _at_length(task: Task, ops: int) -> str:
    base, given = split_name(task.id)
    return load_task(f"{base}@" + ",".join(f"{name}={value}" for name, value in {**given, LENGTH: ops}.items())).id
