"""Results: what came of an attempt, as a line of ``results.jsonl``."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from yardkit.sandbox.agents import Stop, Usage

Key = tuple[str, int, int]
"""Task, seed and repeat: what names a run."""


@dataclass(frozen=True)
class Result:
    """What came of an attempt: a line of ``results.jsonl``.

    Attributes:
        episode: the episode's folder, relative to the run's; empty where none was opened.
        reward, passed, valid, faults: as in `Grade`; not valid as well if the agent's service or our process failed.
        stop, detail: why the agent stopped.
        calls, tool_errors: calls that reached us, and those of them that ended in an error.
        agent_seconds, grade_seconds: wall time.
        finished: when, ISO 8601, wall clock.
        measures: numbers that reports put results against: those of the task's facts, such as ``operations`` and
            ``height``; and beside them ``accuracy``, 1 if the leaf `ANSWER` passed and no gate failed, else 0, and
            ``progress``, the score of the checkpoints `CHAIN`, each where the task has such checkpoints.
        repeat: which of several runs of this task and seed it is, from 0.
        crashes: the calls that crashed, as ``call 3: search_files``; errors to the agent, and listed for us.
        profile: what kind of task it is, as its ``task.toml`` said (`yardkit.sandbox.tasks.profiles.Profile`).
        extra_servers: the servers that were offered besides those of the task.
        passed_unlooked: whether it passes but for the leaves that ask whether the agent looked at what it made; None
            where the task has none.
        failure: the class by which it failed, of such a task: one of `yardkit.sandbox.runs.closed_loops.FAILURES`.
        chain_break: how its chain broke, of a task that is a chain of documents and whose answer is wrong: one of
            `yardkit.sandbox.runs.broken_chains.KINDS`, whose counts are among the measures.
        deliveries: ``reward`` and ``passed`` after each delivery, the last one included, of a run with feedback.
    """

    task: str
    seed: int
    episode: str
    reward: float
    passed: bool | None
    valid: bool
    faults: tuple[str, ...]
    stop: Stop
    detail: str = ""
    calls: int = 0
    tool_errors: int = 0
    agent_seconds: float = 0.0
    grade_seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    finished: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)
    repeat: int = 0
    profile: Mapping[str, Any] = field(default_factory=dict)
    crashes: tuple[str, ...] = ()
    extra_servers: tuple[str, ...] = ()
    passed_unlooked: bool | None = None
    failure: str = ""
    chain_break: str = ""
    deliveries: tuple[Mapping[str, Any], ...] = ()

    @property
    def key(self) -> Key:
        return self.task, self.seed, self.repeat

    @property
    def instance(self) -> str:
        """Which run of its task it is, in words."""
        return f"seed {self.seed}, repeat {self.repeat}" if self.repeat else f"seed {self.seed}"

    @property
    def state(self) -> str:
        """``passed``, ``failed``, ``open`` (a leaf is unjudged) or ``invalid``."""
        if not self.valid:
            return "invalid"
        return {True: "passed", False: "failed", None: "open"}[self.passed]

    @property
    def right(self) -> bool:
        """Whether the answer is right, whatever guardrails say; where nothing tells that, whether the run passed."""
        return bool(self.measures.get("accuracy", self.state == "passed"))

    @property
    def at_fault(self) -> str:
        """Whose doing it is that the run did not pass: ``nobody``, ``agent``, ``yardkit`` or ``model service``."""
        if self.valid:
            return "agent" if self.passed is False else "nobody"
        return "model service" if self.stop == "service_invalid" else "yardkit"

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Result":
        lists = {name: tuple(record.get(name, ())) for name in ("faults", "crashes", "extra_servers", "deliveries")}
        return cls(**{**record, **lists, "usage": Usage(**record["usage"])})
