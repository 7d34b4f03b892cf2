"""Replies of tool calls, and the view of an episode that solvers use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fastmcp.tools import ToolResult

from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.episodes.ledger import picture_of


@dataclass(frozen=True)
class Reply:
    """The reply of a tool call: `text` for a reader and `data` for a program, or an error in `text`."""

    text: str
    data: dict[str, Any]
    is_error: bool
    result: ToolResult | None


class Solvable(Protocol):
    """The part of an episode that a solver needs."""

    @property
    def prompt(self) -> str:
        """The agent's prompt."""

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Call a tool; a tool error is a reply."""


class ToolAgent:
    """The solver's view of an episode: the prompt, and tools whose errors are exceptions."""

    def __init__(self, episode: Solvable) -> None:
        self._episode = episode
        self.prompt = episode.prompt

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        return self._call_tool(tool, arguments).data

    def text(self, tool: str, /, **arguments: Any) -> str:
        return self._call_tool(tool, arguments).text

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        reply = self._call_tool(tool, arguments)
        return reply.text, picture_of(reply.result.content if reply.result else ())

    def _call_tool(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        reply = self._episode.call(tool, **arguments)
        if reply.is_error:
            raise ToolFailed(reply.text)
        return reply
