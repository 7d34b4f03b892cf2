"""``scripted``: the task's own solver with random slips and a limited memory.

It checks the harness and makes no claim about models: its expected score is known. If each of N operations goes wrong
with probability p, and one wrong result is enough to fail, it passes with probability (1 - p)^N. A report whose curve
does not follow that has a fault. In programs more runs pass, because a condition may turn out the same for a wrong
value.
"""

import random
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from yardkit.sandbox.agents.agent import Outcome, Transcript
from yardkit.sandbox.agents.reference import work_through
from yardkit.sandbox.agents.settings import parse_settings
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem

_LARGEST_SLIP = 99


@dataclass(frozen=True)
class ScriptedSettings:
    """Settings of ``scripted``.

    Attributes:
        error_rate: the probability that the result of an operation is wrong.
        memory: how many values are remembered, the newest ones; 0: all. It matters bottom-up, where values are found
            before their use is known.
        seed: a different seed makes different slips on the same instance.
    """

    error_rate: Annotated[float, Field(ge=0, le=1)] = 0.0
    memory: Annotated[int, Field(ge=0)] = 0
    seed: Annotated[int, Field(ge=0)] = 0

    def mind_for(self, task: str, seed: int, repeat: int = 0) -> "SlippingMind":
        """Make the mind for one instance of a task, deterministically; a different `repeat` makes different slips."""
        chance = f"{task}:{seed}:{self.seed}" + (f":{repeat}" if repeat else "")
        rng = random.Random(chance)  # noqa: S311 - reproducibility, not secrecy
        return SlippingMind(self.error_rate, self.memory, rng)


@dataclass(frozen=True)
class SlippingMind:
    """The ``Mind`` of the proofs of generated tasks, with slips and a limited memory."""

    error_rate: float
    memory: int
    rng: random.Random

    def worked_out(self, value: int | str) -> int | str:
        """Return the result of an operation, or after a slip another number or the text with one letter changed."""
        if self.rng.random() >= self.error_rate:
            return value
        if isinstance(value, int):
            return value + _shift_aside(value) * self.rng.randint(1, _LARGEST_SLIP)
        place = self.rng.randrange(max(1, len(value)))
        others = [letter for letter in string.ascii_letters if letter != value[place : place + 1]]
        return value[:place] + self.rng.choice(others) + value[place + 1 :]

    def forgets(self, value_count: int) -> bool:
        """Whether the oldest of `value_count` values is lost."""
        return 0 < self.memory < value_count


def _shift_aside(value: int) -> int:
    """Shift a number towards 0, or away from it if 0 is near: the sign stays, and a large number does not grow."""
    sign = -1 if value < 0 else 1
    return -sign if abs(value) > _LARGEST_SLIP else sign


@dataclass(frozen=True)
class ScriptedAgent:
    """Runs ``walk_graph`` of the task's ``proof.py`` over MCP, with a mind that makes mistakes and forgets."""

    settings: ScriptedSettings
    repeat: int = 0

    @classmethod
    def from_settings(cls, given: Mapping[str, str], repeat: int = 0) -> "ScriptedAgent":
        """Make the agent from its settings, for one of several runs of the same instance.

        Raises:
            Problem: a setting is wrong.
        """
        return cls(parse_settings(ScriptedSettings, "scripted", given), repeat)

    def check(self, task: Task) -> None:
        """Check that the agent can work on `task`.

        Raises:
            Problem: it cannot.
        """
        if not hasattr(task.proof(), "walk_graph"):
            raise Problem(
                f"the agent 'scripted' cannot work on {task.id}: its proof has no `walk_graph`; "
                "take a generated task, such as lore/documents"
            )

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        mind = self.settings.mind_for(episode.task.id, episode.seed, self.repeat)
        walk = episode.task.proof().walk_graph
        return work_through(episode, transcript, time_limit_s, lambda solver: walk(solver, mind))
