"""What a task's ``proof.py`` is written with: a solver's view, a solved world to spoil, and who must notice.

A proof module defines

- ``solve(agent) -> str``: works through MCP calls and the prompt alone and returns the final answer;
- ``alternative_*(agent, files) -> str``: other right ways, which may re-save files with another program;
- ``near_miss_*(work)``: near misses, made on a copy of the solved world, each marked with `caught_by_leaf`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Miss = Callable[["Solved"], None]


class Agent(Protocol):
    """What an agent has: the prompt and the tools."""

    @property
    def prompt(self) -> str:
        """What the agent is told."""

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool; the structured result. A tool error raises `ToolFailed`."""

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool; the text of the result. A tool error raises `ToolFailed`."""

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        """Call a tool; the text of the result and its first picture, empty if it has none."""


class ToolFailed(Exception):
    """A tool answered with an error; its text."""


@dataclass
class Solved:
    """A writable copy of a solved world, to be spoiled in place.

    Attributes:
        files: its workspace.
        answer: the final answer; assign another one to spoil it.
        facts: the truth.
        calls: the ledger, one mapping per call; take some out to spoil it.
    """

    files: Path
    answer: str
    facts: Mapping[str, Any]
    calls: list[dict[str, Any]] = field(default_factory=list)

    @property
    def apps(self) -> Path:
        """The state of its apps, such as ``apps / "forms/forms.sqlite"``, which `misses.records` changes."""
        return self.files.parent / "apps"


def caught_by_leaf(*leaves: str) -> Callable[[Miss], Miss]:
    """Mark a ``near_miss_*`` function with the ids of the leaves that must fail on its world."""

    def mark(miss: Miss) -> Miss:
        miss.caught_by_leaf = leaves  # type: ignore[attr-defined]
        return miss

    return mark
