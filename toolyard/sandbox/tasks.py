"""Tasks: finding them, seeding their worlds, and loading their checks."""

import importlib
import os
import random
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import toolyard
from toolyard.evaluators.checkpoints import Checkpoint
from toolyard.evaluators.submission import manifest
from toolyard.sandbox.parameters import Parameter, Value, full_name, settled, split_name
from toolyard.sandbox.profiles import Profile
from toolyard.world import Problem, World

FIXTURES = Path(toolyard.__file__).parent / "fixtures"
MAX_TURNS = 100
"""Of a task whose ``task.toml`` does not say it."""


@dataclass(frozen=True)
class Task:
    """A task as its ``task.toml`` and ``prompt.md`` state it.

    Attributes:
        id: ``suite/name``, with ``@parameter=value,...`` where parameters are not at their defaults.
        title: one line.
        servers: the servers whose tools the agent gets.
        profile: its domain, difficulty, inputs and deliverables.
        now: the frozen clock, ISO 8601.
        time_limit_s: seconds that a grader may take.
        free: targets of automatic mutants that no checkpoint looks at, each with the reason.
        parameters: what the task can be told to be, such as its number of operations.
        values: the value of each parameter in this instance.
        failed_rounds: an agent's loop ends after so many rounds in a row in which every call failed; 0: never.
        max_turns: an agent's loop ends after so many answers of its model; a task of many operations allows more.
        variants: parameters of further instances whose proofs the proof ledger holds.
    """

    id: str
    title: str
    servers: tuple[str, ...]
    profile: Profile
    now: str
    time_limit_s: float
    prompt_template: str
    free: Mapping[str, str]
    parameters: tuple[Parameter, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    failed_rounds: int = 0
    max_turns: int = MAX_TURNS
    variants: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        return self.id.split("/")[0]

    @property
    def name(self) -> str:
        """Without parameters: what folders and modules are called."""
        return self.id.split("/")[1].partition("@")[0]

    @property
    def folder(self) -> Path:
        return FIXTURES / self.suite / self.name

    def prompt(self, told: Mapping[str, str]) -> str:
        """What the agent of an instance is told; `told` are values for the ``{names}`` in ``prompt.md``."""
        today = f"{datetime.fromisoformat(self.now):%A, %d %B %Y}"
        return self.prompt_template.format_map({"today": today, **told})

    def seeding(self) -> ModuleType:
        """``state_init/<suite>/<task>.py``."""
        return _module(f"toolyard.state_init.{self.suite}.{self.name}")

    def checks(self) -> Checkpoint:
        """The root of the checkpoint tree, from ``evaluators/<suite>/<task>/checks.py``."""
        tree: Checkpoint = _module(f"toolyard.evaluators.{self.suite}.{self.name}.checks").CHECKS
        return tree

    def proof(self) -> ModuleType:
        """``evaluators/<suite>/<task>/proof.py``."""
        return _module(f"toolyard.evaluators.{self.suite}.{self.name}.proof")


@dataclass(frozen=True)
class Seeded:
    """A fresh world with what only the operator knows.

    Attributes:
        facts: the truth, plain JSON; never inside the world.
        initial: SHA-256 by relative path of each file of the untouched workspace.
        prompt: what the agent is told.
    """

    world: World
    facts: Mapping[str, Any]
    initial: Mapping[str, str]
    prompt: str


def suites() -> dict[str, list[str]]:
    """Task ids by suite, both in name order."""
    found: dict[str, list[str]] = {}
    for path in sorted(FIXTURES.glob("*/*/task.toml")):
        suite, name = path.parts[-3], path.parts[-2]
        found.setdefault(suite, []).append(f"{suite}/{name}")
    return found


def find_tasks(names: list[str]) -> list[Task]:
    """The tasks that suites, task ids or bare task names stand for, in order and without repeats.

    Each may carry parameters, as in ``lore/documents@ops=50``; those behind a suite are those of each of its tasks.

    Raises:
        Problem: a name stands for nothing, and the nearest names are given; or a parameter is wrong.
    """
    by_suite = suites()
    known = [task for tasks in by_suite.values() for task in tasks]
    ids: list[str] = []
    for name in names:
        base, at, parameters = name.partition("@")
        matches = by_suite.get(base) or [task for task in known if base in (task, task.split("/")[1])]
        if not matches:
            near = get_close_matches(
                base, [*by_suite, *known, *(task.split("/")[1] for task in known)], n=3, cutoff=0.5
            )
            hint = f"did you mean {', '.join(near)}?" if near else f"suites: {', '.join(by_suite) or 'none'}"
            raise Problem(f"there is no suite or task {base!r}; {hint}")
        ids += [load_task(task + at + parameters).id for task in matches]
    return [load_task(task) for task in dict.fromkeys(ids)]


def find_task(name: str) -> Task:
    """The one task that `name` stands for.

    Raises:
        Problem: none or several.
    """
    found = find_tasks([name])
    if len(found) != 1:
        raise Problem(f"{name!r} stands for {len(found)} tasks; name one, such as {found[0].id}")
    return found[0]


@cache
def load_task(task_id: str) -> Task:
    """Read one task's folder; parameters may stand behind its id.

    Raises:
        Problem: a parameter is wrong, or ``task.toml`` does not say what kind of task it is.
    """
    base, given = split_name(task_id)
    folder = FIXTURES / base
    with (folder / "task.toml").open("rb") as handle:
        facts = tomllib.load(handle)
    parameters = tuple(Parameter.of(name, table) for name, table in facts.get("parameters", {}).items())
    values = settled(base, parameters, given)
    return Task(
        id=full_name(base, parameters, values),
        title=facts["title"],
        servers=tuple(facts["servers"]),
        profile=Profile.of(base, facts),
        now=facts["now"],
        time_limit_s=float(facts.get("time_limit_s", 60)),
        prompt_template=(folder / "prompt.md").read_text("utf-8").strip(),
        free=facts.get("free", {}),
        parameters=parameters,
        values=values,
        failed_rounds=int(facts.get("failed_rounds", 0)),
        max_turns=_max_turns(facts, values),
        variants=tuple(facts.get("variants", ())),
    )


def _max_turns(facts: Mapping[str, Any], values: Mapping[str, Value]) -> int:
    """``max_turns`` and, for each operation of a generated task, ``max_turns_per_op`` more."""
    more = int(facts.get("max_turns_per_op", 0)) * int(values.get("ops", 0))
    return int(facts.get("max_turns", MAX_TURNS)) + more


def seed_task(task: Task, seed: int, root: Path) -> Seeded:
    """Build the world of an instance of `task` at `root`. The same task and seed give the same bytes everywhere.

    The facts may hold a mapping ``prompt``: values for the ``{names}`` in ``prompt.md``, beside ``{today}``; and a
    mapping ``measures``: numbers that reports put the results against, such as operations and height. A task's
    parameters are keyword arguments of its ``seed``.
    """
    world = World.create(root, task=task.id, seed=seed, now=task.now)
    material = task.folder / "files"
    if material.is_dir():
        shutil.copytree(material, world.files, dirs_exist_ok=True)
    facts = task.seeding().seed(world, chance(task, seed), **task.values)
    _age_files(world)
    return Seeded(world, facts, manifest(world.files), task.prompt(facts.get("prompt", {})))


def chance(task: Task, seed: int) -> random.Random:
    """All the chance that an instance of a task is made of."""
    return random.Random(f"{task.id}:{seed}")  # noqa: S311 - reproducibility, not secrecy


def _age_files(world: World) -> None:
    """Give every file that the seed script did not date itself the world's own time."""
    now = world.now.timestamp()
    for path in [*world.files.rglob("*"), world.files]:
        if not path.is_symlink() and path.stat().st_mtime > now:
            os.utime(path, (now, now))


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise Problem(f"the task is incomplete: {name} is missing") from error
        raise Problem(f"{name} needs the package {error.name!r}; pip install 'toolyard[suites]'") from error
