"""The interface of a task's ``proof.py``: a solver's view, a solved world to spoil, and the leaves that must catch it.

A proof module defines

- ``solve(agent) -> str``: uses only MCP calls and the prompt, and returns the final answer;
- ``alternative_*(agent, files) -> str``: other correct solutions, which may save files again with another program;
- ``near_miss_*(work)``: near misses, made on a copy of the solved world, each marked with `caught_by_leaf`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Miss = Callable[["Solved"], None]


class Agent(Protocol):
    """A solver's view of an episode: the prompt and the tools."""

    @property
    def prompt(self) -> str:
        """The agent's prompt."""

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool and return its structured result. A tool error raises `ToolFailed`."""

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool and return the text of its result. A tool error raises `ToolFailed`."""

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        """Call a tool and return the text of its result and the first picture, empty if it has none."""


class ToolFailed(Exception):
    """A tool returned an error, whose text this has."""


@dataclass
class Solved:
    """A writable copy of a solved world, to spoil in place.

    Attributes:
        files: its workspace.
        answer: the final answer; assign another one to spoil it.
        facts: the ground truth.
        calls: the ledger, one mapping per call; remove some to spoil it.
    """

    files: Path
    answer: str
    facts: Mapping[str, Any]
    calls: list[dict[str, Any]] = field(default_factory=list)

    @property
    def apps(self) -> Path:
        """The folder of the apps' state, with files such as ``forms/forms.sqlite``, which `misses.records` changes."""
        return self.files.parent / "apps"


def caught_by_leaf(*leaves: str) -> Callable[[Miss], Miss]:
    """Mark a ``near_miss_*`` function with the ids of the leaves that must fail on its world."""

    def mark(miss: Miss) -> Miss:
        miss.caught_by_leaf = leaves  # type: ignore[attr-defined]
        return miss

    return mark
