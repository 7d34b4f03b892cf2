"""One mutant."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """A change to a copy of a solved world.

    Attributes:
        operator: the kind of change, snake_case.
        target: what it changes, as the leaves' ``covers`` name it.
        says: the change in words.
        apply: makes the change in a workspace and returns the answer to hand in, given the solver's.
    """

    operator: str
    target: str
    says: str
    apply: Callable[[Path, str], str]


def on_files(change: Callable[[Path], object]) -> Callable[[Path, str], str]:
    """A change to files that leaves the answer alone."""

    def apply(workspace: Path, answer: str) -> str:
        change(workspace)
        return answer

    return apply


def on_apps(change: Callable[[Path], object]) -> Callable[[Path, str], str]:
    """A change to the state of the apps, which lies beside the workspace."""
    return on_files(lambda workspace: change(workspace.parent / "apps"))
