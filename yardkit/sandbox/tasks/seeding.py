"""Seeding: the world of an instance of a task, and the data that only the operator knows."""

import os
import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators.submission import build_manifest
from yardkit.sandbox.tasks.task import Task
from yardkit.world import World


@dataclass(frozen=True)
class Seeded:
    """A fresh world with the data that only the operator knows.

    Attributes:
        facts: the ground truth as JSON values; never inside the world.
        initial: SHA-256 by relative path of each file of the untouched workspace.
        prompt: the agent's prompt.
    """

    world: World
    facts: Mapping[str, Any]
    initial: Mapping[str, str]
    prompt: str


def seed_task(task: Task, seed: int, root: Path) -> Seeded:
    """Build the world of an instance of `task` at `root`. The same task and seed give the same bytes everywhere.

    The facts may have a mapping ``prompt``, with values for the ``{names}`` in ``prompt.md`` in addition to
    ``{today}``, and a mapping ``measures``, with numbers for the axes of reports, such as operations and height. A
    task's parameters are keyword arguments of its ``seed``.
    """
    world = World.create(root, task=task.id, seed=seed, now=task.now)
    material = task.folder / "files"
    if material.is_dir():
        shutil.copytree(material, world.files, dirs_exist_ok=True)
    facts = task.seeding().seed(world, make_chance(task, seed), **task.values)
    _age_files(world)
    return Seeded(world, facts, build_manifest(world.files), task.prompt(facts.get("prompt", {})))


def make_chance(task: Task, seed: int) -> random.Random:
    """Make the only source of randomness for an instance of a task."""
    return random.Random(f"{task.id}:{seed}")  # noqa: S311 - reproducibility, not secrecy


def _age_files(world: World) -> None:
    """Set the time of every file that the seed script did not date to the world's clock."""
    now = world.now.timestamp()
    for path in [*world.files.rglob("*"), world.files]:
        if not path.is_symlink() and path.stat().st_mtime > now:
            os.utime(path, (now, now))
