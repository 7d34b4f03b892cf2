"""A task as described in its folder, and its code: seed script, checks and proof."""

import importlib
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yardkit
from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.sandbox.tasks.parameters import Parameter, Value, full_name, settle_parameters, split_name
from yardkit.sandbox.tasks.profiles import Profile
from yardkit.sandbox.tasks.task_files import fill_prompt, read_prompt, read_task_file
from yardkit.world import Problem

FIXTURES = Path(yardkit.__file__).parent / "fixtures"
MAX_TURNS = 100
"""Of a task whose ``task.toml`` does not say it."""


@dataclass(frozen=True)
class Task:
    """A task as described in its ``task.toml`` and ``prompt.md``.

    Attributes:
        id: ``suite/name``, with ``@parameter=value,...`` for parameters that differ from their defaults.
        title: one line.
        servers: the servers whose tools the agent gets.
        profile: its domain, difficulty, inputs and deliverables.
        now: the frozen clock, ISO 8601.
        time_limit_s: seconds that a grader may take.
        free: targets of automatic mutants that no checkpoint covers, each with the reason.
        parameters: the task's parameters, such as the number of operations.
        values: the value of each parameter in this instance.
        failed_rounds: an agent's loop ends after this many rounds in a row in which every call failed; 0: never.
        max_turns: an agent's loop ends after this many answers of its model; a task with more operations allows more;
            0: never.
        variants: parameters of further instances whose proofs are in the lock.
        withheld: servers that are never offered in addition to the task's own, since they would do the agent's work.
        extra_servers: those among the servers that were added as distractors.
        dialect: the dialect in which the servers offer their tools; empty for their own names.
        tools: the tools of the task's servers that are offered; all if empty.
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
    withheld: tuple[str, ...] = ()
    extra_servers: tuple[str, ...] = ()
    dialect: str = ""
    tools: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        return self.id.split("/")[0]

    @property
    def name(self) -> str:
        """The name without parameters, as used for folders and modules."""
        return self.id.split("/")[1].partition("@")[0]

    def offers(self, server: str, tool: str) -> bool:
        """Whether the agent gets a tool of a server."""
        named = not self.tools or tool in self.tools or server in self.extra_servers
        return server in self.servers and named

    @property
    def folder(self) -> Path:
        return FIXTURES / self.suite / self.name

    def prompt(self, prompt_values: Mapping[str, str]) -> str:
        """Fill the prompt of an instance, with values for the ``{names}`` in ``prompt.md``."""
        today = f"{datetime.fromisoformat(self.now):%A, %d %B %Y}"
        return fill_prompt(self.id, self.prompt_template, {"today": today, **prompt_values})

    def seeding(self) -> ModuleType:
        """The module ``state_init/<suite>/<task>.py``."""
        return _load_module(f"yardkit.state_init.{self.suite}.{self.name}")

    def checks(self) -> Checkpoint:
        """The root of the checkpoint tree, from ``evaluators/<suite>/<task>/checks.py``."""
        tree: Checkpoint = _load_module(f"yardkit.evaluators.{self.suite}.{self.name}.checks").CHECKS
        return tree

    def proof(self) -> ModuleType:
        """The module ``evaluators/<suite>/<task>/proof.py``."""
        return _load_module(f"yardkit.evaluators.{self.suite}.{self.name}.proof")


@cache
def load_task(task_id: str) -> Task:
    """Read one task's folder; its id may have parameters.

    Raises:
        Problem: a parameter, ``task.toml`` or ``prompt.md`` is wrong.
    """
    base, given = split_name(task_id)
    folder = FIXTURES / base
    facts = read_task_file(base, folder)
    parameters = tuple(Parameter.parse_table(name, table) for name, table in facts.get("parameters", {}).items())
    values = settle_parameters(base, parameters, given)
    return Task(
        id=full_name(base, parameters, values),
        title=facts["title"],
        servers=tuple(facts["servers"]),
        profile=Profile.parse_facts(base, facts),
        now=facts["now"],
        time_limit_s=float(facts.get("time_limit_s", 60)),
        prompt_template=read_prompt(base, folder),
        free=facts.get("free", {}),
        parameters=parameters,
        values=values,
        failed_rounds=int(facts.get("failed_rounds", 0)),
        max_turns=_max_turns(facts, values),
        variants=tuple(facts.get("variants", ())),
        withheld=tuple(facts.get("withheld", ())),
        dialect=str(facts.get("dialect", "")),
        tools=tuple(facts.get("tools", ())),
    )


def _max_turns(facts: Mapping[str, Any], values: Mapping[str, Value]) -> int:
    """Compute ``max_turns`` plus ``max_turns_per_op`` for each operation of a generated task."""
    more = int(facts.get("max_turns_per_op", 0)) * int(values.get("ops", 0))
    return int(facts.get("max_turns", MAX_TURNS)) + more


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise Problem(f"the task is incomplete: {name} is missing") from error
        raise Problem(f"{name} needs the package {error.name!r}; pip install 'yardkit[suites]'") from error
    except Exception as error:  # the code of a task may be anyone's, and its mistake is what its author has to see
        raise Problem(f"{name} cannot be imported: {_describe_mistake(error, name)}") from error


def _describe_mistake(error: Exception, name: str) -> str:
    """Say what is wrong with the code of a task and in which line of which file, of its own file where it can be."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if Path(frame.filename).stem == name.rpartition(".")[2]]
    frame = (own_frames or frames)[-1]
    return f"{frame.filename}, line {frame.lineno}: {type(error).__name__}: {error}"
