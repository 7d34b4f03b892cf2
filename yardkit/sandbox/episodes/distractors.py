"""Servers that an episode offers in addition to those of its task, so that the agent has to choose."""

import importlib
import random
from collections.abc import Sequence
from dataclasses import replace

from yardkit.sandbox.serving.registry import ALL, chosen_servers
from yardkit.sandbox.serving.requirements import server_states
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem


def with_distractors(task: Task, seed: int, count: int) -> Task:
    """Return the task with the tools of `count` unrelated servers added.

    The choice depends only on the task and the seed; a larger count adds to the servers of a smaller one. See
    `list_distractors`.

    Raises:
        Problem: there are not that many, or the packages of one are not installed.
    """
    candidates = list_distractors(task)
    if not 0 <= count <= len(candidates):
        raise Problem(f"{task.id} can have 0 to {len(candidates)} extra servers, not {count}: {', '.join(candidates)}")
    random.Random(f"{task.id}:{seed}:extra servers").shuffle(candidates)  # noqa: S311 - seeded
    return with_servers(task, candidates[:count])


def with_servers(task: Task, extra: Sequence[str]) -> Task:
    """Return the task with these servers added.

    Raises:
        Problem: the packages of one are not installed, so that a call of its tools would make the run invalid.
    """
    for state in server_states(extra):
        if not state.works:
            raise Problem(f"the extra server {state.name!r} is not installed; {state.fix}")
    return replace(task, servers=(*task.servers, *extra), extra_servers=tuple(extra)) if extra else task


def list_distractors(task: Task) -> list[str]:
    """List the servers that may be added to a task as distractors, in name order.

    Excluded are the task's own servers; those that run the agent's code, since code can do the work of any tool; and
    those that the task withholds (``withheld`` in ``task.toml``), since they would do the agent's work.
    """
    kept_out = {*task.servers, *task.withheld}
    candidates = chosen_servers([ALL], task.dialect)
    return [name for name in candidates if name not in kept_out and not _runs_code(name)]


def _runs_code(server: str) -> bool:
    return getattr(importlib.import_module(f"yardkit.servers.{server}"), "RUNS_CODE", False)
