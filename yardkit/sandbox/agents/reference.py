"""The reference agent: the task's own solver, over MCP."""

import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from fastmcp.client.client import CallToolResult

from yardkit.evaluators.proof import Agent, ToolFailed
from yardkit.kit.result_settings import FULL_RESULTS
from yardkit.sandbox.agents.agent import Outcome, Transcript
from yardkit.sandbox.agents.endpoint import Connection, connect_episode
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.ledger import data_of, picture_of, text_of


class ReferenceAgent:
    """Runs ``solve`` of the task's ``proof.py``, which knows only the prompt and the tools."""

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        return work_through(episode, transcript, time_limit_s, episode.task.proof().solve)


def work_through(
    episode: Episode, transcript: Transcript, time_limit_s: float, way: Callable[[Agent], object]
) -> Outcome:
    """Let a solution of a proof, `way`, work on the episode over MCP; it returns the answer."""
    transcript.add("user", episode.prompt)
    with connect_episode(episode, FULL_RESULTS) as connection:
        solver = _Solver(episode.prompt, connection, transcript, time.monotonic() + time_limit_s)
        try:
            answer = str(way(solver))
        except _TimeIsUp:
            return Outcome(stop="time_limit", detail=f"not done after {time_limit_s:g} s")
        except Exception as error:  # noqa: BLE001 - a broken solver fails this run, visibly; it must not end the others
            trace = "".join(traceback.format_exception(error)[-3:])
            transcript.add("event", trace)
            return Outcome(stop="crashed", detail=f"solve failed: {type(error).__name__}: {error}")
    transcript.add("assistant", answer)
    return Outcome(answer)


class _TimeIsUp(Exception):
    pass


class _Solver:
    """The `yardkit.evaluators.proof.Agent` of a solver."""

    def __init__(self, prompt: str, connection: Connection, transcript: Transcript, deadline: float) -> None:
        self.prompt = prompt
        self._connection = connection
        self._transcript = transcript
        self._deadline = deadline

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        result = self._call_tool(tool, arguments)
        return data_of(result.content, result.structured_content)

    def text(self, tool: str, /, **arguments: Any) -> str:
        return text_of(self._call_tool(tool, arguments).content)

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        content = self._call_tool(tool, arguments).content
        return text_of(content), picture_of(content)

    def _call_tool(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _TimeIsUp
        self._transcript.add("assistant", "", tool_calls=[{"name": tool, "arguments": arguments}])
        result = self._connection.call(tool, arguments, timeout_s=left)
        text = text_of(result.content)
        self._transcript.add("tool", text, name=tool, is_error=result.is_error)
        if result.is_error:
            raise ToolFailed(text)
        return result
