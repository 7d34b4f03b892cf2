"""How the chain of a failed run broke, in the words of the benchmark whose tasks are chains."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from yardkit.sandbox.agents import Stop
from yardkit.sandbox.benchmarks import load_chain_breaks
from yardkit.sandbox.episodes.ledger import Call


class Break(Protocol):
    """How a chain broke: one of `list_break_kinds`, and counts."""

    kind: str

    def map_measures(self) -> dict[str, float]:
        """The counts by name."""


def list_break_kinds() -> dict[str, str]:
    """Map the kinds of breaks to what they mean."""
    return {kind: meaning for module in load_chain_breaks() for kind, meaning in module.KINDS.items()}


def find_break(facts: Mapping[str, Any], calls: Sequence[Call], stop: Stop) -> Break | None:
    """Find how the chain of a run with a wrong answer broke; None if the task is no chain."""
    breaks: list[Break | None] = [module.break_of(facts, calls, stop) for module in load_chain_breaks()]
    return next((known for known in breaks if known), None)
