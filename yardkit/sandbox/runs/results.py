"""Results of attempts, as lines of ``results.jsonl``."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from yardkit.sandbox.agents import Stop, Usage

Key = tuple[str, int, int]
"""Task, seed and repeat: what names a run."""


@dataclass(frozen=True)
class Result:
    """The result of an attempt: a line of ``results.jsonl``.

    Attributes:
        episode: the episode's folder, relative to the run's; empty if none was opened.
        reward, passed, valid, faults: as in `Grade`; also invalid if the agent's service or our process failed.
        stop, detail: why the agent stopped.
        calls, tool_errors: the calls that reached a server, and those among them that ended in an error.
        agent_seconds, grade_seconds: wall time.
        finished: the time of the end, ISO 8601, wall clock.
        measures: numbers for the axes of reports: those of the task's facts, such as ``operations`` and ``height``;
            and, if the task has these checkpoints, ``accuracy``, 1 if the leaf `ANSWER` passed and no gate failed, else
            0, and ``progress``, the score of the checkpoints `CHAIN`.
        repeat: the number, from 0, among several runs of this task and seed.
        crashes: the calls that crashed, as ``call 3: search_files``; the agent sees them as errors, we list them.
        profile: the kind of task, from its ``task.toml`` (`yardkit.sandbox.tasks.profiles.Profile`).
        extra_servers: the servers that were offered in addition to those of the task.
        passed_unlooked: whether it passes without the leaves that require a look at the result; None if the task has no
            such leaves.
        failure: for such a task, the class of its failure: one of `yardkit.sandbox.runs.closed_loops.FAILURES`.
        chain_break: for a task that is a chain of documents, with a wrong answer, how the chain broke: one of
            `yardkit.sandbox.runs.chain_breaks.list_break_kinds`, whose counts are among the measures.
        deliveries: for a run with feedback, ``reward`` and ``passed`` after each delivery, including the last.
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
        """The task, seed and repeat in words."""
        return f"seed {self.seed}, repeat {self.repeat}" if self.repeat else f"seed {self.seed}"

    @property
    def state(self) -> str:
        """``passed``, ``failed``, ``open`` (a leaf is unjudged) or ``invalid``."""
        if not self.valid:
            return "invalid"
        return {True: "passed", False: "failed", None: "open"}[self.passed]

    @property
    def right(self) -> bool:
        """Whether the answer is right, regardless of guardrails; if that is unknown, whether the run passed."""
        return bool(self.measures.get("accuracy", self.state == "passed"))

    @property
    def at_fault(self) -> str:
        """Who caused the run not to pass: ``nobody``, ``agent``, ``yardkit`` or ``model service``."""
        if self.valid:
            return "agent" if self.passed is False else "nobody"
        return "model service" if self.stop == "service_invalid" else "yardkit"

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Result":
        lists = {name: tuple(record.get(name, ())) for name in ("faults", "crashes", "extra_servers", "deliveries")}
        return cls(**{**record, **lists, "usage": Usage(**record["usage"])})
