"""The calls of a task's own solver, for harnesses whose oracle cannot run it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.episodes.episode import Episode, open_episode
from yardkit.sandbox.episodes.ledger import picture_of
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem


@dataclass(frozen=True)
class Recorded:
    """A call and its result."""

    tool: str
    arguments: Mapping[str, Any]
    text: str
    data: Mapping[str, Any]
    is_error: bool
    picture: bytes


@dataclass(frozen=True)
class Recording:
    """A solver's run on one instance: its prompt, its calls in order, and its answer."""

    prompt: str
    calls: list[Recorded]
    answer: str


class Recorder:
    """The `yardkit.evaluators.proof.Agent` that records a solver's calls."""

    def __init__(self, episode: Episode) -> None:
        self.calls: list[Recorded] = []
        self._episode = episode

    @property
    def prompt(self) -> str:
        return self._episode.prompt

    def make_call(self, tool: str, arguments: Mapping[str, Any]) -> Recorded:
        """Make a call; an error is recorded like any result."""
        reply = self._episode.call(tool, **arguments)
        picture = picture_of(reply.result.content) if reply.result else b""
        self.calls.append(Recorded(tool, arguments, reply.text, reply.data, reply.is_error, picture))
        return self.calls[-1]

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        return self._call_tool(tool, arguments).data

    def text(self, tool: str, /, **arguments: Any) -> str:
        return self._call_tool(tool, arguments).text

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        call = self._call_tool(tool, arguments)
        return call.text, call.picture

    def _call_tool(self, tool: str, arguments: Mapping[str, Any]) -> Recorded:
        call = self.make_call(tool, arguments)
        if call.is_error:
            raise ToolFailed(call.text)
        return call


def record_solver(task: Task, seed: int) -> Recording:
    """Run the task's solver on an instance, record its calls, and remove the episode.

    Raises:
        Problem: the solver's work does not pass.
    """
    with open_episode(task.id, seed) as episode:
        recorder = Recorder(episode)
        answer = str(task.proof().solve(recorder))
        if not episode.grade(answer).passed:
            raise Problem(f"the solver of {task.id} does not pass with seed {seed}; see `yardkit prove {task.id}`")
        return Recording(recorder.prompt, recorder.calls, answer)
