"""How the chain of a failed run broke, counted from its ledger and the facts of its task.

The kinds are the failure modes of the paper on LORE, section 4.4: premature halting, lost leads, and reasoning that
wears off. A lead is the name of a document that the agent was told, by the prompt or by a document that it read; a rule
can be solved when all documents that it rests on were read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.sandbox.agents import Stop
from yardkit.sandbox.episodes.ledger import Call

KINDS = {
    "halted": "it stopped although a document that it knew of was never read, or a rule that it could solve was left",
    "lost leads": "it never returned to documents that it knew of after it had taken up later ones",
    "wrong value": "it read all documents that it knew of and tried each rule that it could solve; a value was wrong",
    "stopped": "a limit stopped it",
}
"""The kinds of breaks -> what they mean."""
LEADS = "leads"
"""What the facts of a task must hold: the documents that the prompt names (``told``), those that each document names
(``named``), and the documents that must be known for others (``rules``)."""
_ENDED: tuple[Stop, ...] = ("done", "no_answer")


@dataclass(frozen=True)
class Break:
    """How a chain broke.

    Attributes:
        kind: one of `KINDS`.
        unread_leads: documents that the agent was told of and never read.
        lost_leads: those of them after which it read documents that it got to know of later.
        left_rules: rules that it could solve, of whose documents it asked for none.
        wrong_results: rules that it could solve, of whose documents it only asked for some that do not exist.
    """

    kind: str
    unread_leads: int
    lost_leads: int
    left_rules: int
    wrong_results: int

    def map_measures(self) -> dict[str, float]:
        """The numbers alone."""
        return {name: float(value) for name, value in vars(self).items() if name != "kind"}


def break_of(facts: Mapping[str, Any], calls: Sequence[Call], stop: Stop) -> Break | None:
    """How the chain of a run broke whose answer is wrong; None where its facts hold no leads."""
    if LEADS not in facts:
        return None
    read, missed = _first_calls(calls, errors=False), _first_calls(calls, errors=True)
    leads, rules = _known_at(facts[LEADS], read)
    unread = [name for name in leads if name not in read]
    latest = max((({**leads, **rules}).get(name, at) for name, at in read.items()), default=0)
    lost = [name for name in unread if leads[name] < latest]
    unsolved = [name for name in rules if name not in read]
    tried = {_strip_name(name) for name in missed}
    wrong = [name for name in unsolved if _strip_name(name) in tried]
    left = len(unsolved) - len(wrong)
    kind = _classify_break(stop, lost=bool(lost), pending=bool(unread or left))
    return Break(kind, len(unread), len(lost), left, len(wrong))


def _classify_break(stop: Stop, *, lost: bool, pending: bool) -> str:
    if stop not in _ENDED:
        return "stopped"
    if lost:
        return "lost leads"
    return "halted" if pending else "wrong value"


def _first_calls(calls: Sequence[Call], *, errors: bool) -> dict[str, int]:
    """When each document was asked for first, with an error or without; another view of a picture is its document."""
    first_calls_by_name: dict[str, int] = {}
    for call in calls:
        name = str(call.arguments.get("doc_id", "")).partition("~")[0]
        if name and bool(call.error) == errors:
            first_calls_by_name.setdefault(name, call.number)
    return first_calls_by_name


def _known_at(leads: Mapping[str, Any], read: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """After which call the agent knew of documents: of those that it was told, and of those that it could work out."""
    known_positions = dict.fromkeys(leads["told"], 0)
    for name in sorted(read, key=lambda name: read[name]):
        for other in leads["named"].get(name, ()):
            known_positions.setdefault(other, read[name])
    solvable = {
        target: max(read[name] for name in needed)
        for target, *needed in leads["rules"]
        if all(name in read for name in needed)
    }
    return known_positions, solvable


def _strip_name(name: str) -> str:
    """What stands in front of the part of a name that must be worked out: ``v4`` of ``v4%186``."""
    return name.partition("%")[0]
