"""One mutant."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """A change of a copy of a solved world.

    Attributes:
        operator: the kind of change, snake_case.
        target: the target of the change, as in the leaves' ``covers``.
        says: a description of the change.
        apply: makes the change in a workspace, given the solver's answer, and returns the answer to grade.
    """

    operator: str
    target: str
    says: str
    apply: Callable[[Path, str], str]


def on_files(change: Callable[[Path], object]) -> Callable[[Path, str], str]:
    """Make a mutant that changes files and keeps the answer."""

    def apply(workspace: Path, answer: str) -> str:
        change(workspace)
        return answer

    return apply


def on_apps(change: Callable[[Path], object]) -> Callable[[Path, str], str]:
    """Make a mutant that changes the state of the apps, which is beside the workspace."""
    return on_files(lambda workspace: change(workspace.parent / "apps"))
