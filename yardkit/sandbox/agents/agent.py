"""The interface of agents: an agent works on an open episode and returns an answer and the reason why it stopped."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, Self, runtime_checkable

from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.tasks.task import Task
from yardkit.world.world import machine_time

Stop = Literal[
    "done",
    "cut_off",
    "no_answer",
    "max_turns",
    "token_limit",
    "time_limit",
    "failed_rounds",
    "crashed",
    "service_invalid",
]
"""Why an agent stopped; ``cut_off``: the service ended the model's last words before the model did (its length, a
filter); ``no_answer``: there were none, or thoughts alone; ``failed_rounds``: every call failed, several times in a
row. Only ``service_invalid`` is no doing of the agent: its model could not be reached or talked garbage, so the run is
marked invalid and does not count."""

NO_ACTION, REFUSED_ARGUMENTS = "no action", "refused arguments"
"""What a line of a transcript names as its ``fault`` where a model said nothing that can be carried out."""

MAX_ANSWER = 1_000_000
"""Characters of a final answer that are kept."""


@dataclass(frozen=True)
class Usage:
    """The turns, tokens and cost of an agent's work, as far as they are known.

    Attributes:
        turns: answers of the model.
        prompt_tokens, completion_tokens, cached_tokens: summed over all turns.
        cost_usd: None if neither the service nor the settings give the price of a token.
    """

    turns: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.turns + other.turns,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            round(sum(costs), 8) if costs else None,
        )


@dataclass(frozen=True)
class Outcome:
    """How an agent's work ended; `detail` explains a `stop` other than ``done``."""

    answer: str = ""
    stop: Stop = "done"
    detail: str = ""
    usage: Usage = field(default_factory=Usage)

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Outcome":
        return cls(record["answer"], record["stop"], record["detail"], Usage(**record["usage"]))


class Transcript:
    """The messages of a run, one JSON object per line, written at once: a killed run loses at most its last line."""

    def __init__(self, path: Path) -> None:
        self._handle = path.open("a", encoding="utf-8")

    def add(self, role: str, content: str, **more: Any) -> None:
        """Add a line: the role (``system``, ``user``, ``assistant``, ``tool`` or ``event``), the text, other fields."""
        line = {"time": machine_time().isoformat(), "role": role, "content": content, **more}
        self._handle.write(json.dumps(line, default=str) + "\n")
        self._handle.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.close()


class Agent(Protocol):
    """Works on an episode until it is done or `time_limit_s` seconds have passed."""

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        """Work on the episode and return how it ended. The agent's mistakes are part of the outcome, not exceptions."""


Review = Callable[[str], str]
"""Called with the answer of a delivery: the feedback with which the agent goes on; empty where it is to stop."""


@runtime_checkable
class Reviewed(Protocol):
    """An agent that can continue after a delivery was reviewed."""

    def run_reviewed(self, episode: Episode, transcript: Transcript, time_limit_s: float, review: Review) -> Outcome:
        """Work, and continue after each delivery while there is feedback. Reviews do not count against the time."""


@runtime_checkable
class Particular(Protocol):
    """An agent that cannot work on every task."""

    def check(self, task: Task) -> None:
        """Check that the agent can work on `task`.

        Raises:
            Problem: it cannot.
        """
