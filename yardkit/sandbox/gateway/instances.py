"""What there is to open: the tasks, and what an instance of one tells its agent."""

import tempfile
from pathlib import Path
from typing import Any

from yardkit.sandbox.gateway.bodies import MAX_SEED
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import find_task, find_tasks, list_suites
from yardkit.world import Problem, skip_syncing


def listed_tasks() -> list[dict[str, Any]]:
    """Every task: its id, title and servers."""
    tasks = find_tasks(list(list_suites()))
    return [{"id": task.id, "title": task.title, "servers": list(task.servers)} for task in tasks]


def described_instance(task_name: str, seed: str) -> dict[str, Any]:
    """What an episode of a task would tell its agent, and what kind of task it is; the world is made and left again.

    Raises:
        Problem: there is no such task or seed.
    """
    task, number = find_task(task_name), _seed(seed)
    with tempfile.TemporaryDirectory(prefix="yardkit-instance-") as folder, skip_syncing():
        prompt = seed_task(task, number, Path(folder) / "world").prompt
    return {
        "task": task.id,
        "seed": number,
        "prompt": prompt,
        "servers": list(task.servers),
        "now": task.now,
        "title": task.title,
        "parameters": dict(task.values),
        "max_turns": task.max_turns,
        **task.profile.as_dict(),
    }


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_SEED):
        raise Problem(f"{text[:40]!r} is not a seed; use a whole number from 0 to {MAX_SEED}")
    return int(text)
