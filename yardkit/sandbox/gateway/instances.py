"""The tasks that can be opened, and the prompts of their instances."""

import tempfile
from pathlib import Path
from typing import Any

from yardkit.sandbox.gateway.bodies import MAX_SEED
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import find_task, find_tasks, list_suites
from yardkit.world import Problem, skip_syncing


def listed_tasks() -> list[dict[str, Any]]:
    """List every task with its id, title and servers."""
    tasks = find_tasks(list(list_suites()))
    return [{"id": task.id, "title": task.title, "servers": list(task.servers)} for task in tasks]


def described_instance(task_name: str, seed: str) -> dict[str, Any]:
    """Describe an instance: its prompt and the kind of its task. Its world is made and deleted again.

    Raises:
        Problem: the task or the seed does not exist.
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
    # MAX_SEED has 19 digits; int() of an endless number would take long.
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_SEED):
        raise Problem(f"{text[:40]!r} is not a seed; use a whole number from 0 to {MAX_SEED}")
    return int(text)
