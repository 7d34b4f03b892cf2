"""The profile of a task: its domain, effort, inputs and deliverables.

It is declared in ``task.toml``; statistics (`yardkit.sandbox.proofs.stats`) and the breakdown of results use it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from statistics import median
from typing import Any

from yardkit.world import Problem

DOMAINS = (
    *("administration", "education", "engineering", "events", "finance", "health", "hr", "it", "legal", "logistics"),
    *("management", "manufacturing", "marketing", "media", "personal", "procurement", "research", "sales", "security"),
    *("support", "synthetic", "travel"),
)
"""Whose work it is; ``synthetic`` is nobody's: such a task is made to measure one ability."""
DIFFICULTIES = ("easy", "medium", "hard")
MODALITIES = (
    *("text", "table", "document", "slides", "pdf", "scan", "image", "web", "mail", "code", "database"),
    *("audio", "video", "calendar", "app"),
)
"""What has to be read: files of each kind (tables are CSV files and workbooks), or the records of an app."""
DELIVERABLES = (
    *("answer", "workbook", "table", "document", "slides", "pdf", "web", "image", "text", "data", "files"),
    *("code", "audio", "video", "app"),
)
"""What is handed in: the final answer, files (a table is a CSV file, data is JSON; ``files``: a folder in order)."""
_MEDIUM, _HARD = 20, 30
_SERVER, _MOST_CALLS = 3, 12


@dataclass(frozen=True)
class Profile:
    """The kind of a task, in words from the lists above."""

    domain: str
    difficulty: str
    modalities: tuple[str, ...]
    deliverables: tuple[str, ...]

    @classmethod
    def parse_facts(cls, task: str, facts: Mapping[str, Any]) -> "Profile":
        """Parse the profile in a ``task.toml``.

        Raises:
            Problem: an entry is missing, or a word is not in its list.
        """
        (domain,), (difficulty,) = (
            _parse_choice(task, facts, name, known, several=False)
            for name, known in (("domain", DOMAINS), ("difficulty", DIFFICULTIES))
        )
        modalities = _parse_choice(task, facts, "modalities", MODALITIES)
        return cls(domain, difficulty, modalities, _parse_choice(task, facts, "deliverables", DELIVERABLES))

    def as_dict(self) -> dict[str, Any]:
        """The profile as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def estimate_effort(checkpoints: int, servers: int, calls: Sequence[int]) -> int:
    """Estimate the effort: a point for each checkpoint, three for each server that the reference solver uses, and one
    for every four of its calls (the median of the seeds), at most twelve.
    """
    return checkpoints + _SERVER * servers + min(int(median(calls)) // 4, _MOST_CALLS)


def difficulty_of(checkpoints: int, servers: int, calls: Sequence[int]) -> str:
    """Return ``easy`` below 20 points of `estimate_effort`, ``hard`` from 30, ``medium`` between."""
    points = estimate_effort(checkpoints, servers, calls)
    return "easy" if points < _MEDIUM else "medium" if points < _HARD else "hard"


def _parse_choice(
    task: str, facts: Mapping[str, Any], name: str, known: Sequence[str], *, several: bool = True
) -> tuple[str, ...]:
    if name not in facts:
        raise Problem(f"task.toml of {task} has no {name}; state one of: {', '.join(known)}")
    given = facts[name] if several else [facts[name]]
    if not isinstance(given, list) or not given or len(set(map(str, given))) < len(given):
        raise Problem(f"{name} of {task} is {given!r}; state a list of different words, such as {list(known[:2])}")
    for word in given:
        if word not in known:
            near = get_close_matches(str(word), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"state one of: {', '.join(known)}"
            raise Problem(f"{name} of {task} holds {word!r}, which is unknown; {hint}")
    return tuple(given)
