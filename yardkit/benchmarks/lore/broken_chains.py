"""How the chain of a failed run broke, derived from its ledger and the facts of its task.

The kinds are the failure modes of the paper on LORE, section 4.4: premature halting, lost leads, and reasoning that
wears off. A lead is the name of a document that the agent got from the prompt or from a document that it read. A rule
can be solved once all documents that it needs were read.
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
        unread_leads: the number of documents that the agent knew of and never read.
        lost_leads: those among them that it skipped in favour of documents it learned of later.
        left_rules: rules that it could solve but none of whose documents it asked for.
        wrong_results: rules that it could solve but for which it only asked for documents that do not exist.
    """

    kind: str
    unread_leads: int
    lost_leads: int
    left_rules: int
    wrong_results: int

    def map_measures(self) -> dict[str, float]:
        """The counts by name."""
        return {name: float(value) for name, value in vars(self).items() if name != "kind"}


def break_of(facts: Mapping[str, Any], calls: Sequence[Call], stop: Stop) -> Break | None:
    """Find how the chain of a run with a wrong answer broke; None if its facts have no leads."""
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
    """Find the first call for each document, successful or not; another view of a picture counts as its document."""
    first_calls_by_name: dict[str, int] = {}
    for call in calls:
        name = str(call.arguments.get("doc_id", "")).partition("~")[0]
        if name and bool(call.error) == errors:
            first_calls_by_name.setdefault(name, call.number)
    return first_calls_by_name


def _known_at(leads: Mapping[str, Any], read: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Find after which call the agent knew of each document: it was given the name, or could work it out."""
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
    """Return the part of a name before the part that must be worked out: ``v4`` for ``v4%186``."""
    return name.partition("%")[0]
